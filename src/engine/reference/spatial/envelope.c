// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/hilbert.h"

double
odl_reference_envelope (const StepContext *c, int x, int y)
{
  const int length = c->step->side;
  const double own = at (c, x, y) - odl_step_value (c->step, "zero");
  double turned = 0;

  for (int k = 1; k <= length / 2; k += 2)
    turned += odl_hilbert_tap (length, k) * (at (c, x, y - k) - at (c, x, y + k));
  return hypot (own, turned);
}
