// SPDX-License-Identifier: MIT
// The transforms of a group of blocks, and what is done between them.
#include "image/bm3d/noise.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"

#define SIDE ODL_BM3D_SIDE
#define KAISER_BETA 2.0

const OdlBm3dSettings odl_bm3d_efforts[ODL_BM3D_N_EFFORTS] = {
  [ODL_BM3D_NORMAL] = { 3, 19, { 16, 32 }, { 8, 16 } },
  [ODL_BM3D_FAST] = { 4, 13, { 16, 8 }, { 8, 8 } },
  [ODL_BM3D_QUALITY] = { 2, 19, { 16, 32 }, { 16, 16 } },
};

// ---- weights -------------------------------------------------------------------------

static double
bessel_i0 (double x)
{
  double sum = 1, term = 1;

  for (int k = 1; k < 20; k++) {
    term *= x / (2 * k) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

void
odl_bm3d_window (double line[SIDE])
{
  for (int i = 0; i < SIDE; i++) {
    const double at = 2.0 * i / (SIDE - 1) - 1;
    line[i] = bessel_i0 (KAISER_BETA * sqrt (1 - at * at)) / bessel_i0 (KAISER_BETA);
  }
}

// ---- matrices ------------------------------------------------------------------------

// matrix = own · matrix, of the first `n` rows.
static void
multiply_rows (const double own[SIDE][SIDE], int n, double matrix[SIDE][SIDE])
{
  double before[SIDE][SIDE];

  memcpy (before, matrix, sizeof before);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < SIDE; j++) {
      matrix[i][j] = 0;
      for (int k = 0; k < n; k++)
        matrix[i][j] += own[i][k] * before[k][j];
    }
}

// One level on `n` samples: the scaling coefficients first. Taps 0 and `n_taps` − 1 lie
// about the middle of the pair that a coefficient belongs to.
static void
level_matrix (const double *low,
              const double *high,
              int n_taps,
              int n,
              double matrix[SIDE][SIDE])
{
  memset (matrix, 0, SIDE * sizeof *matrix);
  for (int i = 0; i < n / 2; i++)
    for (int k = 0; k < n_taps; k++) {
      const int at = (2 * i + k - n_taps / 2 + 1 + SIDE * n) % n;
      matrix[i][at] += low[k];
      matrix[n / 2 + i][at] += high[k];
    }
}

// The synthesis of a biorthogonal pair is the transpose of the analysis by its dual.
void
odl_bm3d_wavelets (OdlBm3dTransform *transform)
{
  // A. Cohen, I. Daubechies, J.-C. Feauveau (1992): the pair of orders 1 and 5.
  static const double long_low[] = { 3, -3, -22, 22, 128, 128, 22, -22, -3, 3 };
  static const double haar[] = { 0, 0, 0, 0, 1, 1, 0, 0, 0, 0 };
  enum { N_TAPS = G_N_ELEMENTS (haar) };
  double low[N_TAPS], short_high[N_TAPS], short_low[N_TAPS], long_high[N_TAPS];
  double forward[SIDE][SIDE] = { 0 }, dual[SIDE][SIDE] = { 0 }, level[SIDE][SIDE];

  for (int k = 0; k < N_TAPS; k++) {
    const double sign = k % 2 == 0 ? 1 : -1;
    low[k] = long_low[k] / 128 * M_SQRT1_2;
    short_low[k] = haar[k] * M_SQRT1_2;
    short_high[k] = sign * short_low[k];
    long_high[k] = sign * low[k];
  }
  for (int i = 0; i < SIDE; i++)
    forward[i][i] = dual[i][i] = 1;
  for (int n = SIDE; n > 1; n /= 2) {
    level_matrix (low, short_high, N_TAPS, n, level);
    multiply_rows (level, n, forward);
    level_matrix (short_low, long_high, N_TAPS, n, level);
    multiply_rows (level, n, dual);
  }
  for (int i = 0; i < SIDE; i++) {
    double squares = 0;
    for (int j = 0; j < SIDE; j++)
      squares += forward[i][j] * forward[i][j];
    for (int j = 0; j < SIDE; j++) {
      transform->forward[i][j] = (float) (forward[i][j] / sqrt (squares));
      transform->inverse[j][i] = (float) (dual[i][j] * sqrt (squares));
    }
  }
}

static float
cosine (int n, int i, int j)
{
  return (float) (sqrt ((i == 0 ? 1.0 : 2.0) / n) * cos (G_PI * (j + 0.5) * i / n));
}

void
odl_bm3d_cosines_of_times (int n, float matrix[][ODL_BM3D_MOST_TIMES])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      matrix[i][j] = cosine (n, i, j);
}

void
odl_bm3d_cosines (OdlBm3dTransform *transform)
{
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      transform->forward[i][j] = transform->inverse[j][i] = cosine (SIDE, i, j);
}

// ---- blocks --------------------------------------------------------------------------

// m · block · mᵀ
static inline __attribute__ ((always_inline)) void
transform_block (const float m[SIDE][SIDE],
                 const OdlBm3dRow turned[SIDE],
                 OdlBm3dBlock *block)
{
  OdlBm3dRow between[SIDE];

  for (int i = 0; i < SIDE; i++) {
    OdlBm3dRow sum = m[i][0] * block->rows[0];
    for (int k = 1; k < SIDE; k++)
      sum += m[i][k] * block->rows[k];
    between[i] = sum;
  }
  for (int i = 0; i < SIDE; i++) {
    OdlBm3dRow sum = between[i][0] * turned[0];
    for (int k = 1; k < SIDE; k++)
      sum += between[i][k] * turned[k];
    block->rows[i] = sum;
  }
}

static inline __attribute__ ((always_inline)) void
transform_blocks (const float m[SIDE][SIDE], OdlBm3dBlock *blocks, int n)
{
  OdlBm3dRow turned[SIDE];

  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      turned[i][j] = m[j][i];
  for (int i = 0; i < n; i++)
    transform_block (m, turned, &blocks[i]);
}

// From block to block, the orthonormal Walsh-Hadamard transform, its own inverse.
static inline __attribute__ ((always_inline)) void
transform_along (OdlBm3dBlock *blocks, int n)
{
  const float gain = (float) (1 / sqrt (n));

  for (int step = 1; step < n; step *= 2)
    for (int i = 0; i < n; i++)
      for (int v = 0; (i & step) == 0 && v < SIDE; v++) {
        const OdlBm3dRow a = blocks[i].rows[v], b = blocks[i + step].rows[v];
        blocks[i].rows[v] = a + b;
        blocks[i + step].rows[v] = a - b;
      }
  for (int i = 0; i < n; i++)
    for (int v = 0; v < SIDE; v++)
      blocks[i].rows[v] *= gain;
}

// From time to time, of each block; back with the transposed matrix.
static inline __attribute__ ((always_inline)) void
transform_times (const OdlBm3dGroup *group, OdlBm3dBlock *blocks, bool back)
{
  const int n = group->blocks->n, times = group->blocks->times;

  for (int i = 0; times > 1 && i < n; i++)
    for (int v = 0; v < SIDE; v++) {
      OdlBm3dRow rows[ODL_BM3D_MOST_TIMES];
      for (int t = 0; t < times; t++)
        rows[t] = blocks[t * n + i].rows[v];
      for (int t = 0; t < times; t++) {
        OdlBm3dRow sum = (back ? group->along[0][t] : group->along[t][0]) * rows[0];
        for (int k = 1; k < times; k++)
          sum += (back ? group->along[k][t] : group->along[t][k]) * rows[k];
        blocks[t * n + i].rows[v] = sum;
      }
    }
}

static inline __attribute__ ((always_inline)) void
forward (const OdlBm3dGroup *group, OdlBm3dBlock *blocks)
{
  const int n = group->blocks->n, times = group->blocks->times;

  transform_blocks (group->transform->forward, blocks, n * times);
  transform_times (group, blocks, false);
  for (int t = 0; t < times; t++)
    transform_along (blocks + t * n, n);
}

static inline __attribute__ ((always_inline)) void
inverse (const OdlBm3dGroup *group, OdlBm3dBlock *blocks)
{
  const int n = group->blocks->n, times = group->blocks->times;

  for (int t = 0; t < times; t++)
    transform_along (blocks + t * n, n);
  transform_times (group, blocks, true);
  transform_blocks (group->transform->inverse, blocks, n * times);
}

static inline float
sum_of (OdlBm3dRow row)
{
  return ((row[0] + row[1]) + (row[2] + row[3]))
         + ((row[4] + row[5]) + (row[6] + row[7]));
}

// Both replace the blocks of a group by what is left of them, and return its weight. The
// first sets to 0 what is at most `threshold`.
ODL_ROW_LOOP static float
threshold_group (const OdlBm3dGroup *group, OdlBm3dBlock *blocks, float threshold)
{
  const int n = group->blocks->n * group->blocks->times;
  typedef int Mask __attribute__ ((vector_size (sizeof (OdlBm3dRow))));
  Mask left = { 0 };

  forward (group, blocks);
  for (int i = 0; i < n; i++)
    for (int v = 0; v < SIDE; v++) {
      const OdlBm3dRow c = blocks[i].rows[v];
      const Mask stays = (c > threshold) | (c < -threshold); // −1 or 0
      blocks[i].rows[v] = (OdlBm3dRow) ((Mask) c & stays);
      left -= stays;
    }
  inverse (group, blocks);
  return 1
         / MAX (sum_of (__builtin_convertvector(left, OdlBm3dRow)), ODL_BM3D_LEAST_FIRST);
}

// By what the `guides`, which are overwritten, have in the same places.
ODL_ROW_LOOP static float
wiener_group (const OdlBm3dGroup *group, OdlBm3dBlock *blocks, OdlBm3dBlock *guides)
{
  const int n = group->blocks->n * group->blocks->times;
  const float noise = group->sigma * group->sigma;
  OdlBm3dRow squares = { 0 };

  forward (group, blocks);
  forward (group, guides);
  for (int i = 0; i < n; i++)
    for (int v = 0; v < SIDE; v++) {
      const OdlBm3dRow g = guides[i].rows[v] * guides[i].rows[v];
      const OdlBm3dRow factor = g / (g + noise);
      blocks[i].rows[v] *= factor;
      squares += factor * factor;
    }
  inverse (group, blocks);
  return 1 / MAX (sum_of (squares), (float) ODL_BM3D_LEAST);
}

// Both at once, where each coefficient has its own noise, which is alike in all frames;
// the mean of the group stays. `guides` NULL: the first one.
ODL_ROW_LOOP static float
shrink_group (const OdlBm3dGroup *group, OdlBm3dBlock *blocks, OdlBm3dBlock *guides)
{
  const int n = group->blocks->n;
  const float shrinkage = (float) (ODL_BM3D_SHRINKAGE * ODL_BM3D_SHRINKAGE);
  const float noise = (guides != NULL ? ODL_BM3D_CAUTION : shrinkage) * group->sigma
                      * group->sigma / (float) n;
  typedef int Mask __attribute__ ((vector_size (sizeof (OdlBm3dRow))));
  OdlBm3dBlock variances[ODL_BM3D_MOST];
  OdlBm3dRow squares = { 0 };

  odl_bm3d_variances (group->noise, group->blocks, variances);
  forward (group, blocks);
  if (guides != NULL)
    forward (group, guides);
  for (int i = 0; i < n * group->blocks->times; i++)
    for (int v = 0; v < SIDE; v++) {
      const OdlBm3dRow c = blocks[i].rows[v], variance = variances[i % n].rows[v];
      OdlBm3dRow limit = variance * noise;
      if (i + v == 0)
        limit[0] = ODL_BM3D_NO_NOISE;
      if (guides != NULL) {
        const OdlBm3dRow g = guides[i].rows[v] * guides[i].rows[v];
        const OdlBm3dRow factor = g / (g + limit);
        blocks[i].rows[v] = c * factor;
        squares += factor * factor * variance;
        continue;
      }
      const Mask stays = c * c > limit; // −1 or 0
      blocks[i].rows[v] = (OdlBm3dRow) ((Mask) c & stays);
      squares += (OdlBm3dRow) ((Mask) variance & stays);
    }
  inverse (group, blocks);
  return 1
         / MAX (sum_of (squares) / (float) n,
                (float) (guides != NULL ? ODL_BM3D_LEAST : ODL_BM3D_LEAST_FIRST));
}

// ---- groups --------------------------------------------------------------------------

static void
take (const OdlBm3dPicture *picture, const OdlBm3dBlocks *at, OdlBm3dBlock *blocks)
{
  for (int i = 0; i < at->n * at->times; i++) {
    const float *from = odl_bm3d_at (picture, &at->places[i]);
    for (int v = 0; v < SIDE; v++)
      memcpy (&blocks[i].rows[v], from + v * picture->pitch, sizeof blocks[i].rows[v]);
  }
}

static void
add (const OdlBm3dGroup *group,
     const OdlBm3dPlace *at,
     const OdlBm3dBlock *block,
     float weight)
{
  for (int v = 0; v < SIDE; v++) {
    float *to = odl_bm3d_sums_at (group, at) + v * group->pitch;
    for (int u = 0; u < SIDE; u++)
      to[u] += weight * group->window[v][u] * block->rows[v][u];
  }
}

float
odl_bm3d_filter (const OdlBm3dGroup *group)
{
  const OdlBm3dBlocks *at = group->blocks;
  OdlBm3dBlock blocks[ODL_BM3D_MOST_PLACES], guides[ODL_BM3D_MOST_PLACES];
  float weight;

  take (group->picture, at, blocks);
  if (group->guide != NULL)
    take (group->guide, at, guides);
  if (group->noise != NULL) {
    weight = shrink_group (group, blocks, group->guide != NULL ? guides : NULL);
  } else if (group->guide != NULL) {
    weight = wiener_group (group, blocks, guides);
  } else {
    weight = threshold_group (group, blocks, (float) ODL_BM3D_SHRINKAGE * group->sigma);
  }
  for (int i = 0; i < at->n * at->times; i++)
    add (group, &at->places[i], &blocks[i], weight);
  return weight;
}

const OdlBm3dKernels odl_bm3d_plain = { odl_bm3d_find, odl_bm3d_filter };
