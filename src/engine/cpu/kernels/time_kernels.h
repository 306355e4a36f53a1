// SPDX-License-Identifier: MIT
// The kernels of steps over time, but for the median, for ODL_LANES floats in a register;
// kernels.h says what they do. Lines are read up to a vector beyond their end and never
// written there.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"

static void
distance_line (const float *const *a,
               const float *const *b,
               int count,
               float *restrict out,
               int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes sum = { 0 };
    for (int k = 0; k < count; k++) {
      const Lanes difference = lanes_load (a[k] + i) - lanes_load (b[k] + i);
      sum += lanes_max (difference, -difference);
    }
    lanes_store_first (out + i, sum, n - i);
  }
}

static void
follow_line (const OdlCpuGate *gate,
             const float *sums,
             const float *x,
             const float *before,
             float *restrict out,
             int n)
{
  const Lanes zero = { 0 }, one = lanes_all (1);
  const Lanes gain = lanes_all (gate->gain), weight = lanes_all (gate->weight);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes earlier = lanes_load (before + i);
    Lanes sum = lanes_load (sums + i);
    for (int k = 1; k < gate->count; k++)
      sum += lanes_load (sums + i + k);
    const Lanes moving = lanes_min (lanes_max (gain * sum - one, zero), one);
    const Lanes w = weight + (one - weight) * moving;
    lanes_store_first (out + i, earlier + w * (lanes_load (x + i) - earlier), n - i);
  }
}
