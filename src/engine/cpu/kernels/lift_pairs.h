// SPDX-License-Identifier: MIT
// The vertical kernels of lift_kernels.c.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"

INLINE Lanes
shrink (Lanes value, Lanes limit, OdlCpuShrink kind)
{
  return kind == ODL_CPU_SHRINK_SOFT   ? lanes_shrink (value, limit)
         : kind == ODL_CPU_SHRINK_HARD ? lanes_above (value, limit)
                                       : value;
}

// Vectors of a cache line or half of one leave the processor time to wait for memory;
// with narrower ones asking costs more than it saves.
#define ASKS_AHEAD (ODL_LANES >= 8)
#define LINE_FLOATS 16

// For the columns of a vector in two rows; vectors of half a line ask in turn for a whole
// one in the first and in the second row.
INLINE void
ask_ahead (const OdlCpuAhead *ahead, int pair, size_t column)
{
  const size_t at = column / LINE_FLOATS * LINE_FLOATS * ahead->column_bytes;
  const bool odd = column % LINE_FLOATS != 0;

  __builtin_prefetch (ahead->lines[2 * pair + odd] + at, 0, 2);
  if (ODL_LANES == LINE_FLOATS)
    __builtin_prefetch (ahead->lines[2 * pair + 1] + at, 0, 2);
}

// ODL_CPU_SHRINK_… of the low and of the high coefficients, and the number of pairs: with
// constants the loop over the pairs has no branch and its state stays in registers.
typedef struct {
  int steps;
  int pairs;
  OdlCpuShrink low;
  OdlCpuShrink high;
  bool gains;
  bool ahead;
} PairsKind;

INLINE void
forward_pairs (const OdlCpuLift *lift, const OdlCpuForwardPairs *block, PairsKind kind)
{
  const Lanes c0 = lanes_all (lift->step[0]), c1 = lanes_all (lift->step[1]);
  const Lanes c2 = lanes_all (lift->step[2]), c3 = lanes_all (lift->step[3]);
  const Lanes low_limit = lanes_all (block->low_limit);
  const Lanes high_limit = lanes_all (block->high_limit);
  const Lanes low_gain = lanes_all (lift->low_gain);
  const Lanes high_gain = lanes_all (lift->high_gain);
  const float *const *rows = block->rows;
  float *const *low = block->low, *const *high = block->high;
  float *d1_line = block->state[0] + block->column;
  float *s1_line = kind.steps == 4 ? block->state[1] + block->column : d1_line;
  float *d2_line = kind.steps == 4 ? block->state[2] + block->column : d1_line;
  const size_t columns = block->columns, column = block->column;

  for (size_t i = 0; i < columns; i += ODL_LANES) {
    const size_t at = column + i;
    Lanes s0 = lanes_load (rows[0] + at);
    Lanes d1 = lanes_load (d1_line + i), s1, d2;
    if (kind.steps == 4) {
      s1 = lanes_load (s1_line + i);
      d2 = lanes_load (d2_line + i);
    }
#pragma GCC unroll 8
    for (int j = 0; j < kind.pairs; j++) {
      if (kind.ahead)
        ask_ahead (&block->ahead, j, i);
      const Lanes s0_next = lanes_load (rows[2 * j + 2] + at);
      const Lanes d1_new = lanes_load (rows[2 * j + 1] + at) + c0 * (s0 + s0_next);
      const Lanes s1_new = s0 + c1 * (d1 + d1_new);
      Lanes s = s1_new, d = d1_new;
      if (kind.steps == 4) {
        d = d1 + c2 * (s1 + s1_new);
        s = s1 + c3 * (d2 + d);
        d2 = d;
        s1 = s1_new;
      }
      if (kind.gains) {
        lanes_store (low[j] + i, s * low_gain);
        lanes_store (high[j] + i, d * high_gain);
      } else {
        lanes_store (low[j] + i, shrink (s, low_limit, kind.low));
        lanes_store (high[j] + i, shrink (d, high_limit, kind.high));
      }
      d1 = d1_new;
      s0 = s0_next;
    }
    lanes_store (d1_line + i, d1);
    if (kind.steps == 4) {
      lanes_store (s1_line + i, s1);
      lanes_store (d2_line + i, d2);
    }
  }
}

// `kind` but for the number of pairs and whether memory is asked for.
INLINE void
forward_pairs_counted (const OdlCpuLift *lift,
                       const OdlCpuForwardPairs *block,
                       PairsKind k)
{
  const bool ahead = ASKS_AHEAD && !k.gains && block->ahead.lines != NULL;

#define KIND(pairs, ahead) \
  (PairsKind) \
  { \
    k.steps, pairs, k.low, k.high, k.gains, ahead \
  }
  if (block->pairs == 4 && ahead)
    forward_pairs (lift, block, KIND (4, true));
  else if (block->pairs == 8 && !ahead)
    forward_pairs (lift, block, KIND (8, false));
  else if (block->pairs == 4)
    forward_pairs (lift, block, KIND (4, false));
  else if (block->pairs == 2 && !ahead)
    forward_pairs (lift, block, KIND (2, false));
  else
    forward_pairs (lift, block, KIND (block->pairs, ahead));
#undef KIND
}

#define FORWARD_PAIRS_SCALED(low, high, gains) \
  do { \
    if (lift->steps == 4) \
      forward_pairs_counted (lift, block, (PairsKind){ 4, 0, low, high, gains, false }); \
    else \
      forward_pairs_counted (lift, block, (PairsKind){ 2, 0, low, high, gains, false }); \
  } while (0)
#define FORWARD_PAIRS(low, high) FORWARD_PAIRS_SCALED (low, high, false)

static void
forward_pairs_any (const OdlCpuLift *lift, const OdlCpuForwardPairs *block)
{
  if (lift->gains)
    FORWARD_PAIRS_SCALED (ODL_CPU_SHRINK_NONE, ODL_CPU_SHRINK_NONE, true);
  else if (block->shrink == ODL_CPU_SHRINK_NONE)
    FORWARD_PAIRS (ODL_CPU_SHRINK_NONE, ODL_CPU_SHRINK_NONE);
  else if (block->shrink == ODL_CPU_SHRINK_SOFT && block->shrink_low)
    FORWARD_PAIRS (ODL_CPU_SHRINK_SOFT, ODL_CPU_SHRINK_SOFT);
  else if (block->shrink == ODL_CPU_SHRINK_SOFT)
    FORWARD_PAIRS (ODL_CPU_SHRINK_NONE, ODL_CPU_SHRINK_SOFT);
  else if (block->shrink_low)
    FORWARD_PAIRS (ODL_CPU_SHRINK_HARD, ODL_CPU_SHRINK_HARD);
  else
    FORWARD_PAIRS (ODL_CPU_SHRINK_NONE, ODL_CPU_SHRINK_HARD);
}

INLINE void
inverse_pairs (const OdlCpuLift *lift,
               const OdlCpuInversePairs *block,
               int steps,
               int pairs,
               bool gains,
               bool ahead)
{
  const Lanes low_gain = lanes_all (lift->low_gain);
  const Lanes high_gain = lanes_all (lift->high_gain);
  const Lanes c0 = lanes_all (lift->step[0]), c1 = lanes_all (lift->step[1]);
  const Lanes c2 = lanes_all (lift->step[2]), c3 = lanes_all (lift->step[3]);
  const size_t columns = block->columns, column = block->column;
  const float *const *low = block->low, *const *high = block->high;
  float *const *even = block->even, *const *odd = block->odd;
  float *d2_line = block->state[0] + column, *s1_line = block->state[1] + column;
  float *d1_line = steps == 4 ? block->state[2] + column : d2_line;
  float *s0_line = steps == 4 ? block->state[3] + column : s1_line;

  for (size_t i = 0; i < columns; i += ODL_LANES) {
    Lanes d2 = lanes_load (d2_line + i), s1 = lanes_load (s1_line + i), d1, s0;
    if (steps == 4) {
      d1 = lanes_load (d1_line + i);
      s0 = lanes_load (s0_line + i);
    }
#pragma GCC unroll 8
    for (int j = 0; j < pairs; j++) {
      if (ahead)
        ask_ahead (&block->ahead, j, i);
      Lanes s2_new = lanes_load (low[j] + i), d2_new = lanes_load (high[j] + i);
      if (gains) {
        s2_new = lanes_rounded (s2_new * low_gain);
        d2_new = lanes_rounded (d2_new * high_gain);
      }
      const Lanes s1_new = s2_new - (steps == 4 ? c3 : c1) * (d2 + d2_new);
      const Lanes d1_new = d2 - (steps == 4 ? c2 : c0) * (s1 + s1_new);
      if (steps == 2) {
        lanes_store (odd[j] + column + i, d1_new);
        lanes_store (even[j] + column + i, s1_new);
      } else {
        const Lanes s0_new = s1 - c1 * (d1 + d1_new);
        lanes_store (odd[j] + column + i, d1 - c0 * (s0 + s0_new));
        lanes_store (even[j] + column + i, s0_new);
        d1 = d1_new;
        s0 = s0_new;
      }
      d2 = d2_new;
      s1 = s1_new;
    }
    lanes_store (d2_line + i, d2);
    lanes_store (s1_line + i, s1);
    if (steps == 4) {
      lanes_store (d1_line + i, d1);
      lanes_store (s0_line + i, s0);
    }
  }
}

INLINE void
inverse_pairs_counted (const OdlCpuLift *lift,
                       const OdlCpuInversePairs *block,
                       int steps,
                       bool gains)
{
  const bool ahead = ASKS_AHEAD && !gains && block->ahead.lines != NULL;

  if (block->pairs == 4 && ahead)
    inverse_pairs (lift, block, steps, 4, gains, true);
  else if (block->pairs == 8 && !ahead)
    inverse_pairs (lift, block, steps, 8, gains, false);
  else if (block->pairs == 4)
    inverse_pairs (lift, block, steps, 4, gains, false);
  else if (block->pairs == 2 && !ahead)
    inverse_pairs (lift, block, steps, 2, gains, false);
  else
    inverse_pairs (lift, block, steps, block->pairs, gains, ahead);
}

static void
inverse_pairs_any (const OdlCpuLift *lift, const OdlCpuInversePairs *block)
{
  if (lift->steps == 4 && lift->gains)
    inverse_pairs_counted (lift, block, 4, true);
  else if (lift->steps == 4)
    inverse_pairs_counted (lift, block, 4, false);
  else if (lift->gains)
    inverse_pairs_counted (lift, block, 2, true);
  else
    inverse_pairs_counted (lift, block, 2, false);
}
