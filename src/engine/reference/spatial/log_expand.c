// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_log_expand (const StepContext *c, int x, int y)
{
  return odl_step_value (c->step, "times")
         * exp2 (odl_step_value (c->step, "slope") * (at (c, x, y) - 1));
}
