// SPDX-License-Identifier: MIT
// The mean of the samples of the search window, weighted by how alike the patches about them are.
#define DARKEST (1.0 / 64.0) // what speckle is divided by at least

SAMPLE patches_at (ivec2 p)
{
#ifdef SECOND
  return second_at (p);
#else
  return at (p);
#endif
}

SAMPLE filtered (ivec2 p)
{
  int radius = KERNEL_WIDTH / 2, reach = SIDE / 2 - radius;
  SAMPLE sum = SAMPLE (0.0), weights = SAMPLE (0.0);

  for (int dy = -reach; dy <= reach; dy++)
    for (int dx = -reach; dx <= reach; dx++) {
      SAMPLE distance = SAMPLE (0.0);
      for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++) {
          SAMPLE a = patches_at (p + ivec2 (u, v)), b = patches_at (p + ivec2 (u + dx, v + dy));
          SAMPLE square = (a - b) * (a - b);
          distance += SPECKLE > 0.5 ? square / max (0.5 * (a + b) + bias, SAMPLE (DARKEST)) : square;
        }
      SAMPLE weight = exp (-FACTOR * distance);
      sum += weight * at (p + ivec2 (dx, dy));
      weights += weight;
    }
  return sum / weights;
}
