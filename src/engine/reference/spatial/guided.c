// SPDX-License-Identifier: MIT
#include "engine/reference/local.h"

double
odl_reference_guided (const StepContext *c, int x, int y)
{
  if (c->step->side == 0) {
    const double g = second_at (c, x, y);
    return 2 * at (c, x, y) * (odl_step_value (c->step, "inverse") != 0 ? 1 - g : g);
  }
  const double variance = local_statistics (c, x, y).variance;
  return variance > 0 ? variance / (variance + odl_step_value (c->step, "eps")) : 0;
}
