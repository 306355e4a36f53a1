// SPDX-License-Identifier: MIT
#include "decoder/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/vector.h"
#include "image/volume/directions.h"
#include "image/volume/stack.h"

#define MM_MAX 1e6
#define FAR_MM 1e9
// A matrix whose axes span less of the unit cube is singular.
#define LEAST_VOLUME 1e-4
// Fraction of a voxel by which two places may differ.
#define SAME_PLACE 0.1

double
odl_place_step (const double m[3][4], int axis)
{
  return sqrt (m[0][axis] * m[0][axis] + m[1][axis] * m[1][axis]
               + m[2][axis] * m[2][axis]);
}

// Share of the unit cube that the three directions span.
static double
span (const double m[3][4])
{
  const double size
      = odl_place_step (m, 0) * odl_place_step (m, 1) * odl_place_step (m, 2);
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                     - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                     + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);

  return size > 0 ? fabs (det) / size : 0;
}

bool
odl_place_is_sane (const double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 4; axis++)
      if (!(fabs (m[row][axis]) < FAR_MM))
        return false;
  for (int axis = 0; axis < 3; axis++)
    if (!(odl_place_step (m, axis) > 1 / MM_MAX && odl_place_step (m, axis) <= MM_MAX))
      return false;
  return span (m) > LEAST_VOLUME;
}

bool
odl_place_differs (const double a[3][4], const double b[3][4], const uint32_t extent[3])
{
  const double voxel
      = fmin (odl_place_step (a, 0), fmin (odl_place_step (a, 1), odl_place_step (a, 2)));

  for (int corner = 0; corner < 8; corner++)
    for (int row = 0; row < 3; row++) {
      double difference = a[row][3] - b[row][3];
      for (int axis = 0; axis < 3; axis++)
        if ((corner >> axis & 1) != 0)
          difference += (a[row][axis] - b[row][axis]) * (extent[axis] - 1);
      if (fabs (difference) > SAME_PLACE * voxel)
        return true;
    }
  return false;
}

void
odl_place_turn (OdlPlace *place)
{
  double leads[3][3];
  int8_t nearest[3];
  int body[3];
  bool backwards[3];

  for (int axis = 0; axis < 3; axis++)
    for (int row = 0; row < 3; row++)
      leads[axis][row] = place->lps[row][axis];
  odl_directions_nearest (leads, nearest);
  for (int axis = 0; axis < 3; axis++) {
    body[axis] = MAX (abs (nearest[axis]) - 1, 0);
    backwards[axis] = nearest[axis] < 0;
  }
  odl_directions_word (nearest, place->letters);
  const bool is_flat = place->extent[2] == 1;
  if (is_flat) {
    place->axis[0] = body[0] < body[1] ? 0 : 1;
    place->axis[1] = 1 - place->axis[0];
    place->axis[2] = 2;
  } else {
    for (int axis = 0; axis < 3; axis++)
      place->axis[body[axis]] = axis;
  }
  for (int shown = 0; shown < 3; shown++)
    place->mirrored[shown] = backwards[place->axis[shown]];
  if (is_flat && body[place->axis[1]] == 2)
    place->mirrored[1] = !place->mirrored[1];
}

void
odl_place_keep (OdlPlace *place)
{
  for (int axis = 0; axis < 3; axis++) {
    place->axis[axis] = axis;
    place->mirrored[axis] = false;
  }
}

bool
odl_place_turn_to_transducer (OdlPlace *place, const char *orientation)
{
  static const char *const ends[3] = { "MU", "FN", "AD" };
  int found = 0, n = 0;

  odl_place_keep (place);
  for (; n < 3 && orientation[n] != '\0'; n++)
    for (int shown = 0; shown < 3; shown++) {
      const char *end = strchr (ends[shown], g_ascii_toupper (orientation[n]));
      if (end == NULL)
        continue;
      found |= 1 << shown;
      place->axis[shown] = n;
      // Of pictures the third letter says nothing.
      place->mirrored[shown] = end != ends[shown] && place->extent[n] > 1;
    }
  const bool is_turn = orientation[MIN (n, 3)] == '\0' && found == (n == 3 ? 7 : 3);
  if (!is_turn)
    odl_place_keep (place);
  return is_turn;
}

int64_t
odl_place_origin (const OdlPlace *place, int64_t step[3])
{
  const int64_t stride[3]
      = { 1, place->extent[0], (int64_t) place->extent[0] * place->extent[1] };
  int64_t origin = 0;

  for (int shown = 0; shown < 3; shown++) {
    const int axis = place->axis[shown];
    step[shown] = place->mirrored[shown] ? -stride[axis] : stride[axis];
    if (place->mirrored[shown])
      origin += stride[axis] * (place->extent[axis] - 1);
  }
  return origin;
}

static void
describe_numbers (OdlPicture *picture, const char *key, const double *numbers, int n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  // Neither rotations of 1e-18 nor −0.
  for (int i = 0; i < n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (number, sizeof number, "%.12g",
                     round (numbers[i] * 1e9) / 1e9 + 0.0);
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "", number);
  }
  odl_picture_detail (picture, key, "%s", text->str);
}

void
odl_place_tell_tilt (OdlPicture *picture, double degrees)
{
  if (degrees <= 0)
    return;
  describe_numbers (picture, "gantry-tilt", &degrees, 1);
  odl_picture_warn (picture,
                    _ ("gantry tilt of %.1f°: planes across its slices, and the "
                       "rendered view, are slanted by as much"),
                    degrees);
}

// Axes are sheared by a tilted gantry, or by whoever laid one volume over another.
static void
describe_angles (const double step[3][3], OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;
  double normal[3], down[3];

  odl_cross (step[0], step[1], normal);
  odl_cross (normal, step[0], down);
  const double skew = odl_stack_tilt_degrees (step[1], down);
  if (skew > 0)
    odl_picture_warn (picture,
                      _ ("its rows and columns are %.1f° off a right angle: lengths and "
                         "angles are as wrong"),
                      skew);
  const double tilt = reply->n_slices > 1 ? odl_stack_tilt_degrees (step[2], normal) : 0;
  odl_place_tell_tilt (picture, tilt);
  if (tilt > 0)
    reply->spacing_mm[2] *= cos (tilt * G_PI / 180);
}

void
odl_place_describe (const OdlPlace *place, OdlPicture *picture)
{
  double at[3], step[3][3], cosines[6];

  for (int row = 0; row < 3; row++) {
    at[row] = place->lps[row][3];
    for (int shown = 0; shown < 3; shown++) {
      const int axis = place->axis[shown];
      const double sign = place->mirrored[shown] ? -1 : 1;
      step[shown][row] = sign * place->lps[row][axis];
      if (place->mirrored[shown])
        at[row] += place->lps[row][axis] * (place->extent[axis] - 1.0);
    }
  }
  for (int i = 0; i < 6; i++) {
    const double *leads = step[i / 3];
    cosines[i] = leads[i % 3]
                 / sqrt (leads[0] * leads[0] + leads[1] * leads[1] + leads[2] * leads[2]);
  }
  odl_picture_detail (picture, "orientation", "%s", place->letters);
  describe_numbers (picture, "image-position", at, 3);
  describe_numbers (picture, "image-orientation", cosines, 6);
  describe_numbers (picture, "slice-step", step[2], 3);
  describe_angles (step, picture);
}
