// SPDX-License-Identifier: MIT
// The lifting kernels in plain C: one loop per step, borders by folding. The
// others are tested against these.
#include <math.h>

#include "engine/cpu/kernels/fourier_scalar.h"
#include "engine/cpu/kernels/variant.h"
#include "wavelet/border.h"

static float
sample_at (const OdlCpuLine *line, int i)
{
  float stored;

  switch (line->type) {
  case ODL_CPU_LINE_PLAIN:
    return ((const float *) line->samples)[i];
  case ODL_CPU_LINE_U8:
    stored = ((const unsigned char *) line->samples)[i];
    break;
  case ODL_CPU_LINE_U16:
    stored = ((const unsigned short *) line->samples)[i];
    break;
  case ODL_CPU_LINE_S16:
    stored = ((const short *) line->samples)[i];
    break;
  default:
    stored = ((const float *) line->samples)[i];
    if (isnan (stored))
      return 0;
    if (isinf (stored))
      return stored > 0;
    const float scaled = (stored - line->minimum) * line->factor;
    return fminf (fmaxf (scaled, -__FLT_MAX__), __FLT_MAX__);
  }
  return (stored - line->minimum) * line->factor;
}

// One step: phase 1 (odd samples) or 0 of the interleaved signal low, high gets `factor`
// times the sum of its neighbours.
static void
lift_step (float *low, float *high, int n, int phase, float factor)
{
  for (int i = phase; i < n; i += 2) {
    const int before = odl_border_fold (i - 1, n) / 2;
    const int after = odl_border_fold (i + 1, n) / 2;

    if (phase == 1)
      high[i / 2] += factor * (low[before] + low[after]);
    else
      low[i / 2] += factor * (high[before] + high[after]);
  }
}

static void
scalar_forward_row (const OdlCpuLift *lift,
                    const OdlCpuLine *line,
                    float *restrict low,
                    float *restrict high,
                    int n)
{
  for (int i = 0; i < n; i++)
    *(i % 2 == 0 ? low + i / 2 : high + i / 2) = sample_at (line, i);
  for (int step = 0; step < lift->steps; step++)
    lift_step (low, high, n, step % 2 == 0, lift->step[step]);
  for (int i = 0; i < n && lift->gains; i++)
    *(i % 2 == 0 ? low + i / 2 : high + i / 2)
        *= i % 2 == 0 ? lift->low_gain : lift->high_gain;
}

// One step on samples side by side.
static void
unlift_step (float *row, int n, int phase, float factor)
{
  for (int i = phase; i < n; i += 2)
    row[i]
        -= factor * (row[odl_border_fold (i - 1, n)] + row[odl_border_fold (i + 1, n)]);
}

static void
scalar_inverse_row (const OdlCpuLift *lift,
                    const float *low,
                    const float *high,
                    float *restrict row,
                    int n)
{
  const float low_gain = lift->gains ? lift->low_gain : 1;
  const float high_gain = lift->gains ? lift->high_gain : 1;

  for (int i = 0; i < n; i++)
    row[i] = i % 2 == 0 ? low_gain * low[i / 2] : high_gain * high[i / 2];
  for (int step = lift->steps - 1; step >= 0; step--)
    unlift_step (row, n, step % 2 == 0, lift->step[step]);
}

static float
shrink (float value, float limit, OdlCpuShrink kind)
{
  const float excess = fabsf (value) - limit;

  if (kind == ODL_CPU_SHRINK_NONE)
    return value;
  if (kind == ODL_CPU_SHRINK_HARD)
    return excess > 0 ? value : 0;
  return excess > 0 ? copysignf (excess, value) : 0;
}

// The state of one column that the next pair needs: d before and after its steps, s
// likewise.
static void
scalar_forward_pairs (const OdlCpuLift *lift, const OdlCpuForwardPairs *block)
{
  const float *c = lift->step;
  const float low_gain = lift->gains ? lift->low_gain : 1;
  const float high_gain = lift->gains ? lift->high_gain : 1;
  const OdlCpuShrink low_kind = block->shrink_low ? block->shrink : ODL_CPU_SHRINK_NONE;

  for (int j = 0; j < block->pairs; j++)
    for (int i = 0; i < block->columns; i++) {
      const size_t at = block->column + i;
      const float s0 = block->rows[2 * j][at];
      const float d1
          = block->rows[2 * j + 1][at] + c[0] * (s0 + block->rows[2 * j + 2][at]);
      const float s1 = s0 + c[1] * (block->state[0][at] + d1);
      float s = s1, d = d1;

      if (lift->steps == 4) {
        d = block->state[0][at] + c[2] * (block->state[1][at] + s1);
        s = block->state[1][at] + c[3] * (block->state[2][at] + d);
        block->state[1][at] = s1;
        block->state[2][at] = d;
      }
      block->state[0][at] = d1;
      block->low[j][i] = low_gain * shrink (s, block->low_limit, low_kind);
      block->high[j][i] = high_gain * shrink (d, block->high_limit, block->shrink);
    }
}

static void
scalar_inverse_pairs (const OdlCpuLift *lift, const OdlCpuInversePairs *block)
{
  const float *c = lift->step;
  const int last = lift->steps - 1;
  const float low_gain = lift->gains ? lift->low_gain : 1;
  const float high_gain = lift->gains ? lift->high_gain : 1;

  for (int j = 0; j < block->pairs; j++)
    for (int i = 0; i < block->columns; i++) {
      const size_t at = block->column + i;
      float *d2 = &block->state[0][at], *s1 = &block->state[1][at];
      const float d2_new = high_gain * block->high[j][i];
      const float s1_new = low_gain * block->low[j][i] - c[last] * (*d2 + d2_new);
      const float d1_new = *d2 - c[last - 1] * (*s1 + s1_new);
      float s0_new = s1_new, d0 = d1_new;

      if (lift->steps == 4) {
        float *d1 = &block->state[2][at], *s0 = &block->state[3][at];
        s0_new = *s1 - c[1] * (*d1 + d1_new);
        d0 = *d1 - c[0] * (*s0 + s0_new);
        *d1 = d1_new;
        *s0 = s0_new;
      }
      *d2 = d2_new;
      *s1 = s1_new;
      block->odd[j][at] = d0;
      block->even[j][at] = s0_new;
    }
}

static float
convolve_at (const OdlCpuConvolution *c, int row, int column)
{
  const int n_lines = c->rows + c->height - 1;
  const float *tap = c->kernel;
  float sum = 0;

  for (int z = 0; z < c->depth; z++)
    for (int y = 0; y < c->height; y++)
      for (int x = 0; x < c->width; x++)
        sum += *tap++ * c->lines[z * n_lines + row + y][column + x];
  return sum;
}

static void
scalar_convolve (const OdlCpuConvolution *c)
{
  for (int r = 0; r < c->rows; r++)
    for (int i = 0; i < c->n; i++)
      c->out[r][i] = convolve_at (c, r, i);
}

static bool
runs_anywhere (void)
{
  return true;
}

static float
scalar_patch_distance (const OdlCpuPatches *c, const float *a, ptrdiff_t offset)
{
  float sum = 0;

  for (int y = 0; y < c->patch; y++)
    for (int x = 0; x < c->patch; x++) {
      const float one = a[y * c->stride + x], other = a[y * c->stride + x + offset];
      const float square = (one - other) * (one - other);
      sum += c->speckle ? square / fmaxf (0.5f * (one + other), ODL_CPU_PATCH_DARKEST)
                        : square;
    }
  return sum;
}

static void
scalar_add_patches (const OdlCpuPatches *c, ptrdiff_t offset)
{
  for (int y = 0; y < c->rows; y++)
    for (int x = 0; x < ODL_CPU_PATCH_COLUMNS; x++) {
      const ptrdiff_t at = y * c->stride + x;
      const float distance = scalar_patch_distance (c, c->patches + at, offset);
      const float weight = expf (-c->factor * distance);
      c->sums[y * ODL_CPU_PATCH_COLUMNS + x] += weight * c->samples[at + offset];
      c->weights[y * ODL_CPU_PATCH_COLUMNS + x] += weight;
    }
}

static void
scalar_weigh (const OdlCpuWindow *c, float *restrict out, int n)
{
  for (int i = 0; i < n; i++) {
    const float steepness = c->steepness != NULL ? c->steepness[i] : 1;
    float sum = 0, weights = 0;
    for (int k = 0; k < c->samples; k++) {
      const float g = c->window[k][i], d = g - c->centre[i];
      const float weight = expf (-(c->distances[k] * steepness + c->factor * (d * d)));
      sum += weight * g;
      weights += weight;
    }
    out[i] = sum / weights;
  }
}

static float
scalar_flow_from (const OdlCpuDiffusion *c, float neighbour, float f)
{
  const float d = neighbour - f, square = d * d * c->sharpness;

  return c->rational ? d / (1 + square) : d * expf (-square);
}

static void
scalar_diffuse (const OdlCpuDiffusion *c,
                const float *const rows[3],
                float *restrict out,
                int n)
{
  for (int i = 0; i < n; i++) {
    const float *middle = rows[1] + i, f = *middle;
    const float across
        = scalar_flow_from (c, middle[-1], f) + scalar_flow_from (c, middle[1], f);
    const float down
        = scalar_flow_from (c, rows[0][i], f) + scalar_flow_from (c, rows[2][i], f);
    out[i] = f + c->rate * (across + down);
  }
}

static void
scalar_speckle_shares (const OdlCpuSpeckle *c,
                       const float *const rows[3],
                       float *restrict out,
                       int n)
{
  for (int i = 0; i < n; i++) {
    const float *middle = rows[1] + i, f = *middle;
    const float left = middle[-1] - f, right = middle[1] - f;
    const float up = rows[0][i] - f, down = rows[2][i] - f;
    const float squares = (left * left + right * right) + (up * up + down * down);
    const float laplacian = (left + right) + (up + down);
    const float variance = 0.5f * squares - 0.0625f * laplacian * laplacian;
    const float mean = c->compressed ? 1 : f + 0.25f * laplacian;
    const float divisor = c->floor * mean * mean + variance;
    out[i] = fminf (c->scale * mean * mean / fmaxf (divisor, (float) ODL_LEAST_FLOW), 1);
  }
}

static void
scalar_flow (const float *const rows[3],
             const float *own,
             const float *below,
             float rate,
             float *restrict out,
             int n)
{
  for (int i = 0; i < n; i++) {
    const float *middle = rows[1] + i, f = *middle;
    const float back = (middle[-1] - f) + (rows[0][i] - f);
    out[i] = f
             + rate
                   * (own[i + 1] * (middle[1] - f) + below[i] * (rows[2][i] - f)
                      + own[i] * back);
  }
}

const OdlCpuVariant odl_cpu_variant_scalar = {
  .name = "scalar",
  .runs_here = runs_anywhere,
  .forward_row = scalar_forward_row,
  .inverse_row = scalar_inverse_row,
  .forward_pairs = scalar_forward_pairs,
  .inverse_pairs = scalar_inverse_pairs,
  .combine = odl_cpu_plain_combine,
  .combine_two = odl_cpu_plain_combine_two,
  .convolve = scalar_convolve,
  .lines = 1,
  .fourier = odl_cpu_plain_fourier,
  .multiply = odl_cpu_plain_multiply,
  .turn = odl_cpu_plain_turn,
  .add_patches = scalar_add_patches,
  .weigh = scalar_weigh,
  .diffuse = scalar_diffuse,
  .speckle_shares = scalar_speckle_shares,
  .flow = scalar_flow,
  .split = odl_cpu_plain_split,
  .join = odl_cpu_plain_join,
  .unweave = odl_cpu_plain_unweave,
  .shrink = odl_cpu_plain_shrink,
  .quad_powers = odl_cpu_plain_quad_powers,
  .shares = odl_cpu_plain_shares,
  .bivariate_shares = odl_cpu_plain_bivariate_shares,
  .quad_scale = odl_cpu_plain_quad_scale,
  .lift_whole = odl_cpu_plain_lift_whole,
  .median = odl_cpu_plain_median,
  .median_square = odl_cpu_plain_median_square,
  .weighted_median = odl_cpu_plain_weighted_median,
  .distance = odl_cpu_plain_distance,
  .follow = odl_cpu_plain_follow,
  .flag = odl_cpu_plain_flag,
  .spread = odl_cpu_plain_spread,
  .measure = odl_cpu_plain_measure,
  .place = odl_cpu_plain_place,
  .pick = odl_cpu_plain_pick,
  .below = odl_cpu_plain_below,
  .bm3d = &odl_bm3d_plain,
};
