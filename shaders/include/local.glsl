// SPDX-License-Identifier: MIT
// Mean, less the bias, and variance of the SIDE * SIDE samples about p: one after the other, since
// the difference of two sums loses too much.
SAMPLE local_mean (ivec2 p)
{
  const int radius = SIDE / 2;
  SAMPLE sum = SAMPLE (0.0);

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++)
      sum += at (p + ivec2 (dx, dy));
  return sum / float (SIDE * SIDE);
}

SAMPLE local_variance (ivec2 p, SAMPLE mean)
{
  const int radius = SIDE / 2;
  SAMPLE sum = SAMPLE (0.0);

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      SAMPLE d = at (p + ivec2 (dx, dy)) - mean;
      sum += d * d;
    }
  return sum / float (SIDE * SIDE);
}
