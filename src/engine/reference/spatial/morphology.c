// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_morphology (const StepContext *c, int x, int y)
{
  const int dx = c->step->axis == ODL_AXIS_X, dy = !dx, radius = c->step->side / 2;
  const bool greatest = odl_step_value (c->step, "greatest") != 0;
  double result = at (c, x, y);

  for (int k = -radius; k <= radius; k++) {
    const double f = at (c, x + k * dx, y + k * dy);
    result = greatest ? MAX (result, f) : MIN (result, f);
  }
  return result;
}
