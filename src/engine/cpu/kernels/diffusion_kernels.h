// SPDX-License-Identifier: MIT
// Steps of anisotropic diffusion for ODL_LANES floats in a register; variant.h says what
// they do. Sums go by pairs, so that a flipped picture gives the same ones.
#pragma once

#include "engine/cpu/kernels/patch_kernels.h"

INLINE Lanes
flow_from (const float *neighbour, Lanes f, Lanes sharpness, bool rational)
{
  const Lanes d = lanes_load (neighbour) - f, square = d * d * sharpness;

  return rational ? d / (lanes_all (1) + square) : d * exp_minus (square);
}

INLINE void
diffuse_by (const OdlCpuDiffusion *c,
            const float *const rows[3],
            float *restrict out,
            int n,
            bool rational)
{
  const Lanes sharpness = lanes_all (c->sharpness), rate = lanes_all (c->rate);

  for (int i = 0; i < n; i += ODL_LANES) {
    const float *middle = rows[1] + i;
    const Lanes f = lanes_load (middle);
    const Lanes across = flow_from (middle - 1, f, sharpness, rational)
                         + flow_from (middle + 1, f, sharpness, rational);
    const Lanes down = flow_from (rows[0] + i, f, sharpness, rational)
                       + flow_from (rows[2] + i, f, sharpness, rational);
    lanes_store_first (out + i, f + rate * (across + down), n - i);
  }
}

static void
diffuse_line (const OdlCpuDiffusion *c,
              const float *const rows[3],
              float *restrict out,
              int n)
{
  if (c->rational)
    diffuse_by (c, rows, out, n, true);
  else
    diffuse_by (c, rows, out, n, false);
}

INLINE void
speckle_shares_by (const OdlCpuSpeckle *c,
                   const float *const rows[3],
                   float *restrict out,
                   int n,
                   bool compressed)
{
  const Lanes scale = lanes_all (c->scale), one = lanes_all (1);
  const Lanes floor = lanes_all (c->floor), least = lanes_all (ODL_LEAST_FLOW);

  for (int i = 0; i < n; i += ODL_LANES) {
    const Lanes f = lanes_load (rows[1] + i);
    const Lanes left = lanes_load (rows[1] + i - 1) - f;
    const Lanes right = lanes_load (rows[1] + i + 1) - f;
    const Lanes up = lanes_load (rows[0] + i) - f, down = lanes_load (rows[2] + i) - f;
    const Lanes squares = (left * left + right * right) + (up * up + down * down);
    const Lanes laplacian = (left + right) + (up + down);
    const Lanes variance = 0.5f * squares - 0.0625f * laplacian * laplacian;
    const Lanes mean = f + 0.25f * laplacian;
    const Lanes square = compressed ? one : mean * mean;
    const Lanes share = scale * square / lanes_max (floor * square + variance, least);
    lanes_store_first (out + i, lanes_min (share, one), n - i);
  }
}

static void
speckle_shares_line (const OdlCpuSpeckle *c,
                     const float *const rows[3],
                     float *restrict out,
                     int n)
{
  if (c->compressed)
    speckle_shares_by (c, rows, out, n, true);
  else
    speckle_shares_by (c, rows, out, n, false);
}

static void
flow_line (const float *const rows[3],
           const float *own,
           const float *below,
           float rate,
           float *restrict out,
           int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    const float *middle = rows[1] + i;
    const Lanes f = lanes_load (middle);
    const Lanes right = lanes_load (own + i + 1) * (lanes_load (middle + 1) - f);
    const Lanes down = lanes_load (below + i) * (lanes_load (rows[2] + i) - f);
    const Lanes back = (lanes_load (middle - 1) - f) + (lanes_load (rows[0] + i) - f);
    lanes_store_first (out + i, f + rate * (right + down + lanes_load (own + i) * back),
                       n - i);
  }
}
