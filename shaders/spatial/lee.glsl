// SPDX-License-Identifier: MIT
// The mean, and the more of the sample's distance to it the more the square varies beyond NOISE and
// SPECKLE; src/plan/spatial/lee.c has the formula.
#include "include/local.glsl"

SAMPLE filtered (ivec2 p)
{
  SAMPLE mean = local_mean (p), variance = local_variance (p, mean);
  SAMPLE square = (mean + bias) * (mean + bias);
  SAMPLE excess = max (variance - (NOISE + SPECKLE * square), SAMPLE (0.0));
  SAMPLE divisor = VARIANCE_SHARE * variance + MEAN_SHARE * square;

  return mean + excess / max (divisor, SAMPLE (1e-30)) * (at (p) - mean);
}
