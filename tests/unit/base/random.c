// SPDX-License-Identifier: MIT
#include "base/random.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define N 200000

// The known answers that Random123 1.09 (kat_vectors) lists for philox4x32 of 10 rounds.
static void
blocks_are_those_of_random123 (void)
{
  static const struct {
    uint32_t counter[4], key[2], answer[4];
  } known[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xffffffff, 0xffffffff },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    uint32_t block[4];
    memcpy (block, known[i].counter, sizeof block);
    odl_random_block (block, known[i].key);
    g_assert_cmpmem (block, sizeof block, known[i].answer, sizeof block);
  }
}

static void
logarithms_are_those_of_the_library (void)
{
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    const double wanted = log (x), got = odl_random_log (x);
    if (fabs (got - wanted) > fmax (1e-16, 4.5e-16 * fabs (wanted)))
      g_error ("log %.17g: %.17g, not %.17g", x, got, wanted);
  }
}

// The distribution of the normal of p is p.
static void
normals_invert_the_distribution (void)
{
  for (int i = 1; i < 4000; i++)
    for (int side = 0; side < 2; side++) {
      const double small = i <= 2000 ? i / 4000.0 : pow (10, -(i - 2000) / 200.0);
      const double p = side == 0 ? small : 1 - small;
      const double x = odl_random_normal (p);
      // The tail that the library is exact in; 1 − small is rounded.
      const double back = 0.5 * erfc (-x * M_SQRT1_2);
      if (fabs (back - p) > 4e-14 * p + 1e-16)
        g_error ("p %.17g: %.17g has %.17g", p, x, back);
    }
}

static void
uniforms_fill_the_interval (void)
{
  double sum = 0, squares = 0, least = 1, most = 0;

  for (uint32_t i = 0; i < N; i++) {
    const uint32_t counter[4] = { i };
    const OdlUniforms u = odl_random_uniforms (5, counter);
    const double both[2] = { u.a, u.b };
    for (int k = 0; k < 2; k++) {
      g_assert_cmpfloat (both[k], >, 0);
      g_assert_cmpfloat (both[k], <, 1);
      sum += both[k];
      squares += both[k] * both[k];
      least = fmin (least, both[k]);
      most = fmax (most, both[k]);
    }
  }
  g_assert_cmpfloat_with_epsilon (sum / (2 * N), 0.5, 0.003);
  g_assert_cmpfloat_with_epsilon (squares / (2 * N), 1.0 / 3, 0.003);
  g_assert_cmpfloat (least, <, 1e-4);
  g_assert_cmpfloat (most, >, 1 - 1e-4);
}

// Mean and variance of a Poisson distribution are the same, its third moment, too; in
// five standard errors.
static void
events_have_the_moments_of_poisson (void)
{
  static const double means[] = { 0, 1e-3, 0.4, 3, 9.99, 10, 10.5, 47, 1234.5, 1e6 };

  for (gsize m = 0; m < G_N_ELEMENTS (means); m++) {
    const double mean = means[m];
    double sum = 0, squares = 0, cubes = 0;
    for (uint32_t i = 0; i < N; i++) {
      uint32_t counter[4] = { i, 0, 0, (uint32_t) m };
      const double apart = odl_random_poisson (mean, 11, counter) - mean;
      g_assert_cmpfloat (apart + mean, ==, floor (apart + mean));
      sum += apart;
      squares += apart * apart;
      cubes += apart * apart * apart;
    }
    const double root = sqrt (N), of_squares = sqrt (mean + 2 * mean * mean);
    const double of_cubes = sqrt (mean + 24 * mean * mean + 15 * mean * mean * mean);
    if (fabs (sum / N) > 5 * sqrt (mean) / root
        || fabs (squares / N - mean) > 5 * of_squares / root
        || fabs (cubes / N - mean) > 5 * of_cubes / root)
      g_error ("mean %g: moments %g, %g, %g", mean, sum / N, squares / N, cubes / N);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/random/blocks-are-those-of-random123",
                   blocks_are_those_of_random123);
  g_test_add_func ("/base/random/logarithms-are-those-of-the-library",
                   logarithms_are_those_of_the_library);
  g_test_add_func ("/base/random/normals-invert-the-distribution",
                   normals_invert_the_distribution);
  g_test_add_func ("/base/random/uniforms-fill-the-interval", uniforms_fill_the_interval);
  g_test_add_func ("/base/random/events-have-the-moments-of-poisson",
                   events_have_the_moments_of_poisson);
  return g_test_run ();
}
