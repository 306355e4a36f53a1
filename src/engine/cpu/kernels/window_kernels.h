// SPDX-License-Identifier: MIT
// Weighted means of windows; their sums stay in registers.
#pragma once

#include "engine/cpu/kernels/exp_kernels.h"
#include "engine/cpu/kernels/variant.h"

INLINE void
weigh_any (const OdlCpuWindow *c, float *restrict out, int n, bool steep)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes centre = lanes_load (c->centre + i);
    const Lanes steepness = steep ? lanes_load (c->steepness + i) : lanes_all (1);
    Lanes sum = { 0 }, weights = { 0 };
    for (int k = 0; k < c->samples; k++) {
      const Lanes g = lanes_load (c->window[k] + i), d = g - centre;
      const Lanes weight = exp_minus (steep ? c->distances[k] * steepness
                                            : c->distances[k] + c->factor * (d * d));
      sum += weight * g;
      weights += weight;
    }
    lanes_store_first (out + i, sum / weights, n - i);
  }
}

static void
weigh_line (const OdlCpuWindow *c, float *restrict out, int n)
{
  if (c->steepness != NULL)
    weigh_any (c, out, n, true);
  else
    weigh_any (c, out, n, false);
}
