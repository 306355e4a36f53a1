// SPDX-License-Identifier: MIT
// The mean of SIDE * SIDE samples, weighted by SPACE and RANGE: factors of squares in the exponent.
SAMPLE filtered (ivec2 p)
{
  const int radius = SIDE / 2;
  SAMPLE f = at (p), sum = SAMPLE (0.0), weights = SAMPLE (0.0);

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      SAMPLE g = at (p + ivec2 (dx, dy)), d = g - f;
      SAMPLE weight = exp (-(SPACE * float (dx * dx + dy * dy) + RANGE * (d * d)));
      sum += weight * g;
      weights += weight;
    }
  return sum / weights;
}
