// SPDX-License-Identifier: MIT
// The mean of SIDE * SIDE samples, weighted by distance: the more the square varies, the nearer.
#include "include/local.glsl"
#define DARKEST (1.0 / 64.0) // what the mean counts as at least

SAMPLE filtered (ivec2 p)
{
  const int radius = SIDE / 2;
  SAMPLE mean = local_mean (p), variance = local_variance (p, mean);
  SAMPLE divisor = max (mean + bias, SAMPLE (DARKEST));
  SAMPLE alpha = DAMPING * variance / (divisor * divisor);
  SAMPLE sum = SAMPLE (0.0), weights = SAMPLE (0.0);

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      SAMPLE weight = exp (-alpha * sqrt (float (dx * dx + dy * dy)));
      sum += weight * at (p + ivec2 (dx, dy));
      weights += weight;
    }
  return sum / weights;
}
