// SPDX-License-Identifier: MIT
#include "decoder/nifti/place.h"

#include <math.h>
#include <string.h>

#define MM_MAX 1e6
#define FAR_MM 1e9
// A matrix whose axes span less of the unit cube is singular.
#define LEAST_VOLUME 1e-4
// Fraction of a voxel by which the two forms may differ.
#define SAME_PLACE 0.1

static void
ignore (OdlNiftiHeader *header, const char *name)
{
  if (header->n_ignored < (int) G_N_ELEMENTS (header->ignored))
    header->ignored[header->n_ignored++] = name;
}

static double
length (const double m[3][4], int axis)
{
  return sqrt (m[0][axis] * m[0][axis] + m[1][axis] * m[1][axis]
               + m[2][axis] * m[2][axis]);
}

// Share of the unit cube that the three directions span.
static double
span (const double m[3][4])
{
  const double size = length (m, 0) * length (m, 1) * length (m, 2);
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                     - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                     + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);

  return size > 0 ? fabs (det) / size : 0;
}

static bool
is_sane (const double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 4; axis++)
      if (!(fabs (m[row][axis]) < FAR_MM))
        return false;
  for (int axis = 0; axis < 3; axis++)
    if (!(length (m, axis) > 1 / MM_MAX && length (m, axis) <= MM_MAX))
      return false;
  return span (m) > LEAST_VOLUME;
}

static bool
from_sform (const OdlNiftiForms *forms, double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 4; axis++)
      m[row][axis] = forms->srow[row][axis] * (forms->mm > 0 ? forms->mm : 1);
  return is_sane (m);
}

// The rotation of a unit quaternion, whose first number follows from the others.
static bool
from_qform (const OdlNiftiForms *forms, const double spacing[3], double m[3][4])
{
  const double b = forms->quaternion[0], c = forms->quaternion[1],
               d = forms->quaternion[2];
  const double rest = 1 - (b * b + c * c + d * d);
  const double a = sqrt (fmax (rest, 0));
  const double rotation[3][3] = {
    { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c) },
    { 2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b) },
    { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c },
  };

  for (int row = 0; row < 3; row++) {
    for (int axis = 0; axis < 3; axis++)
      m[row][axis] = rotation[row][axis] * spacing[axis];
    if (forms->pixdim[0] < 0)
      m[row][2] = -m[row][2];
    m[row][3] = forms->qoffset[row] * (forms->mm > 0 ? forms->mm : 1);
  }
  return rest > -1e-4 && is_sane (m);
}

// Files without either form are taken as ANALYZE files were meant: x leads to the left.
static void
guess (const double spacing[3], double m[3][4])
{
  memset (m, 0, 12 * sizeof (double));
  m[0][0] = -spacing[0];
  m[1][1] = spacing[1];
  m[2][2] = spacing[2];
}

static bool
forms_differ (const OdlNiftiHeader *header, const double a[3][4], const double b[3][4])
{
  const double voxel = fmin (length (a, 0), fmin (length (a, 1), length (a, 2)));

  for (int corner = 0; corner < 8; corner++)
    for (int row = 0; row < 3; row++) {
      double difference = a[row][3] - b[row][3];
      for (int axis = 0; axis < 3; axis++)
        if ((corner >> axis & 1) != 0)
          difference += (a[row][axis] - b[row][axis]) * (header->extent[axis] - 1);
      if (fabs (difference) > SAME_PLACE * voxel)
        return true;
    }
  return false;
}

// Which axis of the body each stored axis is closest to.
static void
find_axes (const OdlNiftiHeader *header, int body[3])
{
  static const int orders[6][3]
      = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  double best = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
      sum += fabs (header->place[orders[i][axis]][axis]) / length (header->place, axis);
    if (sum > best + 1e-9) {
      best = sum;
      memcpy (body, orders[i], 3 * sizeof *body);
    }
  }
}

static void
turn (OdlNiftiHeader *header)
{
  static const char positive[] = "LPS", negative[] = "RAI";
  int body[3] = { 0, 1, 2 };
  bool backwards[3];

  find_axes (header, body);
  for (int axis = 0; axis < 3; axis++) {
    backwards[axis] = header->place[body[axis]][axis] < 0;
    header->letters[axis] = (backwards[axis] ? negative : positive)[body[axis]];
  }
  const bool is_flat = header->extent[2] == 1;
  if (is_flat) {
    header->axis[0] = body[0] < body[1] ? 0 : 1;
    header->axis[1] = 1 - header->axis[0];
    header->axis[2] = 2;
  } else {
    for (int axis = 0; axis < 3; axis++)
      header->axis[body[axis]] = axis;
  }
  for (int shown = 0; shown < 3; shown++)
    header->mirrored[shown] = backwards[header->axis[shown]];
  if (is_flat && body[header->axis[1]] == 2)
    header->mirrored[1] = !header->mirrored[1];
}

void
odl_nifti_place (OdlNiftiHeader *header, const OdlNiftiForms *forms)
{
  double spacing[3], q[3][4], s[3][4];
  bool known = true;

  for (int axis = 0; axis < 3; axis++) {
    const double given = forms->pixdim[axis + 1] * (forms->mm > 0 ? forms->mm : 1);
    const bool good = given >= 1 / MM_MAX && given <= MM_MAX;
    // The third of a single slice is often 0.
    if (!good && (axis < 2 || header->extent[axis] > 1))
      known = false;
    spacing[axis] = good ? given : 1;
  }
  const bool has_s = forms->sform_code > 0 && from_sform (forms, s);
  const bool has_q = forms->qform_code > 0 && from_qform (forms, spacing, q);
  if (!known && !has_s)
    ignore (header, "pixdim");
  if (forms->sform_code > 0 && !has_s)
    ignore (header, "sform");
  if (forms->qform_code > 0 && !has_q)
    ignore (header, "qform");
  header->is_placed = has_s || has_q;
  header->forms_differ = has_s && has_q && known && forms_differ (header, s, q);
  guess (spacing, header->place);
  if (header->is_placed)
    memcpy (header->place, has_s ? s : q, sizeof header->place);
  for (int axis = 0; axis < 4; axis++) {
    header->place[0][axis] = -header->place[0][axis];
    header->place[1][axis] = -header->place[1][axis];
  }
  for (int axis = 0; axis < 3; axis++)
    header->spacing_mm[axis] = known || has_s ? length (header->place, axis) : 0;
  turn (header);
}

int64_t
odl_nifti_origin (const OdlNiftiHeader *header, int64_t step[3])
{
  const int64_t stride[3]
      = { 1, header->extent[0], (int64_t) header->extent[0] * header->extent[1] };
  int64_t origin = 0;

  for (int shown = 0; shown < 3; shown++) {
    const int axis = header->axis[shown];
    step[shown] = header->mirrored[shown] ? -stride[axis] : stride[axis];
    if (header->mirrored[shown])
      origin += stride[axis] * (header->extent[axis] - 1);
  }
  return origin;
}
