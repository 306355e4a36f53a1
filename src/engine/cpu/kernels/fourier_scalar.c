// SPDX-License-Identifier: MIT
// The Fourier transform of one line in plain C: small transforms by their definition. The
// others are tested against it.
#include "engine/cpu/kernels/fourier_scalar.h"

#include <complex.h>
#include <math.h>

static double complex
turn_at (const OdlCpuFourierStage *stage, int j, int k, bool inverse)
{
  if (k == 0)
    return 1;
  const float *turn = stage->turns + 2 * (j * (stage->radix - 1) + k - 1);
  return turn[0] + I * (double) (inverse ? -turn[1] : turn[1]);
}

// The points that stand `stage->step` apart, from `points` on.
static void
transform_small (const OdlCpuFourierStage *stage,
                 int j,
                 float *points,
                 ptrdiff_t stride,
                 bool inverse)
{
  const ptrdiff_t apart = stage->step * stride;
  const int radix = stage->radix;
  double complex a[5];

  for (int k = 0; k < radix; k++) {
    a[k] = points[k * apart] + I * (double) points[k * apart + 1];
    if (inverse)
      a[k] *= turn_at (stage, j, k, true);
  }
  for (int k = 0; k < radix; k++) {
    double complex sum = 0;
    for (int i = 0; i < radix; i++)
      sum += a[i] * cexp (I * 2 * G_PI * i * k / (inverse ? radix : -radix));
    if (!inverse)
      sum *= turn_at (stage, j, k, false);
    points[k * apart] = (float) creal (sum);
    points[k * apart + 1] = (float) cimag (sum);
  }
}

void
odl_cpu_plain_fourier (const OdlCpuFourier *f,
                       float *points,
                       ptrdiff_t stride,
                       bool inverse)
{
  for (int i = 0; i < f->n_stages; i++) {
    const OdlCpuFourierStage *stage = &f->stages[inverse ? f->n_stages - 1 - i : i];
    for (int block = 0; block < f->points; block += stage->radix * stage->step)
      for (int j = 0; j < stage->step; j++)
        transform_small (stage, j, points + (block + j) * stride, stride, inverse);
  }
}

void
odl_cpu_plain_multiply (float *points, const float *by, ptrdiff_t stride, int n)
{
  for (int i = 0; i < n; i++) {
    float *a = points + i * stride;
    const float *b = by + i * stride;
    const float real = a[0] * b[0] - a[1] * b[1];
    a[1] = a[0] * b[1] + a[1] * b[0];
    a[0] = real;
  }
}

void
odl_cpu_plain_turn (const float *from,
                    ptrdiff_t from_stride,
                    float *to,
                    ptrdiff_t to_stride)
{
  (void) from_stride, (void) to_stride;
  to[0] = from[0];
}
