// SPDX-License-Identifier: MIT
// As plan/spatial/sobel.c says.
#include "engine/reference/context.h"

// Weights −1 0 1 along x, 1 2 1 along y, or the other way round.
static double
slope (const StepContext *c, int x, int y, bool along_x)
{
  const double unit = c->step->parameters.unit;
  double sum = 0;

  for (int across = -1; across <= 1; across++)
    for (int along = -1; along <= 1; along += 2) {
      const int dx = along_x ? along : across, dy = along_x ? across : along;
      const double f = at (c, x + dx, y + dy);
      sum += (along * (2 - ABS (across))) * (unit > 0 ? round (f / unit) : f);
    }
  return sum;
}

double
odl_reference_sobel (const StepContext *c, int x, int y)
{
  const double unit = c->step->parameters.unit;
  const double h = slope (c, x, y, true), v = slope (c, x, y, false);
  const double turn = atan2 (v, h) / (2 * M_PI);
  const double magnitude = sqrt (v * v + h * h);

  if (odl_step_value (c->step, "direction") != 0)
    return v == 0 && h == 0 ? 0 : turn < 0 ? turn + 1 : turn;
  if (unit > 0) // single precision, as scaled samples have
    return (float) MIN (floor (magnitude), round (1 / unit)) * (float) unit;
  return magnitude;
}
