// SPDX-License-Identifier: MIT
// The horizontal kernels of lift_kernels.c.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"
#include "wavelet/border.h"

// Blocks of ODL_LANES pairs that a row of `pairs` low coefficients needs: the steps look
// two pairs beyond the last, unless that one fills a block, where mirroring is done in
// the register.
INLINE int
blocks_of (int pairs)
{
  return pairs % ODL_LANES == 0 ? pairs / ODL_LANES
                                : (pairs + 2 + ODL_LANES - 1) / ODL_LANES;
}

// What follows the last pair of a full block: whole-sample mirroring gives the pair
// before it when n is odd, itself when n is even.
INLINE Lanes
mirrored (Lanes last, int n)
{
  return lanes_all (n % 2 == 0 ? last[ODL_LANES - 1] : last[ODL_LANES - 2]);
}

// ---- rows, forward -------------------------------------------------------------------

INLINE size_t
sample_size (OdlCpuLineType type)
{
  return type == ODL_CPU_LINE_U8                                ? 1
         : type == ODL_CPU_LINE_U16 || type == ODL_CPU_LINE_S16 ? 2
                                                                : 4;
}

// NaN gives 0, infinities 0 or 1, what overflows the largest number: as
// odl_image_scaled_row.
INLINE Lanes
scale_floats (Lanes value, Lanes minimum, Lanes factor)
{
  const float largest = __FLT_MAX__;
  Lanes scaled = (value - minimum) * factor;

  scaled = lanes_max (lanes_min (scaled, lanes_all (largest)), lanes_all (-largest));
  const IntLanes finite = (value <= largest) & (value >= -largest);
  return lanes_select (finite, scaled, lanes_keep (value > largest, lanes_all (1)));
}

typedef struct {
  Lanes even;
  Lanes odd;
} Pairs;

// Floats that are scaled, but not looked at one by one; within this file.
#define LINE_F32_UNSEEN ((OdlCpuLineType) (ODL_CPU_LINE_S16 + 1))

// ODL_LANES pairs of samples, split into phases. Two 16-bit samples lie in one 32-bit
// lane, where shifts do the splitting.
INLINE Pairs
load_pairs (const void *from, OdlCpuLineType type, Lanes minimum, Lanes factor)
{
  typedef uint8_t Bytes __attribute__ ((vector_size (ODL_LANES * 2)));
  typedef uint16_t Shorts __attribute__ ((vector_size (ODL_LANES * 4)));
  Pairs pairs;
  UIntLanes both;

  if (type == ODL_CPU_LINE_PLAIN || type == ODL_CPU_LINE_F32 || type == LINE_F32_UNSEEN) {
    lanes_split (from, &pairs.even, &pairs.odd);
    if (type == LINE_F32_UNSEEN) {
      pairs.even = (pairs.even - minimum) * factor;
      pairs.odd = (pairs.odd - minimum) * factor;
    }
    if (type == ODL_CPU_LINE_F32) {
      pairs.even = scale_floats (pairs.even, minimum, factor);
      pairs.odd = scale_floats (pairs.odd, minimum, factor);
    }
    return pairs;
  }
  if (type == ODL_CPU_LINE_U8) {
    Bytes bytes;
    memcpy (&bytes, from, sizeof bytes);
    both = (UIntLanes) __builtin_convertvector(bytes, Shorts);
  } else {
    memcpy (&both, from, sizeof both);
  }
  IntLanes even, odd;
  if (type == ODL_CPU_LINE_S16) {
    even = (IntLanes) (both << 16) >> 16;
    odd = (IntLanes) both >> 16;
  } else {
    even = (IntLanes) (both & 0xffff);
    odd = (IntLanes) (both >> 16);
  }
  pairs.even = (__builtin_convertvector(even, Lanes) - minimum) * factor;
  pairs.odd = (__builtin_convertvector(odd, Lanes) - minimum) * factor;
  return pairs;
}

// The samples from `from` on and four mirrored ones; zeros after them.
INLINE void
copy_tail (const void *samples, OdlCpuLineType type, int n, int from, unsigned char *tail)
{
  const size_t size = sample_size (type);
  const unsigned char *bytes = samples;

  memset (tail, 0, 4 * ODL_LANES * size);
  memcpy (tail, bytes + from * size, (n - from) * size);
  for (int i = n; i < n + 4; i++)
    memcpy (tail + (i - from) * size, bytes + odl_border_fold (i, n) * size, size);
}

INLINE void
store_block (float *line, int block, Lanes value, int n)
{
  const int from = block * ODL_LANES;

  if (from + ODL_LANES <= n)
    lanes_store (line + from, value);
  else if (from < n)
    lanes_store_part (line + from, value, n - from);
}

// A row on its way. Blocks go through the steps one behind the other, the second pair of
// steps one block later than the first.
typedef struct {
  OdlCpuLineType type;
  int n;
  int blocks;
  int whole; // blocks that lie inside of the row; the others come from `tail`
  const unsigned char *samples;
  const unsigned char *tail;
  Lanes minimum, factor;
  Lanes c0, c1, c2, c3;
  bool gains;
  Lanes low_gain, high_gain;
  Pairs now;
  Lanes d1, s1, d2; // of the block before
  Lanes doubt; // 0 as long as all low coefficients are finite, else NaN
} ForwardRow;

INLINE Pairs
load_block (const ForwardRow *row, int block, bool inside)
{
  const size_t size = 2 * ODL_LANES * sample_size (row->type);
  const unsigned char *from = inside || block < row->whole
                                  ? row->samples + block * size
                                  : row->tail + (block - row->whole) * size;

  return load_pairs (from, row->type, row->minimum, row->factor);
}

// The coefficients of a block on their way into memory.
INLINE void
store_coefficients (const ForwardRow *row,
                    float *low,
                    float *high,
                    int block,
                    Lanes s,
                    Lanes d,
                    bool edge)
{
  if (row->gains) {
    s *= row->low_gain;
    d *= row->high_gain;
  }
  if (edge) {
    store_block (high, block, d, row->n / 2);
    store_block (low, block, s, (row->n + 1) / 2);
  } else {
    lanes_store (high + block * ODL_LANES, d);
    lanes_store (low + block * ODL_LANES, s);
  }
}

// Block `b` through the first two steps, the one before it through the others. `edge`: it
// may be one of the first two or one of the last.
INLINE void
forward_block (ForwardRow *row, int b, float *low, float *high, int steps, bool edge)
{
  Pairs next;

  if (edge && b + 1 == row->blocks)
    next.even = next.odd = mirrored (row->now.even, row->n);
  else
    next = load_block (row, b + 1, !edge);

  const Lanes d1
      = row->now.odd + row->c0 * (row->now.even + lanes_next (row->now.even, next.even));
  if (edge && b == 0)
    row->d1 = lanes_all (d1[0]);
  const Lanes s1 = row->now.even + row->c1 * (lanes_previous (row->d1, d1) + d1);
  if (steps == 2) {
    store_coefficients (row, low, high, b, s1, d1, edge);
    row->doubt += 0 * s1;
  } else if (!edge || b > 0) {
    const Lanes d2 = row->d1 + row->c2 * (row->s1 + lanes_next (row->s1, s1));
    if (edge && b == 1)
      row->d2 = lanes_all (d2[0]);
    const Lanes s2 = row->s1 + row->c3 * (lanes_previous (row->d2, d2) + d2);
    store_coefficients (row, low, high, b - 1, s2, d2, edge);
    row->doubt += 0 * s2;
    row->d2 = d2;
  }
  row->d1 = d1;
  row->s1 = s1;
  row->now = next;
}

// False when a coefficient is not finite: then a sample was not, for every sample is in
// some low coefficient.
INLINE bool
forward_row (const OdlCpuLift *lift,
             const OdlCpuLine *line,
             float *restrict low,
             float *restrict high,
             int n,
             OdlCpuLineType type,
             int steps,
             bool gains)
{
  unsigned char tail[4 * ODL_LANES * sizeof (float)];
  ForwardRow row = {
    .type = type,
    .n = n,
    .blocks = blocks_of ((n + 1) / 2),
    .whole = n / (2 * ODL_LANES),
    .samples = line->samples,
    .tail = tail,
    .minimum = lanes_all (line->minimum),
    .factor = lanes_all (line->factor),
    .c0 = lanes_all (lift->step[0]),
    .c1 = lanes_all (lift->step[1]),
    .c2 = lanes_all (lift->step[2]),
    .c3 = lanes_all (lift->step[3]),
    .gains = gains,
    .low_gain = lanes_all (lift->low_gain),
    .high_gain = lanes_all (lift->high_gain),
  };
  int b = 0;

  if (row.whole < row.blocks)
    copy_tail (row.samples, type, n, row.whole * 2 * ODL_LANES, tail);
  row.now = load_block (&row, 0, false);
  for (; b < row.blocks && b < 2; b++)
    forward_block (&row, b, low, high, steps, true);
#pragma GCC unroll 2
  for (; b + 1 < row.whole; b++)
    forward_block (&row, b, low, high, steps, false);
  for (; b < row.blocks; b++)
    forward_block (&row, b, low, high, steps, true);
  if (steps == 2)
    return lanes_all_finite (row.doubt);

  const Lanes after = mirrored (row.s1, n);
  const Lanes d2 = row.d1 + row.c2 * (row.s1 + lanes_next (row.s1, after));
  if (row.blocks == 1)
    row.d2 = lanes_all (d2[0]);
  const Lanes s2 = row.s1 + row.c3 * (lanes_previous (row.d2, d2) + d2);
  store_coefficients (&row, low, high, row.blocks - 1, s2, d2, true);
  return lanes_all_finite (row.doubt + 0 * s2);
}

#define FORWARD_ROW_SCALED(type, gains) \
  (lift->steps == 4 ? forward_row (lift, line, low, high, n, type, 4, gains) \
                    : forward_row (lift, line, low, high, n, type, 2, gains))
#define FORWARD_ROW(type) FORWARD_ROW_SCALED (type, false)

static void
forward_row_any (const OdlCpuLift *lift,
                 const OdlCpuLine *line,
                 float *restrict low,
                 float *restrict high,
                 int n)
{
  switch (line->type) {
  case ODL_CPU_LINE_PLAIN:
    if (lift->gains)
      FORWARD_ROW_SCALED (ODL_CPU_LINE_PLAIN, true);
    else
      FORWARD_ROW (ODL_CPU_LINE_PLAIN);
    break;
  case ODL_CPU_LINE_F32:
    // Nearly always every sample is finite, and often already on the scale.
    if (line->minimum == 0 && line->factor == 1 ? FORWARD_ROW (ODL_CPU_LINE_PLAIN)
                                                : FORWARD_ROW (LINE_F32_UNSEEN))
      break;
    FORWARD_ROW (ODL_CPU_LINE_F32);
    break;
  case ODL_CPU_LINE_U8:
    FORWARD_ROW (ODL_CPU_LINE_U8);
    break;
  case ODL_CPU_LINE_U16:
    FORWARD_ROW (ODL_CPU_LINE_U16);
    break;
  case ODL_CPU_LINE_S16:
    FORWARD_ROW (ODL_CPU_LINE_S16);
    break;
  }
}

// ---- rows, inverse -------------------------------------------------------------------

// The coefficients from pair `from` on with three mirrored ones of each kind.
INLINE void
copy_coefficients (const float *low,
                   const float *high,
                   int n,
                   int from,
                   float *low_tail,
                   float *high_tail)
{
  const int n_low = (n + 1) / 2, n_high = n / 2;

  memset (low_tail, 0, 2 * ODL_LANES * sizeof *low_tail);
  memset (high_tail, 0, 2 * ODL_LANES * sizeof *high_tail);
  memcpy (low_tail, low + from, (n_low - from) * sizeof *low);
  if (n_high > from)
    memcpy (high_tail, high + from, (n_high - from) * sizeof *high);
  for (int i = n; i < n + 5; i++) {
    const int at = odl_border_fold (i, n) / 2;
    if (i % 2 == 0)
      low_tail[i / 2 - from] = low[at];
    else
      high_tail[i / 2 - from] = high[at];
  }
}

INLINE void
store_row (float *row, int block, Lanes even, Lanes odd)
{
  float *to = row + (size_t) block * 2 * ODL_LANES;
  Lanes first, second;

  lanes_zip (even, odd, &first, &second);
  lanes_store (to, first);
  lanes_store (to + ODL_LANES, second);
}

// Likewise on the way back: the second pair of steps one block later, the last step two.
typedef struct {
  const float *low, *high;
  const float *low_tail, *high_tail;
  int whole;
  Lanes c0, c1, c2, c3;
  bool gains;
  Lanes low_gain, high_gain;
  Lanes d2, s1, d1, s0; // of the block before
} InverseRow;

INLINE void
inverse_block (InverseRow *row, int b, float *restrict to, int steps, bool edge)
{
  const bool inside = !edge || b < row->whole;
  const int in_tail = (b - row->whole) * ODL_LANES;
  Lanes s2 = lanes_load (inside ? row->low + b * ODL_LANES : row->low_tail + in_tail);
  Lanes d2 = lanes_load (inside ? row->high + b * ODL_LANES : row->high_tail + in_tail);

  if (row->gains) {
    s2 = lanes_rounded (s2 * row->low_gain);
    d2 = lanes_rounded (d2 * row->high_gain);
  }
  if (edge && b == 0)
    row->d2 = lanes_all (d2[0]);
  const Lanes c_low = steps == 4 ? row->c3 : row->c1;
  const Lanes s1 = s2 - c_low * (lanes_previous (row->d2, d2) + d2);
  if (steps == 2) {
    if (!edge || b > 0) {
      const Lanes d0 = row->d2 - row->c0 * (row->s1 + lanes_next (row->s1, s1));
      store_row (to, b - 1, row->s1, d0);
    }
  } else if (!edge || b > 0) {
    const Lanes d1 = row->d2 - row->c2 * (row->s1 + lanes_next (row->s1, s1));
    if (edge && b == 1)
      row->d1 = lanes_all (d1[0]);
    const Lanes s0 = row->s1 - row->c1 * (lanes_previous (row->d1, d1) + d1);
    if (!edge || b > 1) {
      const Lanes d0 = row->d1 - row->c0 * (row->s0 + lanes_next (row->s0, s0));
      store_row (to, b - 2, row->s0, d0);
    }
    row->d1 = d1;
    row->s0 = s0;
  }
  row->d2 = d2;
  row->s1 = s1;
}

INLINE void
inverse_row (const OdlCpuLift *lift,
             const float *low,
             const float *high,
             float *restrict to,
             int n,
             int steps,
             bool gains)
{
  const int n_low = (n + 1) / 2, n_high = n / 2;
  const int blocks = blocks_of (n_low);
  const int stored = (n_low + ODL_LANES - 1) / ODL_LANES;
  float low_tail[3 * ODL_LANES], high_tail[3 * ODL_LANES];
  InverseRow row = {
    .low = low,
    .high = high,
    .low_tail = low_tail,
    .high_tail = high_tail,
    .whole = n_high / ODL_LANES,
    .c0 = lanes_all (lift->step[0]),
    .c1 = lanes_all (lift->step[1]),
    .c2 = lanes_all (lift->step[2]),
    .c3 = lanes_all (lift->step[3]),
    .gains = gains,
    .low_gain = lanes_all (lift->low_gain),
    .high_gain = lanes_all (lift->high_gain),
  };
  int b = 0;

  if (row.whole < blocks)
    copy_coefficients (low, high, n, row.whole * ODL_LANES, low_tail, high_tail);
  for (; b < blocks && b < 2; b++)
    inverse_block (&row, b, to, steps, true);
#pragma GCC unroll 2
  for (; b < row.whole; b++)
    inverse_block (&row, b, to, steps, false);
  for (; b < blocks; b++)
    inverse_block (&row, b, to, steps, true);

  const Lanes c_high = steps == 4 ? row.c2 : row.c0;
  const Lanes d1 = row.d2 - c_high * (row.s1 + lanes_next (row.s1, mirrored (row.s1, n)));
  if (steps == 2) {
    if (blocks - 1 < stored)
      store_row (to, blocks - 1, row.s1, d1);
    return;
  }
  if (blocks == 1)
    row.d1 = lanes_all (d1[0]);
  const Lanes s0 = row.s1 - row.c1 * (lanes_previous (row.d1, d1) + d1);
  if (blocks > 1) {
    const Lanes d0 = row.d1 - row.c0 * (row.s0 + lanes_next (row.s0, s0));
    store_row (to, blocks - 2, row.s0, d0);
  }
  if (blocks - 1 < stored) {
    const Lanes d0 = d1 - row.c0 * (s0 + lanes_next (s0, mirrored (s0, n)));
    store_row (to, blocks - 1, s0, d0);
  }
}

static void
inverse_row_any (const OdlCpuLift *lift,
                 const float *low,
                 const float *high,
                 float *restrict row,
                 int n)
{
  if (lift->steps == 2 && lift->gains)
    inverse_row (lift, low, high, row, n, 2, true);
  else if (lift->steps == 2)
    inverse_row (lift, low, high, row, n, 2, false);
  else if (lift->gains)
    inverse_row (lift, low, high, row, n, 4, true);
  else
    inverse_row (lift, low, high, row, n, 4, false);
}
