// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_mix (const StepContext *c, int x, int y)
{
  const double weight = c->step->parameters.weight;

  return (1 - weight) * at (c, x, y) + weight * second_at (c, x, y);
}
