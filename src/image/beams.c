// SPDX-License-Identifier: MIT
#include "image/beams.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"

// Beams of an array are no more than so far apart.
#define MOST_MM 10000.0

static bool
is_within (double value, double least, double most)
{
  return isfinite (value) && value >= least && value <= most;
}

bool
odl_beams_are_sound (const OdlBeams *beams, int columns, int rows)
{
  const double last = beams->first + beams->step * (columns - 1);
  const bool curved = beams->array == ODL_BEAMS_CURVILINEAR;
  const double most = curved ? G_PI : MOST_MM;

  return (curved || beams->array == ODL_BEAMS_LINEAR) && columns >= 2 && rows >= 2
         && is_within (beams->radius_mm, 0, MOST_MM)
         && is_within (beams->first, -most, most) && is_within (last, -most, most)
         && beams->step > 0
         && is_within (beams->steering, curved ? 0 : -G_PI / 3, curved ? 0 : G_PI / 3)
         && is_within (beams->start_mm, 0, MOST_MM) && beams->sample_mm > 0
         && is_within (beams->sample_mm * (rows - 1), 0, MOST_MM);
}

OdlBeamsPoint
odl_beams_place (const OdlBeams *beams, double column, double row)
{
  const double at = beams->first + beams->step * column;
  const double depth = beams->start_mm + beams->sample_mm * row;

  if (beams->array == ODL_BEAMS_LINEAR)
    return (OdlBeamsPoint){ at + depth * sin (beams->steering),
                            depth * cos (beams->steering) };
  return (OdlBeamsPoint){ (beams->radius_mm + depth) * sin (at),
                          (beams->radius_mm + depth) * cos (at) - beams->radius_mm };
}

OdlBeamsPoint
odl_beams_find (const OdlBeams *beams, double x_mm, double y_mm)
{
  double at, depth;

  if (beams->array == ODL_BEAMS_LINEAR) {
    depth = y_mm / cos (beams->steering);
    at = x_mm - y_mm * tan (beams->steering);
  } else {
    depth = hypot (x_mm, y_mm + beams->radius_mm) - beams->radius_mm;
    at = atan2 (x_mm, y_mm + beams->radius_mm);
  }
  return (OdlBeamsPoint){ (at - beams->first) / beams->step,
                          (depth - beams->start_mm) / beams->sample_mm };
}

static void
include (OdlBeamsBox *box, OdlBeamsPoint point)
{
  box->left = MIN (box->left, point.x);
  box->right = MAX (box->right, point.x);
  box->top = MIN (box->top, point.y);
  box->bottom = MAX (box->bottom, point.y);
}

// The corners, and of arcs the places where they are farthest along an axis.
OdlBeamsBox
odl_beams_box (const OdlBeams *beams, int columns, int rows)
{
  OdlBeamsBox box = { INFINITY, INFINITY, -INFINITY, -INFINITY };

  for (int row = 0; row < rows; row += rows - 1) {
    include (&box, odl_beams_place (beams, 0, row));
    include (&box, odl_beams_place (beams, columns - 1, row));
    for (int turn = -2; turn <= 2 && beams->array == ODL_BEAMS_CURVILINEAR; turn++) {
      const double column = (turn * G_PI / 2 - beams->first) / beams->step;
      if (column > 0 && column < columns - 1)
        include (&box, odl_beams_place (beams, column, row));
    }
  }
  return box;
}

const char *
odl_beams_array_name (const OdlBeams *beams)
{
  return beams->array == ODL_BEAMS_CURVILINEAR ? "curvilinear"
         : beams->array == ODL_BEAMS_LINEAR    ? "linear"
                                               : "";
}

static char *
number (double value)
{
  char digits[32];

  return odl_text_with_minus (
      g_strdup (g_ascii_formatd (digits, sizeof digits, "%.4g", value)));
}

char *
odl_beams_to_text (const OdlBeams *beams, int columns)
{
  const bool curved = beams->array == ODL_BEAMS_CURVILINEAR;
  const double unit = curved ? 180 / G_PI : 1;
  const double last = beams->first + beams->step * (columns - 1);
  g_autofree char *from = number (beams->first * unit), *to = number (last * unit);
  g_autofree char *sample = number (beams->sample_mm), *start = number (beams->start_mm);
  g_autofree char *radius = number (beams->radius_mm);
  g_autofree char *steering = number (beams->steering * 180 / G_PI);

  if (beams->array == ODL_BEAMS_NONE)
    return NULL;
  if (curved)
    return g_strdup_printf (
        // Translators: a radius; two angles; the length of a sample, and where they
        // begin.
        _ ("curvilinear array, radius %s mm, %s° to %s°, samples of %s mm from %s mm on"),
        radius, from, to, sample, start);
  return g_strdup_printf (
      // Translators: two places and an angle; the length of a sample, and where they
      // begin.
      _ ("linear array, %s mm to %s mm, steered by %s°, samples of %s mm from %s mm on"),
      from, to, steering, sample, start);
}
