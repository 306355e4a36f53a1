// SPDX-License-Identifier: MIT
// Structure tensors by their exact properties.
#include "plan/tensor.h"

#include <math.h>

#define CASES 200

// Of a vector.
static void
outer (const double x[3], double scale, double t[ODL_TENSOR_ENTRIES])
{
  const double entries[]
      = { x[0] * x[0], x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2], x[1] * x[2] };

  for (int e = 0; e < ODL_TENSOR_ENTRIES; e++)
    t[e] += scale * entries[e];
}

static void
check_close (const double *got, const double *wanted, int n, double bound)
{
  for (int i = 0; i < n; i++)
    if (!(fabs (got[i] - wanted[i]) <= bound))
      g_error ("entry %d is %g, not %g", i, got[i], wanted[i]);
}

static void
test_frame (void)
{
  for (int dimensions = 2; dimensions <= 3; dimensions++)
    for (int i = 0; i < CASES; i++) {
      double x[3] = { 0 }, q[ODL_TENSOR_MOST], n[3], t[ODL_TENSOR_ENTRIES];
      double wanted[ODL_TENSOR_ENTRIES] = { 0 };
      for (int a = 0; a < dimensions; a++)
        x[a] = g_test_rand_double_range (-1, 1);
      for (int k = 0; k < odl_tensor_count (dimensions); k++) {
        odl_tensor_direction (dimensions, k, n);
        g_assert_cmpfloat_with_epsilon (n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1,
                                        1e-14);
        const double part = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
        q[k] = part * part;
      }
      odl_tensor_sum (dimensions, q, t);
      outer (x, 1, wanted);
      check_close (t, wanted, ODL_TENSOR_ENTRIES, 1e-14);
    }
}

// Unit vectors at right angles.
static void
make_axes (int dimensions, double e[3][3])
{
  double length = 0;

  for (int a = 0; a < 3; a++) {
    e[0][a] = a < dimensions ? g_test_rand_double_range (-1, 1) : 0;
    length += e[0][a] * e[0][a];
  }
  for (int a = 0; a < 3; a++)
    e[0][a] /= sqrt (length);
  const int least = dimensions == 2 ? 2 : fabs (e[0][0]) < 0.6 ? 0 : 1;
  for (int a = 0; a < 3; a++)
    e[2][a] = (a == least) - e[0][least] * e[0][a];
  length = sqrt (e[2][0] * e[2][0] + e[2][1] * e[2][1] + e[2][2] * e[2][2]);
  for (int a = 0; a < 3; a++)
    e[2][a] /= length;
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    e[1][a] = e[2][b] * e[0][c] - e[2][c] * e[0][b];
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

  for (int dimensions = 2; dimensions <= 3; dimensions++)
    for (int i = 0; i < CASES; i++) {
      double e[3][3], t[ODL_TENSOR_ENTRIES] = { 0 }, wanted[ODL_TENSOR_ENTRIES] = { 0 };
      double control[ODL_TENSOR_ENTRIES], found[3];
      const double first = g_test_rand_double_range (0.1, 1);
      const double ratio = i % 4 == 0 ? 1 : g_test_rand_double_range (0, 1);
      const double next = i % 3 == 0 ? 1 : g_test_rand_double_range (0, 1);
      const double lambda[]
          = { first, first * ratio, dimensions == 3 ? first * ratio * next : 0 };
      const double s2
          = lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2];
      double gain[] = { s2 * s2 / (s2 * s2 + pow (noise, 4)), 0, 0 };
      gain[1] = gain[0] * share (ratio, isotropy);
      gain[2] = gain[1] * share (next, isotropy);
      make_axes (dimensions, e);
      for (int a = 0; a < dimensions; a++) {
        outer (e[a], lambda[a], t);
        outer (e[a], gain[a], wanted);
      }
      odl_tensor_eigenvalues (dimensions, t, found);
      check_close (found, lambda, 3, 1e-7);
      odl_tensor_control (dimensions, t, noise, isotropy, control);
      check_close (control, wanted, ODL_TENSOR_ENTRIES, 1e-6);
    }
}

static void
test_identity (void)
{
  for (int dimensions = 2; dimensions <= 3; dimensions++)
    for (int i = 0; i < CASES; i++) {
      double t[ODL_TENSOR_ENTRIES] = { 0 }, control[ODL_TENSOR_ENTRIES];
      const double one[] = { 1, 1, dimensions == 3, 0, 0, 0 };
      for (int k = 0; k < i % 3; k++) {
        const double x[]
            = { g_test_rand_double_range (-1, 1), g_test_rand_double_range (-1, 1),
                dimensions == 3 ? g_test_rand_double_range (-1, 1) : 0 };
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
