// SPDX-License-Identifier: MIT
// Plain C in shapes that the compiler turns into vector code: constant tap counts, lines
// that do not overlap, no branches.
#include "engine/cpu/kernels.h"

#include <math.h>

// Samples of one pass of the general kernel: the partial sums stay in the first cache.
#define BLOCK 512

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

// Instances with a constant `radius` are unrolled and vectorised along the line.
static inline __attribute__ ((always_inline)) void
combine_symmetric (const OdlCpuTaps *taps,
                   const float *const *rows,
                   float *restrict out,
                   int n,
                   int radius)
{
  for (int i = 0; i < n; i++) {
    float sum = taps->value[radius] * rows[radius][i];
    for (int k = 1; k <= radius; k++)
      sum += taps->value[radius - k] * (rows[radius - k][i] + rows[radius + k][i]);
    out[i] = sum;
  }
}

// Any number of taps by pairs: one pass over a block per pair. The order of the sums is
// that of the short kernels, and the same for a flipped picture.
static void
combine_long (const OdlCpuTaps *taps,
              const float *const *rows,
              float *restrict out,
              int n)
{
  int radius = taps->count / 2;

  for (int from = 0; from < n; from += BLOCK) {
    int count = MIN (n - from, BLOCK);

    for (int i = 0; i < count; i++)
      out[from + i] = taps->value[radius] * rows[radius][from + i];
    for (int k = 1; k <= radius; k++) {
      const float *before = rows[radius - k] + from, *after = rows[radius + k] + from;
      float value = taps->value[radius - k];
      for (int i = 0; i < count; i++)
        out[from + i] += value * (before[i] + after[i]);
    }
  }
}

// Any number of taps: one pass over a block per tap.
static void
combine_any (const OdlCpuTaps *taps, const float *const *rows, float *restrict out, int n)
{
  for (int from = 0; from < n; from += BLOCK) {
    int count = MIN (n - from, BLOCK);

    for (int i = 0; i < count; i++)
      out[from + i] = taps->value[0] * rows[0][from + i];
    for (int k = 1; k < taps->count; k++) {
      const float *row = rows[k] + from;
      float value = taps->value[k];
      for (int i = 0; i < count; i++)
        out[from + i] += value * row[i];
    }
  }
}

void
odl_cpu_combine (const OdlCpuTaps *taps,
                 const float *const *rows,
                 float *restrict out,
                 int n)
{
  if (!taps->symmetric) {
    combine_any (taps, rows, out, n);
    return;
  }

  switch (taps->count) {
  case 1:
    combine_symmetric (taps, rows, out, n, 0);
    break;
  case 3:
    combine_symmetric (taps, rows, out, n, 1);
    break;
  case 5:
    combine_symmetric (taps, rows, out, n, 2);
    break;
  case 7:
    combine_symmetric (taps, rows, out, n, 3);
    break;
  case 9:
    combine_symmetric (taps, rows, out, n, 4);
    break;
  default:
    combine_long (taps, rows, out, n);
  }
}

void
odl_cpu_split (const float *line, float *restrict even, float *restrict odd, int pairs)
{
  for (int i = 0; i < pairs; i++) {
    even[i] = line[2 * i];
    odd[i] = line[2 * i + 1];
  }
}

void
odl_cpu_join (const float *even, const float *odd, float *restrict line, int pairs)
{
  for (int i = 0; i < pairs; i++) {
    line[2 * i] = even[i];
    line[2 * i + 1] = odd[i];
  }
}

void
odl_cpu_shrink (const float *in, float *restrict out, int n, float threshold, bool hard)
{
  if (hard)
    for (int i = 0; i < n; i++)
      out[i] = fabsf (in[i]) > threshold ? in[i] : 0.0f;
  else
    for (int i = 0; i < n; i++) {
      float excess = fabsf (in[i]) - threshold;
      out[i] = copysignf (excess > 0.0f ? excess : 0.0f, in[i]);
    }
}
