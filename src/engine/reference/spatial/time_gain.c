// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/depth_gain.h"

double
odl_reference_time_gain (const StepContext *c, int x, int y)
{
  const double gain = odl_depth_gain (c->step->parameters.values, y, c->out->height);
  const double share = odl_step_value (c->step, "share"), f = at (c, x, y);

  if (share == 0)
    return f * pow (10, gain / 20);
  return f + gain * share * CLAMP (f / ODL_DEPTH_FOOT, 0, 1);
}
