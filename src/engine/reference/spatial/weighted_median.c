// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

typedef struct {
  double value, weight;
} Weighted;

static int
compare_values (const void *a, const void *b)
{
  return odl_order_doubles (&((const Weighted *) a)->value,
                            &((const Weighted *) b)->value);
}

double
odl_reference_weighted_median (const StepContext *c, int x, int y)
{
  const OdlStep *step = c->step;
  const int width = step->kernel_width, n = width * step->kernel_height;
  const double half = odl_step_value (step, "half");
  Weighted all[ODL_PLAN_MAX_KERNEL * ODL_PLAN_MAX_KERNEL] = { { 0 } };
  double sum = 0;
  int i = 0;

  for (int k = 0; k < n; k++)
    all[k] = (Weighted){ at (c, x + k % width - width / 2,
                             y + k / width - step->kernel_height / 2),
                         (double) step->parameters.kernel[k] };
  qsort (all, (size_t) n, sizeof *all, compare_values);
  for (; i < n - 1 && sum + all[i].weight < half; i++)
    sum += all[i].weight;
  return all[i].value;
}
