// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_bilateral (const StepContext *c, int x, int y)
{
  const int radius = c->step->side / 2;
  const double range = odl_step_value (c->step, "range");
  const double space = odl_step_value (c->step, "space");
  const double f = at (c, x, y);
  double sum = 0, weights = 0;

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      const double g = at (c, x + dx, y + dy);
      const double weight
          = exp (-space * (dx * dx + dy * dy) - range * (g - f) * (g - f));
      sum += weight * g;
      weights += weight;
    }
  return sum / weights;
}
