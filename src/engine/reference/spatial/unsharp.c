// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "filter/shrinking.h"

double
odl_reference_unsharp (const StepContext *c, int x, int y)
{
  const double f = at (c, x, y), d = f - second_at (c, x, y);

  return f
         + odl_step_value (c->step, "amount")
               * odl_shrink (d, odl_step_value (c->step, "threshold"), ODL_SHRINK_SOFT);
}
