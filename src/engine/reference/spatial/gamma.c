// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/reference/context.h"

double
odl_reference_gamma (const StepContext *c, int x, int y)
{
  const double f = at (c, x, y);

  return copysign (pow (fabs (f), odl_step_value (c->step, "gamma")), f);
}
