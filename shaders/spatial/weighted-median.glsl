// SPDX-License-Identifier: MIT
// Of KERNEL_WIDTH * KERNEL_HEIGHT samples the least one up to which HALF of the weights are, which
// are whole numbers; each row of them begins with a vec4.
#define COUNT (KERNEL_WIDTH * KERNEL_HEIGHT)

SAMPLE of_window (ivec2 p, int k)
{
  return at (p + ivec2 (k % KERNEL_WIDTH - KERNEL_WIDTH / 2, k / KERNEL_WIDTH - KERNEL_HEIGHT / 2));
}

int weight_of (int k)
{
  int x = k % KERNEL_WIDTH, row = k / KERNEL_WIDTH * ((KERNEL_WIDTH + 3) / 4);
  return int (coefficients[row + (x >> 2)][x & 3]);
}

#define WEIGHT_OF(k) weight_of (k)
#define ZERO_WEIGHTS
#include "include/bisect.glsl"

SAMPLE filtered (ivec2 p)
{
  return bisected (p, KEY (int (HALF)));
}
