// SPDX-License-Identifier: MIT
// The kernels of the dual tree for ODL_LANES floats in a register; kernels.h says what
// they do. Lines are read up to a vector beyond their end and never written there.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"

static void
quad_powers_line (float *const quad[4],
                  float *restrict first,
                  float *restrict second,
                  int n)
{
  const Lanes half = lanes_all (0.5f);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes a = lanes_load (quad[0] + i), b = lanes_load (quad[1] + i);
    const Lanes c = lanes_load (quad[2] + i), d = lanes_load (quad[3] + i);
    const Lanes re1 = a - d, im1 = b + c, re2 = a + d, im2 = b - c;
    lanes_store_first (first + i, half * (re1 * re1 + im1 * im1), n - i);
    lanes_store_first (second + i, half * (re2 * re2 + im2 * im2), n - i);
  }
}

// A constant rule.
INLINE Lanes
lanes_left (Lanes power, Lanes limit, OdlShrinkingRule rule)
{
  const Lanes size = lanes_root (power);

  return lanes_keep (size > limit, lanes_share (size, limit, rule));
}

static void
shares_line (float *power, int n, float threshold, float gain, OdlShrinkingRule rule)
{
  const Lanes limit = lanes_all (threshold);

#define SHARES_LINE(RULE) \
  for (int i = 0; i < n; i += ODL_LANES) \
  lanes_store_first (power + i, gain * lanes_left (lanes_load (power + i), limit, RULE), \
                     n - i)
  BY_RULE (rule, SHARES_LINE)
}

static void
bivariate_shares_line (float *power,
                       const float *mean,
                       const float *parent,
                       int n,
                       float noise,
                       float weight)
{
  const Lanes limit = lanes_all (__builtin_sqrtf (3) * noise), zero = { 0 };

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes square = lanes_load (power + i) + weight * lanes_load (parent + i);
    const Lanes signal = lanes_max (0.5f * lanes_load (mean + i) - noise, zero);
    const Lanes size = lanes_root (square) * lanes_root (signal);
    lanes_store_first (power + i, lanes_keep (size > limit, (size - limit) / size),
                       n - i);
  }
}

static void
quad_scale_line (float *const quad[4], const float *first, const float *second, int n)
{
  const Lanes half = lanes_all (0.5f);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes a = lanes_load (quad[0] + i), b = lanes_load (quad[1] + i);
    const Lanes c = lanes_load (quad[2] + i), d = lanes_load (quad[3] + i);
    const Lanes w1 = half * lanes_load (first + i), w2 = half * lanes_load (second + i);
    const Lanes re1 = w1 * (a - d), im1 = w1 * (b + c);
    const Lanes re2 = w2 * (a + d), im2 = w2 * (b - c);
    lanes_store_first (quad[0] + i, re2 + re1, n - i);
    lanes_store_first (quad[1] + i, im1 + im2, n - i);
    lanes_store_first (quad[2] + i, im1 - im2, n - i);
    lanes_store_first (quad[3] + i, re2 - re1, n - i);
  }
}
