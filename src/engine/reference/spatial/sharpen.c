// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_sharpen (const StepContext *c, int x, int y)
{
  const int neighbours = (int) odl_step_value (c->step, "neighbours");
  double laplacian = -neighbours * at (c, x, y);

  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if ((dx != 0 || dy != 0) && (neighbours == 8 || dx == 0 || dy == 0))
        laplacian += at (c, x + dx, y + dy);
  return at (c, x, y) - odl_step_value (c->step, "amount") * laplacian;
}
