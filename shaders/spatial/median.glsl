// SPDX-License-Identifier: MIT
// Median of SIDE * SIDE samples, by the two algorithms of src/engine/cpu/kernels/median_kernels.h, which
// cites their sources.
#define COUNT (SIDE * SIDE)

SAMPLE of_window (ivec2 p, int k)
{
  return at (p + ivec2 (k % SIDE, k / SIDE) - SIDE / 2);
}

// Larger arrays are slow in draw calls, and dispatches have median_network.comp.
#if SIDE == 3
#define KEPT (COUNT / 2 + 2)

// Forgetful selection.
SAMPLE filtered (ivec2 p)
{
  SAMPLE value[KEPT];
  for (int k = 0; k < KEPT; k++)
    value[k] = of_window (p, k);
  for (int left = KEPT; left >= 3; left--) {
    for (int k = 1; k < left; k++) { // the smallest comes first
      SAMPLE low = min (value[0], value[k]);
      value[k] = max (value[0], value[k]);
      value[0] = low;
    }
    for (int k = 1; k < left - 1; k++) { // the largest comes last
      SAMPLE high = max (value[k], value[left - 1]);
      value[k] = min (value[k], value[left - 1]);
      value[left - 1] = high;
    }
    if (left > 3)
      value[0] = of_window (p, COUNT + 3 - left);
  }
  return value[1];
}
#else
#define WEIGHT_OF(k) 1
#include "include/bisect.glsl"

SAMPLE filtered (ivec2 p)
{
  return bisected (p, KEY (COUNT / 2 + 1));
}
#endif
