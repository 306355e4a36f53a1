// SPDX-License-Identifier: MIT
// Fourier transforms of ODL_LANES lines at once, in place. A point is one vector of real
// parts and, behind it, one of imaginary parts.
#pragma once

#include "engine/cpu/kernels/fourier.h"
#include "engine/cpu/kernels/lanes.h"

typedef struct {
  Lanes re, im;
} Complex;

INLINE Complex
complex_load (const float *from)
{
  return (Complex){ lanes_load (from), lanes_load (from + ODL_LANES) };
}

INLINE void
complex_store (float *to, Complex value)
{
  lanes_store (to, value.re);
  lanes_store (to + ODL_LANES, value.im);
}

INLINE Complex
complex_add (Complex a, Complex b)
{
  return (Complex){ a.re + b.re, a.im + b.im };
}

INLINE Complex
complex_subtract (Complex a, Complex b)
{
  return (Complex){ a.re - b.re, a.im - b.im };
}

// a − i b
INLINE Complex
complex_behind (Complex a, Complex b)
{
  return (Complex){ a.re + b.im, a.im - b.re };
}

// a + i b
INLINE Complex
complex_ahead (Complex a, Complex b)
{
  return (Complex){ a.re - b.im, a.im + b.re };
}

INLINE Complex
complex_scale (Complex a, float factor)
{
  return (Complex){ a.re * factor, a.im * factor };
}

INLINE Complex
complex_turn (Complex a, float re, float im)
{
  return (Complex){ a.re * re - a.im * im, a.re * im + a.im * re };
}

// The inverse transform is the forward one of exchanged real and imaginary parts.
INLINE Complex
complex_exchange (Complex a)
{
  return (Complex){ a.im, a.re };
}

INLINE void
transform_2 (Complex a[5])
{
  const Complex sum = complex_add (a[0], a[1]);

  a[1] = complex_subtract (a[0], a[1]);
  a[0] = sum;
}

INLINE void
transform_3 (Complex a[5])
{
  const float sine = 0.866025403784438647f; // of 2π/3
  const Complex sum = complex_add (a[1], a[2]);
  const Complex across = complex_scale (complex_subtract (a[1], a[2]), sine);
  const Complex middle = complex_add (a[0], complex_scale (sum, -0.5f));

  a[0] = complex_add (a[0], sum);
  a[1] = complex_behind (middle, across);
  a[2] = complex_ahead (middle, across);
}

INLINE void
transform_4 (Complex a[5])
{
  const Complex even = complex_add (a[0], a[2]), odd = complex_add (a[1], a[3]);
  const Complex along = complex_subtract (a[0], a[2]);
  const Complex across = complex_subtract (a[1], a[3]);

  a[0] = complex_add (even, odd);
  a[1] = complex_behind (along, across);
  a[2] = complex_subtract (even, odd);
  a[3] = complex_ahead (along, across);
}

INLINE void
transform_5 (Complex a[5])
{
  const float c1 = 0.309016994374947424f, c2 = -0.809016994374947424f;
  const float s1 = 0.951056516295153572f, s2 = 0.587785252292473129f;
  const Complex sum1 = complex_add (a[1], a[4]), sum2 = complex_add (a[2], a[3]);
  const Complex gap1 = complex_subtract (a[1], a[4]),
                gap2 = complex_subtract (a[2], a[3]);
  const Complex along1 = complex_add (
      a[0], complex_add (complex_scale (sum1, c1), complex_scale (sum2, c2)));
  const Complex along2 = complex_add (
      a[0], complex_add (complex_scale (sum1, c2), complex_scale (sum2, c1)));
  const Complex across1
      = complex_add (complex_scale (gap1, s1), complex_scale (gap2, s2));
  const Complex across2
      = complex_subtract (complex_scale (gap1, s2), complex_scale (gap2, s1));

  a[0] = complex_add (a[0], complex_add (sum1, sum2));
  a[1] = complex_behind (along1, across1);
  a[2] = complex_behind (along2, across2);
  a[3] = complex_ahead (along2, across2);
  a[4] = complex_ahead (along1, across1);
}

INLINE void
transform_small (Complex a[5], int radix)
{
  switch (radix) {
  case 2:
    transform_2 (a);
    break;
  case 3:
    transform_3 (a);
    break;
  case 4:
    transform_4 (a);
    break;
  default:
    transform_5 (a);
  }
}

// One small transform. `turns`: those of its place, NULL where they are 1. All but
// pointers and strides are constant.
INLINE void
fourier_butterfly (float *points,
                   ptrdiff_t apart,
                   const float *turns,
                   int radix,
                   bool inverse)
{
  Complex a[5];

#pragma GCC unroll 5
  for (int k = 0; k < radix; k++) {
    a[k] = complex_load (points + k * apart);
    if (inverse && turns != NULL && k > 0)
      a[k] = complex_turn (a[k], turns[2 * k - 2], -turns[2 * k - 1]);
    if (inverse)
      a[k] = complex_exchange (a[k]);
  }
  transform_small (a, radix);
#pragma GCC unroll 5
  for (int k = 0; k < radix; k++) {
    if (inverse)
      a[k] = complex_exchange (a[k]);
    else if (turns != NULL && k > 0)
      a[k] = complex_turn (a[k], turns[2 * k - 2], turns[2 * k - 1]);
    complex_store (points + k * apart, a[k]);
  }
}

INLINE void
fourier_stage (const OdlCpuFourierStage *stage,
               int n,
               float *points,
               ptrdiff_t stride,
               int radix,
               bool inverse)
{
  const int step = stage->step;

  for (int block = 0; block < n; block += radix * step) {
    float *at = points + block * stride;
    fourier_butterfly (at, step * stride, NULL, radix, inverse);
    for (int j = 1; j < step; j++)
      fourier_butterfly (at + j * stride, step * stride,
                         stage->turns + 2 * j * (radix - 1), radix, inverse);
  }
}

INLINE void
fourier_stage_any (const OdlCpuFourierStage *stage,
                   int n,
                   float *points,
                   ptrdiff_t stride,
                   bool inverse)
{
  switch (stage->radix) {
  case 2:
    fourier_stage (stage, n, points, stride, 2, inverse);
    break;
  case 3:
    fourier_stage (stage, n, points, stride, 3, inverse);
    break;
  case 4:
    fourier_stage (stage, n, points, stride, 4, inverse);
    break;
  default:
    fourier_stage (stage, n, points, stride, 5, inverse);
  }
}

static void
fourier_lines (const OdlCpuFourier *f, float *points, ptrdiff_t stride, bool inverse)
{
  if (inverse)
    for (int i = f->n_stages - 1; i >= 0; i--)
      fourier_stage_any (&f->stages[i], f->points, points, stride, true);
  else
    for (int i = 0; i < f->n_stages; i++)
      fourier_stage_any (&f->stages[i], f->points, points, stride, false);
}

static void
fourier_multiply (float *points, const float *by, ptrdiff_t stride, int n)
{
  for (int i = 0; i < n; i++) {
    const Complex a = complex_load (points + i * stride);
    const Complex b = complex_load (by + i * stride);
    const Complex product = { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
    complex_store (points + i * stride, product);
  }
}

// Each round interleaves the first half of the rows with the second one.
static void
turn_square (const float *from, ptrdiff_t from_stride, float *to, ptrdiff_t to_stride)
{
  Lanes rows[ODL_LANES], next[ODL_LANES];

#pragma GCC unroll 16
  for (int i = 0; i < ODL_LANES; i++)
    rows[i] = lanes_load (from + i * from_stride);
#pragma GCC unroll 4
  for (int round = 1; round < ODL_LANES; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < ODL_LANES / 2; i++)
      lanes_zip (rows[i], rows[i + ODL_LANES / 2], &next[2 * i], &next[2 * i + 1]);
#pragma GCC unroll 16
    for (int i = 0; i < ODL_LANES; i++)
      rows[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < ODL_LANES; i++)
    lanes_store (to + i * to_stride, rows[i]);
}
