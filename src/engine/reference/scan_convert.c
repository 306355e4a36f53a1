// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/reference/context.h"
#include "plan/scan.h"

// The place of a sample of the beams in columns and rows of the picture.
static OdlBeamsPoint
find_in_picture (const OdlStep *step, int column, int row)
{
  const double *v = step->parameters.values;
  const bool curved = step->rule - ODL_SCAN_BACK == ODL_BEAMS_CURVILINEAR;
  const double at = v[ODL_SCAN_FIRST] + v[ODL_SCAN_COLUMN_STEP] * column;
  const double depth = v[ODL_SCAN_ORIGIN] + v[ODL_SCAN_ROW_STEP] * row;
  const double angle = curved ? at : v[ODL_SCAN_STEERING];
  const double x_mm = depth * sin (angle) + (curved ? 0 : at);
  const double y_mm = depth * cos (angle);

  return (OdlBeamsPoint){ (x_mm - v[ODL_SCAN_LEFT]) / v[ODL_SCAN_PIXEL],
                          (y_mm - v[ODL_SCAN_TOP]) / v[ODL_SCAN_PIXEL] };
}

// The place of a pixel in columns and rows of the beams.
static OdlBeamsPoint
find_in_beams (const OdlStep *step, int x, int y)
{
  const double *v = step->parameters.values;
  const double x_mm = v[ODL_SCAN_LEFT] + v[ODL_SCAN_PIXEL] * x;
  const double y_mm = v[ODL_SCAN_TOP] + v[ODL_SCAN_PIXEL] * y;
  const bool curved = step->rule == ODL_BEAMS_CURVILINEAR;
  const double at
      = curved ? atan2 (x_mm, y_mm) : x_mm - y_mm * tan (v[ODL_SCAN_STEERING]);
  const double depth = curved ? hypot (x_mm, y_mm) : y_mm / cos (v[ODL_SCAN_STEERING]);

  return (OdlBeamsPoint){ (at - v[ODL_SCAN_FIRST]) / v[ODL_SCAN_COLUMN_STEP],
                          (depth - v[ODL_SCAN_ORIGIN]) / v[ODL_SCAN_ROW_STEP] };
}

static bool
is_within (double at, int n)
{
  return at >= -ODL_BEAM_PICTURE_EDGE && at <= n - 1 + ODL_BEAM_PICTURE_EDGE;
}

static double
sinc (double t)
{
  return t == 0 ? 1 : sin (G_PI * t) / (G_PI * t);
}

// The weight of a neighbour at the distance t, one of `side` along an axis.
static double
weight (int side, double t)
{
  if (side == 2)
    return MAX (1 - fabs (t), 0);
  return fabs (t) < side / 2 ? sinc (t) * sinc (t / (side / 2)) : 0;
}

// What the neighbours are at a place within the grid.
static double
between (const double *samples, const OdlSlot *slot, int side, OdlBeamsPoint at)
{
  const double x = CLAMP (at.x, 0, slot->width - 1);
  const double y = CLAMP (at.y, 0, slot->height - 1);
  const int left = (int) x - side / 2 + 1, top = (int) y - side / 2 + 1;
  double sum = 0, weights = 0;

  for (int row = top; row < top + side; row++)
    for (int column = left; column < left + side; column++) {
      const double own = weight (side, y - row) * weight (side, x - column);
      sum += own
             * samples[(size_t) CLAMP (row, 0, slot->height - 1) * slot->width
                       + CLAMP (column, 0, slot->width - 1)];
      weights += own;
    }
  return sum / weights;
}

void
odl_reference_scan_convert (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  const bool back = c->step->rule > ODL_SCAN_BACK;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const OdlBeamsPoint at
            = back ? find_in_picture (c->step, x, y) : find_in_beams (c->step, x, y);
        *to++ = is_within (at.x, in->width) && is_within (at.y, in->height)
                    ? between (from, in, c->step->side, at)
                    : 0;
      }
  }
}
