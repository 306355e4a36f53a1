// SPDX-License-Identifier: MIT
// Fourier transforms: in plain C by their definition, those of every instruction set
// against it.
#include <complex.h>
#include <glib.h>
#include <math.h>

#include "base/memory.h"
#include "engine/cpu/kernels/fourier_scalar.h"
#include "engine/cpu/kernels/variant.h"

#define MOST 2160

static guint32 seed = 1;

static float
noise (void)
{
  seed = seed * 1664525u + 1013904223u;
  return (float) (seed >> 8) / 8388608.0f - 1;
}

// Lines of complex points, `lines` of them at once, `stride` floats from point to point.
static float *
make_points (int n, int lines, int stride)
{
  float *points = odl_aligned_alloc ((size_t) n * stride * sizeof *points);

  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2 * lines; k++)
      points[i * stride + k] = noise ();
  return points;
}

static double complex
point_at (const float *points, int lines, int stride, int line, int i)
{
  return points[i * stride + line] + I * (double) points[i * stride + lines + line];
}

// 2, 3, 5 and their products alone.
static bool
is_smooth (int n)
{
  for (int p = 2; p <= 5; p++)
    while (n % p == 0)
      n /= p;
  return n == 1;
}

static void
test_points (void)
{
  for (int n = 1; n <= 400; n++) {
    int wanted = n;
    while (!is_smooth (wanted))
      wanted++;
    g_assert_cmpint (odl_cpu_fourier_points (n), ==, wanted);
  }
}

// The product of two transforms is that of their circular convolution.
static void
check_plain (int n)
{
  float *a = make_points (n, 1, 2), *b = make_points (n, 1, 2);
  g_autofree double complex *wanted = g_new0 (double complex, n);
  OdlCpuFourier fourier;

  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      wanted[(i + k) % n] += point_at (a, 1, 2, 0, i) * point_at (b, 1, 2, 0, k);
  odl_cpu_fourier_init (&fourier, n);
  odl_cpu_variant_scalar.fourier (&fourier, a, 2, false);
  odl_cpu_variant_scalar.fourier (&fourier, b, 2, false);
  odl_cpu_variant_scalar.multiply (a, b, 2, n);
  odl_cpu_variant_scalar.fourier (&fourier, a, 2, true);
  for (int i = 0; i < n; i++) {
    const double off = cabs (point_at (a, 1, 2, 0, i) / n - wanted[i]);
    if (!(off <= 1e-6 * n))
      g_error ("%d points: point %d is off by %g", n, i, off);
  }
  odl_cpu_fourier_clear (&fourier);
  odl_aligned_free (a);
  odl_aligned_free (b);
}

static void
test_plain (void)
{
  for (int n = 1; n <= 320; n++)
    if (is_smooth (n))
      check_plain (n);
}

static void
check_variant (const OdlCpuVariant *variant, int n, bool inverse)
{
  const int lines = variant->lines, stride = 2 * lines + 16 * (n % 3);
  float *points = make_points (n, lines, stride), *line = make_points (n, 1, 2);
  g_autofree float *before = g_memdup2 (points, (gsize) n * stride * sizeof *points);
  OdlCpuFourier fourier;

  odl_cpu_fourier_init (&fourier, n);
  variant->fourier (&fourier, points, stride, inverse);
  for (int l = 0; l < lines; l++) {
    for (int i = 0; i < n; i++) {
      line[2 * i] = before[i * stride + l];
      line[2 * i + 1] = before[i * stride + lines + l];
    }
    odl_cpu_plain_fourier (&fourier, line, 2, inverse);
    for (int i = 0; i < n; i++) {
      const double off
          = cabs (point_at (points, lines, stride, l, i) - point_at (line, 1, 2, 0, i));
      if (!(off <= 4e-7 * sqrt (n) * log2 (n + 1) + 1e-6))
        g_error ("%s, %d points, line %d: point %d is off by %g", variant->name, n, l, i,
                 off);
    }
  }
  odl_cpu_fourier_clear (&fourier);
  odl_aligned_free (points);
  odl_aligned_free (line);
}

static void
check_turn (const OdlCpuVariant *variant)
{
  const int n = variant->lines;
  float *from = make_points (n, n, 3 * n), *to = make_points (n, n, 2 * n);

  variant->turn (from, 3 * n, to, 2 * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      g_assert_cmpfloat (to[j * 2 * n + i], ==, from[i * 3 * n + j]);
  odl_aligned_free (from);
  odl_aligned_free (to);
}

static void
test_variants (void)
{
  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (!variant->runs_here ())
      continue;
    check_turn (variant);
    for (int n = 1; n <= MOST; n++)
      if (is_smooth (n) && (n < 200 || n == 270 || n == 1024 || n == MOST))
        for (int inverse = 0; inverse < 2; inverse++)
          check_variant (variant, n, inverse);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu-fourier/sizes-have-factors-2-3-and-5", test_points);
  g_test_add_func ("/cpu-fourier/products-are-circular-convolutions", test_plain);
  g_test_add_func ("/cpu-fourier/variants-agree-with-plain-c", test_variants);
  return g_test_run ();
}
