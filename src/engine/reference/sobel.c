// SPDX-License-Identifier: MIT
// Sobel's gradient, as plan/step.h says.
#include "engine/reference/context.h"

// Weights −1 0 1 along x, 1 2 1 along y, or the other way round.
static double
slope (const double *picture,
       const OdlSlot *slot,
       int x,
       int y,
       bool along_x,
       double unit)
{
  double sum = 0;

  for (int across = -1; across <= 1; across++)
    for (int along = -1; along <= 1; along += 2) {
      const int dx = along_x ? along : across, dy = along_x ? across : along;
      const double f = fetch (picture, slot, x + dx, y + dy);
      sum += (along * (2 - ABS (across))) * (unit > 0 ? round (f / unit) : f);
    }
  return sum;
}

void
odl_reference_sobel (const StepContext *c)
{
  const double unit = c->step->parameters.unit;
  const bool direction = c->step->parameters.direction;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const double h = slope (from, c->out, x, y, true, unit);
        const double v = slope (from, c->out, x, y, false, unit);
        const double turn = atan2 (v, h) / (2 * M_PI);
        const double magnitude = sqrt (v * v + h * h);
        if (direction)
          *to++ = v == 0 && h == 0 ? 0 : turn < 0 ? turn + 1 : turn;
        else if (unit > 0) // single precision, as scaled samples have
          *to++ = (float) MIN (floor (magnitude), round (1 / unit)) * (float) unit;
        else
          *to++ = magnitude;
      }
  }
}
