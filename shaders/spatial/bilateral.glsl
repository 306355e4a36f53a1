// SPDX-License-Identifier: MIT
// The mean of SIDE * SIDE samples of KERNEL_DEPTH slices, weighted by SPACE and RANGE: factors of squares in the exponent.
#if KERNEL_DEPTH == 1
#define at_slice(p, dz) at (p)
#endif

SAMPLE filtered (ivec2 p)
{
  const int radius = SIDE / 2;
  SAMPLE f = at (p), sum = SAMPLE (0.0), weights = SAMPLE (0.0);

  for (int dz = -(KERNEL_DEPTH / 2); dz <= KERNEL_DEPTH / 2; dz++)
    for (int dy = -radius; dy <= radius; dy++)
      for (int dx = -radius; dx <= radius; dx++) {
        SAMPLE g = at_slice (p + ivec2 (dx, dy), dz), d = g - f;
        SAMPLE weight = exp (-(SPACE * float (dx * dx + dy * dy + dz * dz) + RANGE * (d * d)));
        sum += weight * g;
        weights += weight;
      }
  return sum / weights;
}
