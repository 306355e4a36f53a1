// SPDX-License-Identifier: MIT
#include "engine/reference/local.h"

#define DARKEST (1 / 64.0) // what the mean counts as at least

double
odl_reference_frost (const StepContext *c, int x, int y)
{
  const int radius = c->step->side / 2;
  const LocalStatistics local = local_statistics (c, x, y);
  const double mean = fmax (local.mean, DARKEST);
  const double alpha
      = odl_step_value (c->step, "damping") * local.variance / (mean * mean);
  double sum = 0, weights = 0;

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      const double weight = exp (-alpha * sqrt (dx * dx + dy * dy));
      sum += weight * at (c, x + dx, y + dy);
      weights += weight;
    }
  return sum / weights;
}
