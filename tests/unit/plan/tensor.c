// SPDX-License-Identifier: MIT
// Structure tensors by their exact properties.
#include "plan/tensor/tensor.h"

#include <math.h>

#define CASES 200

// Of a vector.
static void
outer (const double x[4], double scale, double t[ODL_TENSOR_ENTRIES])
{
  const double entries[]
      = { x[0] * x[0], x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2],
          x[1] * x[2], x[3] * x[3], x[0] * x[3], x[1] * x[3], x[2] * x[3] };

  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    t[e] += scale * entries[e];
}

static double
product (const double a[4], const double b[4])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void
check_close (const double *got, const double *wanted, int n, double bound)
{
  for (int i = 0; i < n; i++)
    if (!(fabs (got[i] - wanted[i]) <= bound))
      g_error ("entry %d is %g, not %g", i, got[i], wanted[i]);
}

static void
make_vector (int dimensions, double x[4])
{
  for (int a = 0; a < 4; a++)
    x[a] = a < dimensions ? g_test_rand_double_range (-1, 1) : 0;
}

static void
test_frame (void)
{
  for (int dimensions = 2; dimensions <= 4; dimensions++)
    for (int i = 0; i < CASES; i++) {
      double x[4], q[ODL_TENSOR_MOST], n[4], t[ODL_TENSOR_ENTRIES];
      double wanted[ODL_TENSOR_ENTRIES] = { 0 };
      make_vector (dimensions, x);
      g_assert_cmpint (odl_tensor_dimensions (odl_tensor_count (dimensions)), ==,
                       dimensions);
      for (int k = 0; k < odl_tensor_count (dimensions); k++) {
        odl_tensor_direction (dimensions, k, n);
        g_assert_cmpfloat_with_epsilon (product (n, n), 1, 1e-14);
        q[k] = product (n, x) * product (n, x);
      }
      odl_tensor_sum (dimensions, q, t);
      outer (x, 1, wanted);
      check_close (t, wanted, ODL_TENSOR_ENTRIES, 1e-14);
      for (int e = odl_tensor_entries (dimensions); e < ODL_TENSOR_ENTRIES; e++)
        g_assert_cmpfloat (t[e], ==, 0);
    }
}

// Unit vectors at right angles.
static void
make_axes (int dimensions, double e[4][4])
{
  for (int i = 0; i < dimensions; i++) {
    double length = 0;
    while (length < 0.1) {
      make_vector (dimensions, e[i]);
      for (int k = 0; k < i; k++) {
        const double part = product (e[i], e[k]);
        for (int a = 0; a < 4; a++)
          e[i][a] -= part * e[k][a];
      }
      length = sqrt (product (e[i], e[i]));
    }
    for (int a = 0; a < 4; a++)
      e[i][a] /= length;
  }
}

static double
share (double ratio, double isotropy)
{
  const double u = (1 - isotropy) * ratio, v = isotropy * (1 - ratio);

  return u * u / (u * u + v * v);
}

// Along known eigenvectors the control tensor has the gains of the header, wherever these
// point.
static void
test_control (void)
{
  const double noise = 0.3, isotropy = 0.4;

  for (int dimensions = 2; dimensions <= 4; dimensions++)
    for (int i = 0; i < CASES; i++) {
      double e[4][4], t[ODL_TENSOR_ENTRIES] = { 0 }, wanted[ODL_TENSOR_ENTRIES] = { 0 };
      double control[ODL_TENSOR_ENTRIES], found[4], lambda[4] = { 0 }, gain[4], s2 = 0;
      for (int a = 0; a < dimensions; a++) {
        // Every so often two are the same.
        const double ratio = (i + a) % 4 == 0 ? 1 : g_test_rand_double_range (0, 1);
        lambda[a] = a == 0 ? g_test_rand_double_range (0.1, 1) : lambda[a - 1] * ratio;
        s2 += lambda[a] * lambda[a];
      }
      gain[0] = s2 * s2 / (s2 * s2 + pow (noise, 4));
      for (int a = 1; a < dimensions; a++)
        gain[a] = gain[a - 1] * share (lambda[a] / lambda[a - 1], isotropy);
      make_axes (dimensions, e);
      for (int a = 0; a < dimensions; a++) {
        outer (e[a], lambda[a], t);
        outer (e[a], gain[a], wanted);
      }
      odl_tensor_eigenvalues (dimensions, t, found);
      check_close (found, lambda, 4, 1e-7);
      odl_tensor_control (dimensions, t, noise, isotropy, control);
      check_close (control, wanted, ODL_TENSOR_ENTRIES, 1e-6);
    }
}

static void
test_identity (void)
{
  for (int dimensions = 2; dimensions <= 4; dimensions++)
    for (int i = 0; i < CASES; i++) {
      double t[ODL_TENSOR_ENTRIES] = { 0 }, control[ODL_TENSOR_ENTRIES];
      double one[ODL_TENSOR_ENTRIES] = { 1, 1, dimensions > 2 };
      one[ODL_TENSOR_TT] = dimensions > 3;
      for (int k = 0; k < i % 3; k++) {
        double x[4];
        make_vector (dimensions, x);
        outer (x, 1, t);
      }
      odl_tensor_control (dimensions, t, 0, 0, control);
      check_close (control, one, ODL_TENSOR_ENTRIES, 1e-9);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/squares-of-projections-give-the-tensor-back", test_frame);
  g_test_add_func ("/tensor/gains-stand-along-eigenvectors", test_control);
  g_test_add_func ("/tensor/no-noise-and-no-isotropy-are-the-identity", test_identity);
  return g_test_run ();
}
