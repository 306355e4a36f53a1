// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/compression.h"

double
odl_reference_log_compress (const StepContext *c, int x, int y)
{
  const double amplitude = odl_step_value (c->step, "times") * at (c, x, y);

  return CLAMP (1
                    + odl_step_value (c->step, "slope")
                          * log2 (fmax (amplitude, ODL_LEAST_AMPLITUDE)),
                0, 1);
}
