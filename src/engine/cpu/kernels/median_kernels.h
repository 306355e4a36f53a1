// SPDX-License-Identifier: MIT
// The median of lines, for ODL_LANES floats in a register; kernels.h says what it does.
// Lines are read up to a vector beyond their end and never written there. No value is
// NaN.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"

#define EXCHANGE(a, b) \
  { \
    const Lanes low = lanes_min (value[a], value[b]); \
    value[b] = lanes_max (value[a], value[b]); \
    value[a] = low; \
  }

// Of 3, 5 and 7 lines; `count` is constant.
INLINE void
median_of (const float *const *rows, int count, float *restrict out, int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes value[7];
    for (int k = 0; k < count; k++)
      value[k] = lanes_load (rows[k] + i);
    if (count == 3) {
      ODL_MEDIAN_3 (EXCHANGE)
    } else if (count == 5) {
      ODL_MEDIAN_5 (EXCHANGE)
    } else {
      ODL_MEDIAN_7 (EXCHANGE)
    }
    lanes_store_first (out + i, value[count / 2], n - i);
  }
}

// The least of value[0 … n − 1] comes first, the greatest last.
INLINE void
move_extremes_out (Lanes *value, int n)
{
  for (int k = 0; k < n / 2; k++)
    EXCHANGE (k, n - 1 - k)
  for (int k = 1; k < (n + 1) / 2; k++)
    EXCHANGE (0, k)
  for (int k = n / 2; k < n - 1; k++)
    EXCHANGE (k, n - 1)
}

// Of a square of 9, 25 or 49 lines, by forgetful selection: of half of all and two more,
// neither the least nor the greatest can be the median; one of the others takes the place
// of both, until three are left. Paeth, "Median finding on a 3 × 3 grid", Graphics Gems
// (1990). `count` is constant.
INLINE void
median_by_selection (const float *const *rows, int count, float *restrict out, int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes value[49 / 2 + 2];
    int left = count / 2 + 2;
    for (int k = 0; k < left; k++)
      value[k] = lanes_load (rows[k] + i);
    for (int k = left; k < count; k++, left--) {
      move_extremes_out (value, left);
      value[0] = lanes_load (rows[k] + i);
    }
    move_extremes_out (value, 3);
    lanes_store_first (out + i, value[1], n - i);
  }
}

// The least of value[from … to − 1] comes first, or the greatest last.
INLINE void
move_least_first (Lanes *value, int from, int to)
{
  for (int k = to - 1; k > from; k--)
    EXCHANGE (k - 1, k)
}

INLINE void
move_greatest_last (Lanes *value, int from, int to)
{
  for (int k = from; k < to - 1; k++)
    EXCHANGE (k, k + 1)
}

#undef EXCHANGE

// Of squares, whose columns are sorted once for all squares that they are in. Of 3 × 3
// the median is that of the greatest of the least, the middle of the middle and the least
// of the greatest samples of columns. Of 5 × 5, whose rows of ranks are sorted too, 6
// samples have more than 12 that are not smaller, and 6 more than 12 that are not
// greater; the median of the other 13 is that of all. A. Adams, "Fast median filters
// using separable sorting networks", ACM Transactions on Graphics 40 (2021), has this
// idea for all sizes.
INLINE void
sort_columns (const float *const *lines,
              int side,
              float sorted[5][ODL_CPU_SQUARES + 64],
              int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes value[5];
    for (int k = 0; k < side; k++)
      value[k] = lanes_load (lines[k] + i);
    for (int k = side; k > 1; k--)
      move_greatest_last (value, 0, k);
    for (int k = 0; k < side; k++)
      lanes_store (sorted[k] + i, value[k]);
  }
}

INLINE Lanes
middle_of_three (Lanes a, Lanes b, Lanes c)
{
  return lanes_max (lanes_min (a, b), lanes_min (lanes_max (a, b), c));
}

INLINE Lanes
median_of_columns_3 (float sorted[5][ODL_CPU_SQUARES + 64], int i)
{
  Lanes value[3][3];

  for (int k = 0; k < 9; k++)
    value[k / 3][k % 3] = lanes_load (sorted[k / 3] + i + k % 3);
  return middle_of_three (lanes_max (lanes_max (value[0][0], value[0][1]), value[0][2]),
                          middle_of_three (value[1][0], value[1][1], value[1][2]),
                          lanes_min (lanes_min (value[2][0], value[2][1]), value[2][2]));
}

INLINE void
load_ranks (float sorted[5][ODL_CPU_SQUARES + 64], int rank, int i, Lanes *value)
{
  for (int k = 0; k < 5; k++)
    value[k] = lanes_load (sorted[rank] + i + k);
}

INLINE Lanes
median_of_columns_5 (float sorted[5][ODL_CPU_SQUARES + 64], int i)
{
  Lanes value[8], left[13];

  load_ranks (sorted, 0, i, value);
  move_greatest_last (value, 0, 5);
  move_greatest_last (value, 0, 4);
  left[0] = value[3], left[1] = value[4];
  load_ranks (sorted, 1, i, value);
  move_least_first (value, 0, 5);
  move_least_first (value, 1, 5);
  left[2] = value[2], left[3] = value[3], left[4] = value[4];
  load_ranks (sorted, 2, i, value);
  move_extremes_out (value, 5);
  left[5] = value[1], left[6] = value[2], left[7] = value[3];
  load_ranks (sorted, 3, i, value);
  move_greatest_last (value, 0, 5);
  move_greatest_last (value, 0, 4);
  left[8] = value[0], left[9] = value[1], left[10] = value[2];
  load_ranks (sorted, 4, i, value);
  move_least_first (value, 0, 5);
  move_least_first (value, 1, 5);
  left[11] = value[0], left[12] = value[1];
  for (int k = 0; k < 8; k++)
    value[k] = left[k];
  for (int k = 8; k < 13; k++) {
    move_extremes_out (value, 16 - k);
    value[0] = left[k];
  }
  move_extremes_out (value, 3);
  return value[1];
}

static void
median_square_line (const float *const *lines, int side, float *restrict out, int n)
{
  float sorted[5][ODL_CPU_SQUARES + 64];

  if (side == 3)
    sort_columns (lines, 3, sorted, n + 2);
  else
    sort_columns (lines, 5, sorted, n + 4);
  for (int i = 0; i < n && side == 3; i += ODL_LANES)
    lanes_store_first (out + i, median_of_columns_3 (sorted, i), n - i);
  for (int i = 0; i < n && side == 5; i += ODL_LANES)
    lanes_store_first (out + i, median_of_columns_5 (sorted, i), n - i);
}

// Whether some lane of a is less than that of b.
INLINE bool
any_less (Lanes a, Lanes b)
{
  const IntLanes less = a < b;
  int32_t some = 0;

  for (int k = 0; k < ODL_LANES; k++)
    some |= less[k];
  return some != 0;
}

// Of any number of lines, by bisection over values: half of the interval that holds the
// median goes in every turn, and its ends are values that occur, so that the last one
// left is the median itself.
static void
median_by_bisection (const float *const *rows, int count, float *restrict out, int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes least = lanes_load (rows[0] + i), greatest = least;
    for (int k = 1; k < count; k++) {
      least = lanes_min (least, lanes_load (rows[k] + i));
      greatest = lanes_max (greatest, lanes_load (rows[k] + i));
    }
    while (any_less (least, greatest)) {
      const Lanes half = least + (greatest - least) * lanes_all (0.5f);
      const Lanes middle = lanes_select (half < greatest, half, least);
      Lanes below = least, above = greatest; // the nearest values up to and beyond middle
      IntLanes n_below = { 0 };
      for (int k = 0; k < count; k++) {
        const Lanes value = lanes_load (rows[k] + i);
        const IntLanes inside = value <= middle;
        n_below -= inside;
        below = lanes_max (below, lanes_select (inside, value, below));
        above = lanes_min (above, lanes_select (inside, above, value));
      }
      const IntLanes enough = n_below > count / 2;
      greatest = lanes_select (enough, below, greatest);
      least = lanes_select (enough, least, above);
      least = lanes_select (n_below == count / 2 + 1, below, least);
    }
    lanes_store_first (out + i, least, n - i);
  }
}

// Likewise, with weights.
static void
weighted_median_line (const float *const *rows,
                      const float *weights,
                      int count,
                      float half,
                      float *restrict out,
                      int n)
{
  for (int i = 0; i < n; i += ODL_LANES) {
    Lanes least = lanes_load (rows[0] + i), greatest = least;
    for (int k = 1; k < count; k++) {
      least = lanes_min (least, lanes_load (rows[k] + i));
      greatest = lanes_max (greatest, lanes_load (rows[k] + i));
    }
    while (any_less (least, greatest)) {
      const Lanes at = least + (greatest - least) * lanes_all (0.5f);
      const Lanes middle = lanes_select (at < greatest, at, least);
      Lanes below = least, above = greatest, weight = lanes_all (0);
      for (int k = 0; k < count; k++) {
        const Lanes value = lanes_load (rows[k] + i);
        const IntLanes inside = value <= middle;
        weight += lanes_keep (inside, lanes_all (weights[k]));
        below = lanes_max (below, lanes_select (inside, value, below));
        above = lanes_min (above, lanes_select (inside, above, value));
      }
      const IntLanes enough = weight >= lanes_all (half);
      greatest = lanes_select (enough, below, greatest);
      least = lanes_select (enough, least, above);
    }
    lanes_store_first (out + i, least, n - i);
  }
}

static void
median_line (const float *const *rows, int count, float *restrict out, int n)
{
  switch (count) {
  case 3:
    median_of (rows, 3, out, n);
    break;
  case 5:
    median_of (rows, 5, out, n);
    break;
  case 7:
    median_of (rows, 7, out, n);
    break;
  case 9:
    median_by_selection (rows, 9, out, n);
    break;
  case 25:
    median_by_selection (rows, 25, out, n);
    break;
  case 49:
    median_by_selection (rows, 49, out, n);
    break;
  default:
    median_by_bisection (rows, count, out, n);
  }
}
