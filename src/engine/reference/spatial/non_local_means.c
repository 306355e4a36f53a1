// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

#define DARKEST (1 / 64.0) // what speckle is divided by at least

static double
patches_at (const StepContext *c, int x, int y)
{
  return c->second != NULL ? second_at (c, x, y) : at (c, x, y);
}

static double
distance (const StepContext *c, int x, int y, int dx, int dy, int radius)
{
  const bool speckle = odl_step_value (c->step, "speckle") != 0;
  double sum = 0;

  for (int v = y - radius; v <= y + radius; v++)
    for (int u = x - radius; u <= x + radius; u++) {
      const double a = patches_at (c, u, v), b = patches_at (c, u + dx, v + dy);
      sum += (a - b) * (a - b) / (speckle ? fmax ((a + b) / 2, DARKEST) : 1);
    }
  return sum;
}

double
odl_reference_non_local_means (const StepContext *c, int x, int y)
{
  const int patch = c->step->kernel_width;
  const int reach = (c->step->side - patch) / 2;
  const double factor = odl_step_value (c->step, "factor");
  double sum = 0, weights = 0;

  for (int dy = -reach; dy <= reach; dy++)
    for (int dx = -reach; dx <= reach; dx++) {
      const double weight = exp (-factor * distance (c, x, y, dx, dy, patch / 2));
      sum += weight * at (c, x + dx, y + dy);
      weights += weight;
    }
  return sum / weights;
}
