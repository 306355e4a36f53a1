// SPDX-License-Identifier: MIT
// What one offset of the search window adds to a block of non-local means. Squares are
// summed along columns while they are in registers, then along rows, so that a patch
// costs the sum of its sides. Sums are made anew for each sample: what is taken off a
// running one leaves its rounding errors behind.
#pragma once

#include "engine/cpu/kernels/exp_kernels.h"
#include "engine/cpu/kernels/variant.h"

#define GROUP 8 // rows at a time, at least the largest patch less 1
#define PATCH_STRIDE 96 // at least ODL_CPU_PATCH_COLUMNS, a patch and a vector

INLINE Lanes
patch_square (const float *a, ptrdiff_t offset, bool speckle)
{
  const Lanes one = lanes_load (a), other = lanes_load (a + offset);
  const Lanes difference = one - other;
  /* Squares are kept for the next row, so a compiler may not fuse some of them into a
   * sum. */
  const Lanes square = lanes_rounded (difference * difference);

  if (!speckle)
    return square;
  return square / lanes_max (0.5f * (one + other), lanes_all (ODL_CPU_PATCH_DARKEST));
}

// Sums of `patch` neighbours, which is constant.
INLINE void
patch_sums (const Lanes *square, int patch, Lanes *sum)
{
  Lanes pair[2 * GROUP], four[2 * GROUP] = { { 0 } };

  for (int i = 0; i < GROUP + patch - 2; i++)
    pair[i] = square[i] + square[i + 1];
  for (int i = 0; i < GROUP + patch - 4; i++)
    four[i] = pair[i] + pair[i + 2];
  for (int i = 0; i < GROUP; i++)
    sum[i] = square[i + patch - 1]
             + (patch == 3   ? pair[i]
                : patch == 5 ? four[i]
                : patch == 7 ? four[i] + pair[i + 4]
                             : four[i] + four[i + 4]);
}

INLINE void
patch_columns (const OdlCpuPatches *c,
               ptrdiff_t offset,
               int patch,
               bool speckle,
               float lines[][PATCH_STRIDE])
{
  for (int x = 0; x < ODL_CPU_PATCH_COLUMNS + patch - 1; x += ODL_LANES) {
    const float *a = c->patches + x;
    Lanes square[2 * GROUP], sum[GROUP];
    for (int k = 0; k < patch - 1; k++)
      square[k] = patch_square (a + k * c->stride, offset, speckle);
    for (int y = 0; y < c->rows; y += GROUP) {
      for (int i = 0; i < GROUP; i++)
        square[patch - 1 + i]
            = patch_square (a + (y + patch - 1 + i) * c->stride, offset, speckle);
      patch_sums (square, patch, sum);
      for (int i = 0; i < GROUP; i++)
        lanes_store (lines[y + i] + x, sum[i]);
      for (int k = 0; k < patch - 1; k++)
        square[k] = square[GROUP + k];
    }
  }
}

#define PATCH_VECTORS (ODL_CPU_PATCH_COLUMNS / ODL_LANES)

// Sums of `patch` neighbours along a line, which is constant.
#if ODL_LANES == 16 && defined __AVX512F__

// The lanes `by` to the right, which is constant; the last ones come from `following`.
#define LANES_FURTHER(value, following, by) \
  ((Lanes) _mm512_alignr_epi32 ((__m512i) (following), (__m512i) (value), by))

// Of sums of two and four, in registers: loads at every place would cross cache lines.
INLINE void
patch_line_sums (const float *line, int patch, Lanes *sum)
{
  Lanes one[PATCH_VECTORS + 2], two[PATCH_VECTORS + 2], four[PATCH_VECTORS + 1];

  for (int i = 0; i <= PATCH_VECTORS; i++)
    one[i] = lanes_load (line + i * ODL_LANES);
  one[PATCH_VECTORS + 1] = two[PATCH_VECTORS + 1] = (Lanes){ 0 };
  for (int i = 0; i <= PATCH_VECTORS; i++)
    two[i] = one[i] + LANES_FURTHER (one[i], one[i + 1], 1);
  for (int i = 0; i <= PATCH_VECTORS; i++)
    four[i] = two[i] + LANES_FURTHER (two[i], two[i + 1], 2);
  for (int i = 0; i < PATCH_VECTORS; i++)
    sum[i] = patch == 3   ? two[i] + LANES_FURTHER (one[i], one[i + 1], 2)
             : patch == 5 ? four[i] + LANES_FURTHER (one[i], one[i + 1], 4)
             : patch == 7 ? four[i]
                                + (LANES_FURTHER (two[i], two[i + 1], 4)
                                   + LANES_FURTHER (one[i], one[i + 1], 6))
                          : four[i] + LANES_FURTHER (four[i], four[i + 1], 4)
                                + LANES_FURTHER (one[i], one[i + 1], 8);
}

#else

INLINE void
patch_line_sums (const float *line, int patch, Lanes *sum)
{
  for (int i = 0; i < PATCH_VECTORS; i++) {
    sum[i] = lanes_load (line + i * ODL_LANES);
    for (int k = 1; k < patch; k++)
      sum[i] += lanes_load (line + i * ODL_LANES + k);
  }
}

#endif

INLINE void
patch_rows (const OdlCpuPatches *c, ptrdiff_t offset, int patch, bool speckle)
{
  float lines[ODL_CPU_PATCH_ROWS][PATCH_STRIDE];

  patch_columns (c, offset, patch, speckle, lines);
  for (int y = 0; y < c->rows; y++) {
    const float *samples = c->samples + y * c->stride + offset;
    float *sums = c->sums + y * ODL_CPU_PATCH_COLUMNS;
    float *weights = c->weights + y * ODL_CPU_PATCH_COLUMNS;
    Lanes distances[PATCH_VECTORS];
    patch_line_sums (lines[y], patch, distances);
    for (int x = 0; x < ODL_CPU_PATCH_COLUMNS; x += ODL_LANES) {
      const Lanes weight = exp_minus (c->factor * distances[x / ODL_LANES]);
      lanes_store (sums + x, lanes_load (sums + x) + weight * lanes_load (samples + x));
      lanes_store (weights + x, lanes_load (weights + x) + weight);
    }
  }
}

static void
add_patches (const OdlCpuPatches *c, ptrdiff_t offset)
{
#define OF_SIDE(side) \
  case side: \
    if (c->speckle) \
      patch_rows (c, offset, side, true); \
    else \
      patch_rows (c, offset, side, false); \
    break;
  switch (c->patch) {
    OF_SIDE (3)
    OF_SIDE (5)
    OF_SIDE (7)
    OF_SIDE (9)
  }
#undef OF_SIDE
}
