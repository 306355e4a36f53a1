// SPDX-License-Identifier: MIT
// Convolution of rows with a kernel of any size: the sums of some rows and vectors stay
// in registers while the lines above them pass, so that each load serves several sums.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"

// AVX-512 has twice the registers.
#define CONVOLVE_VECTORS (ODL_LANES == 16 ? 4 : 2)
#define MOST_CONVOLVE_VECTORS 4

// What one slice adds to the sums.
typedef struct {
  const float *const *lines;
  const float *kernel;
  int width, height;
} Slice;

INLINE Slice
slice_at (const OdlCpuConvolution *c, int z, int rows)
{
  return (Slice){ c->lines + z * (rows + c->height - 1),
                  c->kernel + z * c->width * c->height, c->width, c->height };
}

// What one line adds to the sums of row `row`.
INLINE void
convolve_row (const Slice *c, int line, int row, int at, int vectors, Lanes *sum)
{
  const float *taps = c->kernel + (line - row) * c->width;

  if (line < row || line - row >= c->height)
    return;
  for (int x = 0; x < c->width; x++)
    for (int v = 0; v < vectors; v++)
      sum[v] += taps[x] * lanes_load (c->lines[line] + at + x + v * ODL_LANES);
}

// Likewise of rows first … end − 1, all of which it meets; these are constant.
INLINE void
convolve_rows (const Slice *c,
               int line,
               int first,
               int end,
               int at,
               int vectors,
               Lanes sums[][MOST_CONVOLVE_VECTORS])
{
  const float *samples = c->lines[line] + at;
  const float *taps = c->kernel + line * c->width;

  for (int x = 0; x < c->width; x++) {
    Lanes sample[MOST_CONVOLVE_VECTORS];
    for (int v = 0; v < vectors; v++)
      sample[v] = lanes_load (samples + x + v * ODL_LANES);
    for (int r = first; r < end; r++)
      for (int v = 0; v < vectors; v++)
        sums[r][v] += taps[x - r * c->width] * sample[v];
  }
}

// `rows` and `vectors` are constant.
INLINE void
convolve_slice (const Slice *c,
                int rows,
                int at,
                int vectors,
                Lanes sums[][MOST_CONVOLVE_VECTORS])
{
  if (c->height < rows - 1) {
    for (int line = 0; line < c->height + rows - 1; line++)
      for (int r = 0; r < rows; r++)
        convolve_row (c, line, r, at, vectors, sums[r]);
    return;
  }
#pragma GCC unroll 4
  for (int i = 0; i < rows - 1; i++)
    convolve_rows (c, i, 0, i + 1, at, vectors, sums);
  for (int line = rows - 1; line < c->height; line++)
    convolve_rows (c, line, 0, rows, at, vectors, sums);
#pragma GCC unroll 4
  for (int i = 0; i < rows - 1; i++)
    convolve_rows (c, c->height + i, i + 1, rows, at, vectors, sums);
}

// All of a small kernel's coefficients stay in registers, or unrolled: `side` is
// constant.
INLINE void
convolve_small (const Slice *c,
                int rows,
                int side,
                int at,
                int vectors,
                Lanes sums[][MOST_CONVOLVE_VECTORS])
{
#pragma GCC unroll 8
  for (int line = 0; line < side + rows - 1; line++) {
    const float *samples = c->lines[line] + at;
#pragma GCC unroll 5
    for (int x = 0; x < side; x++) {
      Lanes sample[MOST_CONVOLVE_VECTORS];
      for (int v = 0; v < vectors; v++)
        sample[v] = lanes_rounded (lanes_load (samples + x + v * ODL_LANES));
#pragma GCC unroll 4
      for (int r = 0; r < rows; r++)
        if (line >= r && line - r < side)
          for (int v = 0; v < vectors; v++)
            sums[r][v] += c->kernel[(line - r) * side + x] * sample[v];
    }
  }
}

// `side`: of a small square kernel, else 0; constant.
INLINE void
convolve_block (const OdlCpuConvolution *c, int rows, int side, int at, int vectors)
{
  Lanes sums[ODL_CPU_CONVOLVE_ROWS][MOST_CONVOLVE_VECTORS] = { 0 };

  for (int z = 0; z < c->depth; z++) {
    const Slice slice = slice_at (c, z, rows);
    if (side > 0)
      convolve_small (&slice, rows, side, at, vectors, sums);
    else
      convolve_slice (&slice, rows, at, vectors, sums);
  }
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < vectors; v++)
      lanes_store_first (c->out[r] + at + v * ODL_LANES, sums[r][v],
                         c->n - at - v * ODL_LANES);
}

INLINE void
convolve_lines (const OdlCpuConvolution *c, int rows, int side)
{
  int at = 0;

  for (; at + CONVOLVE_VECTORS * ODL_LANES <= c->n; at += CONVOLVE_VECTORS * ODL_LANES)
    convolve_block (c, rows, side, at, CONVOLVE_VECTORS);
  for (; at < c->n; at += ODL_LANES)
    convolve_block (c, rows, 0, at, 1);
}

static void
convolve_any (const OdlCpuConvolution *c)
{
  const int side = c->width == c->height ? c->width : 0;

  if (c->rows == 4 && side == 3)
    convolve_lines (c, 4, 3);
  else if (c->rows == 4 && side == 5)
    convolve_lines (c, 4, 5);
  else if (c->rows == 4)
    convolve_lines (c, 4, 0);
  else if (c->rows == 3)
    convolve_lines (c, 3, 0);
  else if (c->rows == 2)
    convolve_lines (c, 2, 0);
  else
    convolve_lines (c, 1, 0);
}
