// SPDX-License-Identifier: MIT
#include "engine/cpu/kernels/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static OdlCpuTaps
with_symmetry (OdlCpuTaps taps)
{
  taps.symmetric = taps.count % 2 == 1;
  for (int i = 0; i < taps.count / 2; i++)
    if (taps.value[i] != taps.value[taps.count - 1 - i])
      taps.symmetric = false;
  return taps;
}

OdlCpuTaps
odl_cpu_taps_of_wavelet (const OdlTaps *taps)
{
  OdlCpuTaps result = { .first = taps->first, .count = taps->count };

  for (int i = 0; i < taps->count; i++)
    result.value[i] = (float) taps->value[i];
  return with_symmetry (result);
}

OdlCpuTaps
odl_cpu_taps_of_kernel (const double *half, int radius)
{
  OdlCpuTaps result = { .first = -radius, .count = 2 * radius + 1 };

  for (int i = 0; i < result.count; i++)
    result.value[i] = (float) half[ABS (i - radius)];
  return with_symmetry (result);
}

// By pairs from the middle, so that a flipped picture gives the same sums.
static float
combine_symmetric (const OdlCpuTaps *taps, const float *const *rows, int i)
{
  const int radius = taps->count / 2;
  float sum = taps->value[radius] * rows[radius][i];

  for (int k = 1; k <= radius; k++)
    sum += taps->value[radius - k] * (rows[radius - k][i] + rows[radius + k][i]);
  return sum;
}

void
odl_cpu_plain_combine (const OdlCpuTaps *taps,
                       const float *const *rows,
                       float *restrict out,
                       int n)
{
  for (int i = 0; i < n; i++) {
    float sum = 0;

    if (taps->symmetric)
      sum = combine_symmetric (taps, rows, i);
    else
      for (int k = 0; k < taps->count; k++)
        sum += taps->value[k] * rows[k][i];
    out[i] = sum;
  }
}

void
odl_cpu_plain_combine_two (const OdlCpuTaps taps[2],
                           const OdlCpuPairRows *pair,
                           float *const outs[2],
                           int n)
{
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int k = 0; k < taps[p].count; k++)
        sum += taps[p].value[k] * pair->rows[pair->start[p] + k][i];
      outs[p][i] = sum;
    }
}

void
odl_cpu_plain_split (const float *line,
                     float *restrict even,
                     float *restrict odd,
                     int pairs)
{
  for (int i = 0; i < pairs; i++) {
    even[i] = line[2 * i];
    odd[i] = line[2 * i + 1];
  }
}

void
odl_cpu_plain_join (const float *even, const float *odd, float *restrict line, int pairs)
{
  for (int i = 0; i < pairs; i++) {
    line[2 * i] = even[i];
    line[2 * i + 1] = odd[i];
  }
}

// What a rule leaves of 1, of a magnitude beyond the threshold.
static float
share_of (float size, float threshold, OdlShrinkingRule rule)
{
  const float part = threshold / size, excess = (size - threshold) / size;

  switch (rule) {
  case ODL_SHRINK_HARD:
    return 1;
  case ODL_SHRINK_GARROTE:
    return excess * (1 + part);
  case ODL_SHRINK_FIRM:
    return fminf (2 * excess, 1);
  case ODL_SHRINK_HYPERBOLIC:
    return sqrtf (excess * (1 + part));
  case ODL_SHRINK_SOFT:
  default:
    return excess;
  }
}

void
odl_cpu_plain_shrink (const float *in,
                      float *restrict out,
                      int n,
                      float threshold,
                      OdlShrinkingRule rule)
{
  for (int i = 0; i < n; i++) {
    const float size = fabsf (in[i]), excess = size - threshold;

    if (excess <= 0)
      out[i] = 0;
    else if (rule == ODL_SHRINK_SOFT)
      out[i] = copysignf (excess, in[i]);
    else
      out[i] = in[i] * share_of (size, threshold, rule);
  }
}

static float
whole (float x)
{
  return copysignf (floorf (fabsf (x) + (float) ODL_WAVELET_ROUND), x);
}

void
odl_cpu_plain_lift_whole (const OdlCpuWhole *step,
                          const float *centre,
                          const float *before,
                          const float *after,
                          float *restrict out,
                          int n)
{
  for (int i = 0; i < n; i++) {
    const float c = whole (centre[i] * step->centre_scale);
    const float a = whole (before[i] * step->side_scale);
    const float b = whole (after[i] * step->side_scale);

    out[i] = (c + step->sign * floorf ((a + b + step->bias) * step->share))
             * step->out_scale;
  }
}

void
odl_cpu_plain_quad_powers (float *const quad[4],
                           float *restrict first,
                           float *restrict second,
                           int n)
{
  for (int i = 0; i < n; i++) {
    const float re1 = quad[0][i] - quad[3][i], im1 = quad[1][i] + quad[2][i];
    const float re2 = quad[0][i] + quad[3][i], im2 = quad[1][i] - quad[2][i];

    first[i] = 0.5f * (re1 * re1 + im1 * im1);
    second[i] = 0.5f * (re2 * re2 + im2 * im2);
  }
}

void
odl_cpu_plain_shares (float *power,
                      int n,
                      float threshold,
                      float gain,
                      OdlShrinkingRule rule)
{
  for (int i = 0; i < n; i++) {
    const float size = sqrtf (power[i]);

    power[i] = size <= threshold ? 0 : gain * share_of (size, threshold, rule);
  }
}

void
odl_cpu_plain_bivariate_shares (float *power,
                                const float *mean,
                                const float *parent,
                                int n,
                                float noise,
                                float weight)
{
  const float limit = sqrtf (3) * noise;

  for (int i = 0; i < n; i++) {
    const float signal = 0.5f * mean[i] - noise;
    const float size
        = sqrtf (power[i] + weight * parent[i]) * sqrtf (signal > 0 ? signal : 0);

    power[i] = size > limit ? (size - limit) / size : 0;
  }
}

void
odl_cpu_plain_quad_scale (float *const quad[4],
                          const float *first,
                          const float *second,
                          int n)
{
  for (int i = 0; i < n; i++) {
    const float w1 = 0.5f * first[i], w2 = 0.5f * second[i];
    const float re1 = w1 * (quad[0][i] - quad[3][i]);
    const float im1 = w1 * (quad[1][i] + quad[2][i]);
    const float re2 = w2 * (quad[0][i] + quad[3][i]);
    const float im2 = w2 * (quad[1][i] - quad[2][i]);

    quad[0][i] = re2 + re1;
    quad[1][i] = im1 + im2;
    quad[2][i] = im1 - im2;
    quad[3][i] = re2 - re1;
  }
}

void
odl_cpu_plain_unweave (const OdlCpuWeave *weave, void *restrict out, int n)
{
  const size_t size = weave->sample_size;
  const char *from = (const char *) weave->samples + weave->channel * size;

  for (int i = 0; i < n; i++)
    memcpy ((char *) out + i * size, from + i * size * weave->channels, size);
}

void
odl_cpu_plain_median (const float *const *rows, int count, float *restrict out, int n)
{
  float value[ODL_PLAN_MAX_SIDE * ODL_PLAN_MAX_SIDE] = { 0 };

  for (int i = 0; i < n; i++) {
    for (int k = 0; k < count; k++)
      value[k] = rows[k][i];
    qsort (value, count, sizeof *value, odl_order_floats);
    out[i] = value[count / 2];
  }
}

void
odl_cpu_plain_median_square (const float *const *lines,
                             int side,
                             float *restrict out,
                             int n)
{
  const float *rows[25];

  for (int k = 0; k < side * side; k++)
    rows[k] = lines[k / side] + k % side;
  odl_cpu_plain_median (rows, side * side, out, n);
}

void
odl_cpu_plain_weighted_median (const float *const *rows,
                               const float *weights,
                               int count,
                               float half,
                               float *restrict out,
                               int n)
{
  for (int i = 0; i < n; i++) {
    float best = INFINITY;
    for (int k = 0; k < count; k++) {
      float sum = 0;
      for (int j = 0; j < count; j++)
        sum += rows[j][i] <= rows[k][i] ? weights[j] : 0;
      if (sum >= half && rows[k][i] < best)
        best = rows[k][i];
    }
    out[i] = best;
  }
}

void
odl_cpu_plain_distance (const float *const *a,
                        const float *const *b,
                        int count,
                        float *restrict out,
                        int n)
{
  for (int i = 0; i < n; i++) {
    float sum = 0;

    for (int k = 0; k < count; k++)
      sum += fabsf (a[k][i] - b[k][i]);
    out[i] = sum;
  }
}

void
odl_cpu_plain_follow (const OdlCpuGate *gate,
                      const float *sums,
                      const float *x,
                      const float *before,
                      float *restrict out,
                      int n)
{
  for (int i = 0; i < n; i++) {
    float sum = 0;

    for (int k = 0; k < gate->count; k++)
      sum += sums[i + k];
    const float moving = fminf (fmaxf (gate->gain * sum - 1, 0), 1);
    out[i]
        = before[i] + (gate->weight + (1 - gate->weight) * moving) * (x[i] - before[i]);
  }
}

// ---- measuring -----------------------------------------------------------------------

void
odl_cpu_plain_flag (const float *line,
                    const float *values,
                    int count,
                    float tolerance,
                    int n,
                    uint64_t *restrict bits)
{
  for (int i = 0; i < n; i++) {
    bool near = false;
    for (int k = 0; k < count; k++)
      near = near || fabsf (line[i] - values[k]) <= tolerance;
    if (i % 64 == 0)
      bits[i / 64] = 0;
    bits[i / 64] |= (uint64_t) near << i % 64;
  }
}

void
odl_cpu_plain_spread (const uint64_t *bits, float *restrict out, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = (float) (bits[i / 64] >> i % 64 & 1);
}

static uint32_t
magnitude_bits (float value)
{
  uint32_t bits;

  memcpy (&bits, &value, sizeof bits);
  return bits & 0x7fffffff;
}

void
odl_cpu_plain_measure (const float *details,
                       const float *mask,
                       float scale,
                       int n,
                       OdlCpuMeasured *restrict m)
{
  float sum = 0;

  for (int i = 0; i < n; i++) {
    const float size = fabsf (details[i]);
    const int bin = (int) (magnitude_bits (size * scale) >> 21) - m->first_bin;
    const bool inside = mask == NULL || mask[i] > 0.5F;
    if (m->bins != NULL)
      m->bins[i] = (uint8_t) (inside ? CLAMP (bin, 0, ODL_CPU_MEASURED_BINS - 1)
                                     : ODL_CPU_MEASURED_BINS);
    if (!inside)
      continue;
    m->count++;
    m->largest = fmaxf (m->largest, size);
    sum += size * size;
  }
  m->sum += (double) sum;
}

void
odl_cpu_plain_place (const float *details,
                     const float *mask,
                     float scale,
                     int n,
                     uint16_t *restrict places)
{
  for (int i = 0; i < n; i++) {
    const float place
        = MIN (fabsf (details[i]) * scale * ODL_CPU_POINT_SCALE, ODL_CPU_POINTS - 1);
    const int point = (int) place;
    const int share = (int) ((place - (float) point) * ODL_CPU_SHARES + 0.5F);
    places[i]
        = (uint16_t) (mask == NULL || mask[i] > 0.5F ? ODL_CPU_PLACE (point, share)
                                                     : ODL_CPU_PLACE (ODL_CPU_POINTS, 0));
  }
}

void
odl_cpu_plain_pick (const float *details,
                    const float *mask,
                    int n,
                    OdlCpuPicked *restrict p)
{
  for (int i = 0; i < n; i++) {
    const uint32_t bits = magnitude_bits (details[i]);
    if (mask != NULL && !(mask[i] > 0.5F))
      continue;
    p->count++;
    p->below += bits < p->from;
    if (bits >= p->from && bits < p->to)
      p->picked[p->n_picked++] = bits;
  }
}

size_t
odl_cpu_plain_below (const uint32_t *values, size_t n, uint32_t limit)
{
  size_t below = 0;

  for (size_t i = 0; i < n; i++)
    below += values[i] < limit;
  return below;
}
