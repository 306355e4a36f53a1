// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/reference/context.h"

double
odl_reference_multi_scale_contrast (const StepContext *c, int x, int y)
{
  const double ample = odl_step_value (c->step, "ample");
  const double gate = odl_step_value (c->step, "gate");
  const double g = second_at (c, x, y), d = at (c, x, y) - g, square = d * d;
  const double gain = pow (ample / fmax (fabs (d), ample / 32),
                           1 - odl_step_value (c->step, "exponent"));

  return g + d * (1 + square / fmax (square + gate * gate, 1e-30) * (gain - 1));
}
