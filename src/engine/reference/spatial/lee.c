// SPDX-License-Identifier: MIT
#include "engine/reference/local.h"

double
odl_reference_lee (const StepContext *c, int x, int y)
{
  const LocalStatistics local = local_statistics (c, x, y);
  const double square = local.mean * local.mean;
  const double excess = local.variance - odl_step_value (c->step, "noise")
                        - odl_step_value (c->step, "speckle") * square;
  const double divisor = odl_step_value (c->step, "variance_share") * local.variance
                         + odl_step_value (c->step, "mean_share") * square;

  return local.mean + (excess > 0 ? excess / divisor * (at (c, x, y) - local.mean) : 0);
}
