// SPDX-License-Identifier: MIT
// Groups of blocks that look alike through their transforms and back
// (image/bm3d/groups.h). A row of a block is a vector. Blocks are transformed along
// columns, turned, and transformed along columns again, so that coefficients lie turned;
// what is done to them does not depend on that. Walsh-Hadamard transforms lack their
// gain, which thresholds have instead.
#pragma once

#include <math.h>

#include "engine/cpu/kernels/lanes.h"
#include "image/bm3d/noise.h"

#define SIDE ODL_BM3D_SIDE

typedef OdlBm3dRow Row;
typedef int32_t Counts __attribute__ ((vector_size (sizeof (Row))));

INLINE Row
row_all (float value)
{
  return (Row){ value, value, value, value, value, value, value, value };
}

INLINE Row
row_at (const float *from)
{
  return *(const Row *) from;
}

// ---- blocks --------------------------------------------------------------------------

INLINE void
turn_block (Row r[SIDE])
{
  __m256 a[SIDE], b[SIDE];

  for (int i = 0; i < SIDE; i += 2) {
    a[i] = _mm256_unpacklo_ps ((__m256) r[i], (__m256) r[i + 1]);
    a[i + 1] = _mm256_unpackhi_ps ((__m256) r[i], (__m256) r[i + 1]);
  }
  for (int i = 0; i < SIDE; i += 4)
    for (int k = 0; k < 2; k++) {
      b[i + 2 * k] = _mm256_shuffle_ps (a[i + k], a[i + 2 + k], 0x44);
      b[i + 2 * k + 1] = _mm256_shuffle_ps (a[i + k], a[i + 2 + k], 0xee);
    }
  for (int i = 0; i < 4; i++) {
    r[i] = (Row) _mm256_permute2f128_ps (b[i], b[i + 4], 0x20);
    r[i + 4] = (Row) _mm256_permute2f128_ps (b[i], b[i + 4], 0x31);
  }
}

// cos (k π / 16) / 2; the fourth is √(1/8), too.
#define COS_1 0.49039264020161522f
#define COS_2 0.46193976625564337f
#define COS_3 0.41573480615127262f
#define COS_4 0.35355339059327376f
#define COS_5 0.27778511650980114f
#define COS_6 0.19134171618254492f
#define COS_7 0.09754516100806412f

// The orthonormal DCT-II of eight rows, by its even and odd halves.
INLINE void
cosines_forward (Row r[SIDE])
{
  const Row s0 = r[0] + r[7], s1 = r[1] + r[6], s2 = r[2] + r[5], s3 = r[3] + r[4];
  const Row d0 = r[0] - r[7], d1 = r[1] - r[6], d2 = r[2] - r[5], d3 = r[3] - r[4];
  const Row p = s0 + s3, q = s1 + s2, t = s0 - s3, u = s1 - s2;

  r[0] = COS_4 * (p + q);
  r[4] = COS_4 * (p - q);
  r[2] = COS_2 * t + COS_6 * u;
  r[6] = COS_6 * t - COS_2 * u;
  r[1] = COS_1 * d0 + COS_3 * d1 + COS_5 * d2 + COS_7 * d3;
  r[3] = COS_3 * d0 - COS_7 * d1 - COS_1 * d2 - COS_5 * d3;
  r[5] = COS_5 * d0 - COS_1 * d1 + COS_7 * d2 + COS_3 * d3;
  r[7] = COS_7 * d0 - COS_5 * d1 + COS_3 * d2 - COS_1 * d3;
}

INLINE void
cosines_inverse (Row r[SIDE])
{
  const Row p = COS_4 * (r[0] + r[4]), q = COS_4 * (r[0] - r[4]);
  const Row t = COS_2 * r[2] + COS_6 * r[6], u = COS_6 * r[2] - COS_2 * r[6];
  const Row s0 = p + t, s3 = p - t, s1 = q + u, s2 = q - u;
  const Row d0 = COS_1 * r[1] + COS_3 * r[3] + COS_5 * r[5] + COS_7 * r[7];
  const Row d1 = COS_3 * r[1] - COS_7 * r[3] - COS_1 * r[5] - COS_5 * r[7];
  const Row d2 = COS_5 * r[1] - COS_1 * r[3] + COS_7 * r[5] + COS_3 * r[7];
  const Row d3 = COS_7 * r[1] - COS_5 * r[3] + COS_3 * r[5] - COS_1 * r[7];

  r[0] = s0 + d0;
  r[1] = s1 + d1;
  r[2] = s2 + d2;
  r[3] = s3 + d3;
  r[4] = s3 - d3;
  r[5] = s2 - d2;
  r[6] = s1 - d1;
  r[7] = s0 - d0;
}

// bior1.5 with periodic borders is Haar with c times the difference of the neighbours'
// details added to sums; on four and two samples both neighbours are the same one. The
// norms are those of the rows of the matrix: √2, √(4 + 8 c²), √(8 + 32 c²), √8.
#define BIOR_C 0.171875f
#define BIOR_NORM_1 1.4142135623730951f
#define BIOR_NORM_2 2.0582342250093890f
#define BIOR_NORM_3 2.9908715285013496f
#define BIOR_NORM_4 2.8284271247461903f

INLINE void
wavelets_forward (Row r[SIDE])
{
  const Row d0 = r[0] - r[1], d1 = r[2] - r[3], d2 = r[4] - r[5], d3 = r[6] - r[7];
  const Row e0 = BIOR_C * (d1 - d3), e1 = BIOR_C * (d2 - d0);
  const Row l0 = r[0] + r[1] + e0, l1 = r[2] + r[3] + e1;
  const Row l2 = r[4] + r[5] - e0, l3 = r[6] + r[7] - e1;
  const Row m0 = l0 + l1, m1 = l2 + l3;

  r[0] = (1 / BIOR_NORM_4) * (m0 + m1);
  r[1] = (1 / BIOR_NORM_3) * (m0 - m1);
  r[2] = (1 / BIOR_NORM_2) * (l0 - l1);
  r[3] = (1 / BIOR_NORM_2) * (l2 - l3);
  r[4] = (1 / BIOR_NORM_1) * d0;
  r[5] = (1 / BIOR_NORM_1) * d1;
  r[6] = (1 / BIOR_NORM_1) * d2;
  r[7] = (1 / BIOR_NORM_1) * d3;
}

INLINE void
wavelets_inverse (Row r[SIDE])
{
  const Row all = (BIOR_NORM_4 / 8) * r[0], halves = (BIOR_NORM_3 / 8) * r[1];
  const Row d0 = (BIOR_NORM_1 / 2) * r[4], d1 = (BIOR_NORM_1 / 2) * r[5];
  const Row d2 = (BIOR_NORM_1 / 2) * r[6], d3 = (BIOR_NORM_1 / 2) * r[7];
  const Row e0 = BIOR_C * (d1 - d3), e1 = BIOR_C * (d2 - d0);
  const Row m0 = all + halves, m1 = all - halves;
  const Row q0 = (BIOR_NORM_2 / 4) * r[2], q1 = (BIOR_NORM_2 / 4) * r[3];
  const Row s0 = m0 + q0 - e0, s1 = m0 - q0 - e1, s2 = m1 + q1 + e0, s3 = m1 - q1 + e1;

  r[0] = s0 + d0;
  r[1] = s0 - d0;
  r[2] = s1 + d1;
  r[3] = s1 - d1;
  r[4] = s2 + d2;
  r[5] = s2 - d2;
  r[6] = s3 + d3;
  r[7] = s3 - d3;
}

INLINE void
take_blocks (const OdlBm3dPicture *picture,
             const OdlBm3dBlocks *at,
             OdlBm3dBlock *blocks,
             bool cosines)
{
  for (int i = 0; i < at->n * at->times; i++) {
    const float *from = odl_bm3d_at (picture, &at->places[i]);
    Row r[SIDE];
    for (int v = 0; v < SIDE; v++)
      r[v] = row_at (from + v * picture->pitch);
    if (cosines)
      cosines_forward (r);
    else
      wavelets_forward (r);
    turn_block (r);
    if (cosines)
      cosines_forward (r);
    else
      wavelets_forward (r);
    for (int v = 0; v < SIDE; v++)
      blocks[i].rows[v] = r[v];
  }
}

// What groups add to the sums: blocks times `weight` and the window.
INLINE void
add_blocks (const OdlBm3dGroup *group, OdlBm3dBlock *blocks, float weight, bool cosines)
{
  const OdlBm3dBlocks *at = group->blocks;
  Row window[SIDE];

  for (int v = 0; v < SIDE; v++)
    window[v] = row_all (weight) * row_at (group->window[v]);
  for (int i = 0; i < at->n * at->times; i++) {
    float *to = odl_bm3d_sums_at (group, &at->places[i]);
    Row r[SIDE];
    for (int v = 0; v < SIDE; v++)
      r[v] = blocks[i].rows[v];
    if (cosines)
      cosines_inverse (r);
    else
      wavelets_inverse (r);
    turn_block (r);
    if (cosines)
      cosines_inverse (r);
    else
      wavelets_inverse (r);
    for (int v = 0; v < SIDE; v++)
      *(Row *) (to + v * group->pitch) += window[v] * r[v];
  }
}

// ---- groups --------------------------------------------------------------------------

// From time to time, of each block; back with the transposed matrix.
INLINE void
transform_times (const OdlBm3dGroup *group, OdlBm3dBlock *blocks, bool back)
{
  const int n = group->blocks->n, times = group->blocks->times;

  for (int i = 0; i < n; i++)
    for (int v = 0; v < SIDE; v++) {
      Row r[ODL_BM3D_MOST_TIMES];
      for (int t = 0; t < times; t++)
        r[t] = blocks[t * n + i].rows[v];
      for (int t = 0; t < times; t++) {
        Row sum = row_all (back ? group->along[0][t] : group->along[t][0]) * r[0];
        for (int k = 1; k < times; k++)
          sum += row_all (back ? group->along[k][t] : group->along[t][k]) * r[k];
        blocks[t * n + i].rows[v] = sum;
      }
    }
}

// From row to row, of `n`: 1, 2, 4 or 8, a constant.
INLINE void
walsh_rows (Row r[SIDE], int n)
{
  for (int step = 1; step < n; step *= 2)
#pragma GCC unroll 8
    for (int i = 0; i < n; i++)
      if ((i & step) == 0) {
        const Row a = r[i], b = r[i + step];
        r[i] = a + b;
        r[i + step] = a - b;
      }
}

INLINE void
load_rows (const OdlBm3dBlock *blocks, int stride, int v, int n, Row r[SIDE])
{
#pragma GCC unroll 8
  for (int i = 0; i < n; i++)
    r[i] = blocks[i * stride].rows[v];
}

INLINE void
store_rows (OdlBm3dBlock *blocks, int stride, int v, int n, const Row r[SIDE])
{
#pragma GCC unroll 8
  for (int i = 0; i < n; i++)
    blocks[i * stride].rows[v] = r[i];
}

// Of each eight blocks of `n`, a multiple of them.
INLINE void
walsh_eights (OdlBm3dBlock *blocks, int n)
{
  for (int i = 0; i < n; i += 8)
    for (int v = 0; v < SIDE; v++) {
      Row r[SIDE];
      load_rows (blocks + i, 1, v, 8, r);
      walsh_rows (r, 8);
      store_rows (blocks + i, 1, v, 8, r);
    }
}

// Sets to 0 what is at most `limit`, and counts what is left.
INLINE void
cut_rows (Row *r, int n, Row limit, Counts *left)
{
  const __m256 sign = _mm256_set1_ps (-0.0f);

#pragma GCC unroll 8
  for (int i = 0; i < n; i++) {
    const __m256 stays = _mm256_cmp_ps (_mm256_andnot_ps (sign, (__m256) r[i]),
                                        (__m256) limit, _CMP_GT_OQ);
    r[i] = (Row) _mm256_and_ps (stays, (__m256) r[i]);
    *left -= (Counts) stays;
  }
}

// The last levels of a transform along the group, of `n` blocks (a constant) that stand
// `stride` apart, what is done to coefficients, and the same levels back.
INLINE void
cut_group (OdlBm3dBlock *blocks, int stride, int n, Row limit, Counts *left)
{
  for (int i = 0; i < stride; i++)
    for (int v = 0; v < SIDE; v++) {
      Row r[SIDE];
      load_rows (blocks + i, stride, v, n, r);
      walsh_rows (r, n);
      cut_rows (r, n, limit, left);
      walsh_rows (r, n);
      store_rows (blocks + i, stride, v, n, r);
    }
}

// 1 / value to the last bit but one or two; value is a normal number.
INLINE Row
row_reciprocal (Row value)
{
  const Row first = (Row) _mm256_rcp_ps ((__m256) value);

  return first * (2 - value * first);
}

INLINE void
weigh_group (OdlBm3dBlock *blocks,
             const OdlBm3dBlock *guides,
             int stride,
             int n,
             Row noise,
             Row *squares)
{
  for (int i = 0; i < stride; i++)
    for (int v = 0; v < SIDE; v++) {
      Row r[SIDE], g[SIDE];
      load_rows (blocks + i, stride, v, n, r);
      walsh_rows (r, n);
      load_rows (guides + i, stride, v, n, g);
      walsh_rows (g, n);
#pragma GCC unroll 8
      for (int k = 0; k < n; k++) {
        const Row power = g[k] * g[k], factor = power * row_reciprocal (power + noise);
        r[k] *= factor;
        *squares += factor * factor;
      }
      walsh_rows (r, n);
      store_rows (blocks + i, stride, v, n, r);
    }
}

INLINE float
row_sum (Row row)
{
  return ((row[0] + row[1]) + (row[2] + row[3]))
         + ((row[4] + row[5]) + (row[6] + row[7]));
}

// Calls DO (blocks that stand apart, how far) with constants.
#define BY_SIZE(n, DO) \
  switch (n) { \
  case 1: \
    DO (1, 1); \
    break; \
  case 2: \
    DO (2, 1); \
    break; \
  case 4: \
    DO (4, 1); \
    break; \
  case 8: \
    DO (8, 1); \
    break; \
  case 16: \
    DO (2, 8); \
    break; \
  default: \
    DO (4, 8); \
  }

static float
filter_first (const OdlBm3dGroup *group)
{
  const int n = group->blocks->n, times = group->blocks->times;
  const Row limit
      = row_all ((float) ODL_BM3D_SHRINKAGE * group->sigma * sqrtf ((float) n));
  OdlBm3dBlock blocks[ODL_BM3D_MOST_PLACES] __attribute__ ((aligned (32)));
  Counts left = { 0 };

  take_blocks (group->picture, group->blocks, blocks, false);
  if (times > 1)
    transform_times (group, blocks, false);
  if (n > 8)
    walsh_eights (blocks, n * times);
  for (int t = 0; t < times; t++) {
#define CUT(count, stride) cut_group (blocks + t * n, stride, count, limit, &left)
    BY_SIZE (n, CUT)
#undef CUT
  }
  if (n > 8)
    walsh_eights (blocks, n * times);
  if (times > 1)
    transform_times (group, blocks, true);
  const float count = row_sum (__builtin_convertvector(left, Row));
  const float weight
      = 1 / (count > ODL_BM3D_LEAST_FIRST ? count : (float) ODL_BM3D_LEAST_FIRST);
  add_blocks (group, blocks, weight / (float) n, false);
  return weight;
}

static float
filter_second (const OdlBm3dGroup *group)
{
  const int n = group->blocks->n, times = group->blocks->times;
  const float least = 1e-30f, power = group->sigma * group->sigma * (float) n;
  const Row noise = row_all (power > least ? power : least);
  OdlBm3dBlock blocks[ODL_BM3D_MOST_PLACES] __attribute__ ((aligned (32)));
  OdlBm3dBlock guides[ODL_BM3D_MOST_PLACES] __attribute__ ((aligned (32)));
  Row squares = { 0 };

  take_blocks (group->picture, group->blocks, blocks, true);
  take_blocks (group->guide, group->blocks, guides, true);
  if (times > 1) {
    transform_times (group, blocks, false);
    transform_times (group, guides, false);
  }
  if (n > 8) {
    walsh_eights (blocks, n * times);
    walsh_eights (guides, n * times);
  }
  for (int t = 0; t < times; t++) {
#define WEIGH(count, stride) \
  weigh_group (blocks + t * n, guides + t * n, stride, count, noise, &squares)
    BY_SIZE (n, WEIGH)
#undef WEIGH
  }
  if (n > 8)
    walsh_eights (blocks, n * times);
  if (times > 1)
    transform_times (group, blocks, true);
  const float sum = row_sum (squares);
  const float weight = 1 / (sum > (float) ODL_BM3D_LEAST ? sum : (float) ODL_BM3D_LEAST);
  add_blocks (group, blocks, weight / (float) n, true);
  return weight;
}

// ---- noise that is not white ---------------------------------------------------------

// As cut_group and weigh_group, with the variance of each coefficient; those of blocks
// lie as these do. `guides` NULL: cut, what is at most √(`noise` · variance). `first`:
// the mean of the group is among them, and stays.
INLINE void
shrink_group (OdlBm3dBlock *blocks,
              const OdlBm3dBlock *guides,
              const OdlBm3dBlock *variances,
              int stride,
              int n,
              Row noise,
              bool first,
              Row *squares)
{
  for (int i = 0; i < stride; i++)
    for (int v = 0; v < SIDE; v++) {
      Row r[SIDE], g[SIDE], own[SIDE];
      load_rows (blocks + i, stride, v, n, r);
      walsh_rows (r, n);
      load_rows (variances + i, stride, v, n, own);
      if (guides != NULL) {
        load_rows (guides + i, stride, v, n, g);
        walsh_rows (g, n);
      }
#pragma GCC unroll 8
      for (int k = 0; k < n; k++) {
        Row limit = noise * own[k];
        if (first && k == 0 && i + v == 0)
          limit[0] = ODL_BM3D_NO_NOISE;
        if (guides != NULL) {
          const Row power = g[k] * g[k];
          const Row factor = power * row_reciprocal (power + limit);
          r[k] *= factor;
          *squares += factor * factor * own[k];
          continue;
        }
        const __m256 stays
            = _mm256_cmp_ps ((__m256) (r[k] * r[k]), (__m256) limit, _CMP_GT_OQ);
        r[k] = (Row) _mm256_and_ps (stays, (__m256) r[k]);
        *squares += (Row) _mm256_and_ps (stays, (__m256) own[k]);
      }
      walsh_rows (r, n);
      store_rows (blocks + i, stride, v, n, r);
    }
}

// The blocks of a picture, transformed as far as eight of a frame go.
INLINE void
take_along (const OdlBm3dGroup *group,
            const OdlBm3dPicture *picture,
            OdlBm3dBlock *blocks,
            bool cosines)
{
  const int n = group->blocks->n, times = group->blocks->times;

  take_blocks (picture, group->blocks, blocks, cosines);
  if (times > 1)
    transform_times (group, blocks, false);
  if (n > 8)
    walsh_eights (blocks, n * times);
}

static float
filter_coloured (const OdlBm3dGroup *group)
{
  const bool second = group->guide != NULL;
  const int n = group->blocks->n, times = group->blocks->times;
  const float power = group->sigma * group->sigma, least = ODL_BM3D_NO_NOISE;
  const float shrinkage = (float) (ODL_BM3D_SHRINKAGE * ODL_BM3D_SHRINKAGE);
  const Row noise = row_all ((second ? ODL_BM3D_CAUTION : shrinkage)
                             * (power > least ? power : least));
  OdlBm3dBlock blocks[ODL_BM3D_MOST_PLACES] __attribute__ ((aligned (32)));
  OdlBm3dBlock guides[ODL_BM3D_MOST_PLACES] __attribute__ ((aligned (32)));
  OdlBm3dBlock variances[ODL_BM3D_MOST] __attribute__ ((aligned (32)));
  Row squares = { 0 };

  odl_bm3d_variances (group->noise, group->blocks, variances);
  take_along (group, group->picture, blocks, second);
  if (second)
    take_along (group, group->guide, guides, true);
  for (int t = 0; t < times; t++) {
    OdlBm3dBlock *own = blocks + t * n, *guide = guides + t * n;
    if (second) {
#define WEIGH(count, stride) \
  shrink_group (own, guide, variances, stride, count, noise, t == 0, &squares)
      BY_SIZE (n, WEIGH)
#undef WEIGH
    } else {
#define CUT(count, stride) \
  shrink_group (own, NULL, variances, stride, count, noise, t == 0, &squares)
      BY_SIZE (n, CUT)
#undef CUT
    }
  }
  if (n > 8)
    walsh_eights (blocks, n * times);
  if (times > 1)
    transform_times (group, blocks, true);
  const float sum = row_sum (squares) / (float) n;
  const float fewest = (float) (second ? ODL_BM3D_LEAST : ODL_BM3D_LEAST_FIRST);
  const float weight = 1 / (sum > fewest ? sum : fewest);
  add_blocks (group, blocks, weight / (float) n, second);
  return weight;
}

static float
bm3d_filter (const OdlBm3dGroup *group)
{
  if (group->noise != NULL)
    return filter_coloured (group);
  return group->guide != NULL ? filter_second (group) : filter_first (group);
}
