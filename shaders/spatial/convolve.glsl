// SPDX-License-Identifier: MIT
// True convolution with a kernel of KERNEL_WIDTH * KERNEL_HEIGHT coefficients; each of its rows
// begins with a vec4.
SAMPLE extended (ivec2 p)
{
#if BORDER == BORDER_ZERO
  ivec2 within = clamp (p, ivec2 (0), size - 1);
  return (at (within) + bias) * float (within == p);
#else
  return at (p) + bias;
#endif
}

SAMPLE filtered (ivec2 p)
{
  ivec2 first = p + ivec2 (KERNEL_WIDTH, KERNEL_HEIGHT) / 2;
  SAMPLE sum = SAMPLE (0.0);
  for (int y = 0; y < KERNEL_HEIGHT; y++)
    for (int x = 0; x < KERNEL_WIDTH; x++) {
      float coefficient = coefficients[y * ((KERNEL_WIDTH + 3) / 4) + (x >> 2)][x & 3];
      sum += coefficient * extended (first - ivec2 (x, y));
    }
  return sum - bias;
}
