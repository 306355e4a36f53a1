// SPDX-License-Identifier: MIT
// With a SIDE, how much of itself a square keeps; without, twice the product of both pictures,
// INVERSE of the first one and of 1 less the second one.
#if SIDE > 0
#include "include/local.glsl"

SAMPLE filtered (ivec2 p)
{
  SAMPLE variance = local_variance (p, local_mean (p));
  return variance / max (variance + EPS, SAMPLE (1e-30)) - bias;
}
#else
SAMPLE filtered (ivec2 p)
{
  SAMPLE g = second_at (p) + bias;
  return 2.0 * (at (p) + bias) * (INVERSE > 0.5 ? 1.0 - g : g) - bias;
}
#endif
