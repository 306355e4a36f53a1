// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/scan.h"

// The place of a pixel in columns and rows of the beams.
static OdlBeamsPoint
find (const OdlStep *step, int x, int y)
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
  return at >= -ODL_SCAN_EDGE && at <= n - 1 + ODL_SCAN_EDGE;
}

static double
bilinear (const double *beams, const OdlSlot *slot, OdlBeamsPoint at)
{
  const double x = CLAMP (at.x, 0, slot->width - 1);
  const double y = CLAMP (at.y, 0, slot->height - 1);
  const int left = MIN ((int) x, slot->width - 2), top = MIN ((int) y, slot->height - 2);
  const double *f = beams + (size_t) top * slot->width + left;
  const double *below = f + slot->width;
  const double u = x - left, v = y - top;

  return (1 - v) * ((1 - u) * f[0] + u * f[1]) + v * ((1 - u) * below[0] + u * below[1]);
}

void
odl_reference_scan_convert (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *beams = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const OdlBeamsPoint at = find (c->step, x, y);
        *to++ = is_within (at.x, in->width) && is_within (at.y, in->height)
                    ? bilinear (beams, in, at)
                    : 0;
      }
  }
}
