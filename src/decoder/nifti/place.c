// SPDX-License-Identifier: MIT
#include "decoder/nifti/place.h"

#include <math.h>
#include <string.h>

#define MM_MAX 1e6

static void
ignore (OdlNiftiHeader *header, const char *name)
{
  if (header->n_ignored < (int) G_N_ELEMENTS (header->ignored))
    header->ignored[header->n_ignored++] = name;
}

static bool
from_sform (const OdlNiftiForms *forms, double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 4; axis++)
      m[row][axis] = forms->srow[row][axis] * (forms->mm > 0 ? forms->mm : 1);
  return odl_place_is_sane (m);
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
  return rest > -1e-4 && odl_place_is_sane (m);
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

void
odl_nifti_place (OdlNiftiHeader *header, const OdlNiftiForms *forms)
{
  double spacing[3], q[3][4], s[3][4];
  bool known = true;

  // The amount of a negative one counts, as for nibabel.
  for (int axis = 0; axis < 3; axis++) {
    const double given = fabs (forms->pixdim[axis + 1]) * (forms->mm > 0 ? forms->mm : 1);
    const bool good = given >= 1 / MM_MAX && given <= MM_MAX;
    header->was_negative |= forms->pixdim[axis + 1] < 0;
    // The third of a single slice is often 0.
    if (!good && (axis < 2 || header->place.extent[axis] > 1))
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
  header->forms_differ
      = has_s && has_q && known && odl_place_differs (s, q, header->place.extent);
  guess (spacing, header->place.lps);
  if (header->is_placed)
    memcpy (header->place.lps, has_s ? s : q, sizeof header->place.lps);
  for (int axis = 0; axis < 4; axis++) {
    header->place.lps[0][axis] = -header->place.lps[0][axis];
    header->place.lps[1][axis] = -header->place.lps[1][axis];
  }
  for (int axis = 0; axis < 3; axis++)
    header->spacing_mm[axis]
        = known || has_s ? odl_place_step (header->place.lps, axis) : 0;
  odl_place_turn (&header->place);
}
