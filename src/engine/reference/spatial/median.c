// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

// Tukey, "Exploratory data analysis" (1977): the middle one of the sorted samples.
double
odl_reference_median (const StepContext *c, int x, int y)
{
  const int radius = c->step->side / 2;
  double values[ODL_PLAN_MAX_SIDE * ODL_PLAN_MAX_SIDE] = { 0 };
  int n = 0;

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++)
      values[n++] = at (c, x + dx, y + dy);
  qsort (values, n, sizeof *values, odl_order_doubles);
  return values[n / 2];
}
