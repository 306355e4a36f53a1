// SPDX-License-Identifier: MIT
// BM3D: its transforms, and what does not depend on how the work is shared.
#include "image/bm3d/bm3d.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/bm3d/groups.h"

#define SIDE ODL_BM3D_SIDE
#define SIGMA 0.1

// A disc on a ground, with Gaussian noise of σ = SIGMA, or without any.
static float *
make_picture (int width, int height, bool noisy)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  float *picture = g_new (float, (size_t) width *height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const double radius = sqrt (-2 * log (1 - g_rand_double (rand)));
      const double noise = SIGMA * radius * cos (2 * G_PI * g_rand_double (rand));
      const bool inside = hypot (x - width / 2.0, y - height / 2.0) < width / 3.0;
      picture[(size_t) y * width + x] = (float) ((inside ? 0.8 : 0.2) + noisy * noise);
    }
  return picture;
}

// Both steps.
static float *
filtered (const float *picture, int width, int height, double sigma, OdlBm3dEffort effort)
{
  const size_t n = (size_t) width * height;
  g_autofree float *guide = g_new (float, n);
  float *result = g_new (float, n);
  OdlBm3d bm3d = {
    .width = width,
    .height = height,
    .samples = picture,
    .pitch = width,
    .sigma = sigma,
    .effort = effort,
  };

  odl_bm3d_run (&bm3d, guide, width);
  bm3d.guide = guide;
  bm3d.guide_pitch = width;
  odl_bm3d_run (&bm3d, result, width);
  return result;
}

static double
distance (const float *a, const float *b, size_t n)
{
  double squares = 0;

  for (size_t i = 0; i < n; i++)
    squares += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
  return sqrt (squares / n);
}

static void
test_inverse (void)
{
  void (*const make[]) (OdlBm3dTransform *) = { odl_bm3d_wavelets, odl_bm3d_cosines };

  for (size_t m = 0; m < G_N_ELEMENTS (make); m++) {
    OdlBm3dTransform t;
    make[m](&t);
    for (int i = 0; i < SIDE; i++) {
      double squares = 0;
      for (int j = 0; j < SIDE; j++) {
        double product = 0;
        for (int k = 0; k < SIDE; k++)
          product += (double) t.inverse[i][k] * t.forward[k][j];
        g_assert_cmpfloat_with_epsilon (product, i == j, 1e-6);
        squares += (double) t.forward[i][j] * t.forward[i][j];
      }
      g_assert_cmpfloat_with_epsilon (squares, 1, 1e-6);
    }
  }
}

static void
test_noise_goes (void)
{
  g_autofree float *clean = make_picture (96, 80, false);
  g_autofree float *noisy = make_picture (96, 80, true);
  double left[ODL_BM3D_N_EFFORTS];

  g_assert_cmpfloat (distance (noisy, clean, 96 * 80), >, 0.9 * SIGMA);
  for (int effort = 0; effort < ODL_BM3D_N_EFFORTS; effort++) {
    g_autofree float *result = filtered (noisy, 96, 80, SIGMA, (OdlBm3dEffort) effort);
    left[effort] = distance (result, clean, 96 * 80);
    g_test_message ("effort %d: %g", effort, left[effort]);
    g_assert_cmpfloat (left[effort], <, 0.25 * SIGMA);
  }
  g_assert_cmpfloat (left[ODL_BM3D_NORMAL], <, left[ODL_BM3D_FAST]);
}

// What engines take for granted.
static void
test_efforts (void)
{
  for (int i = 0; i < ODL_BM3D_N_EFFORTS; i++) {
    const OdlBm3dSettings *effort = &odl_bm3d_efforts[i];
    g_assert_true (effort->step >= 2 && effort->step <= 4);
    g_assert_cmpint (effort->reach, <=, ODL_BM3D_REACH);
    g_assert_cmpint ((2 * effort->reach + 1) % 3, ==, 0);
    for (int k = 0; k < 2; k++) {
      g_assert_cmpint (effort->most[k], >=, 8);
      g_assert_cmpint (effort->most[k], <=, ODL_BM3D_MOST);
      g_assert_cmpint (effort->most[k] & (effort->most[k] - 1), ==, 0);
    }
  }
}

static void
test_threads (void)
{
  g_autofree float *noisy = make_picture (70, 131, true);
  g_autofree float *first = NULL;

  for (int threads = 1; threads <= 5; threads += 2) {
    odl_parallel_set_threads (threads);
    float *result = filtered (noisy, 70, 131, SIGMA, ODL_BM3D_NORMAL);
    if (first == NULL)
      first = result;
    else {
      g_assert_cmpmem (first, 70 * 131 * sizeof *first, result, 70 * 131 * sizeof *first);
      g_free (result);
    }
  }
}

// Of any size, down to one sample, what is constant stays, and so does all without noise.
static void
test_neutral (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 40 }, { 7, 3 }, { 8, 8 }, { 9, 61 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const int width = sizes[i][0], height = sizes[i][1];
    const size_t n = (size_t) width * height;
    g_autofree float *noisy = make_picture (width, height, true);
    g_autofree float *same = filtered (noisy, width, height, 0, ODL_BM3D_NORMAL);
    g_assert_cmpmem (noisy, n * sizeof *noisy, same, n * sizeof *same);
    for (size_t k = 0; k < n; k++)
      noisy[k] = 0.75F;
    g_autofree float *constant = filtered (noisy, width, height, SIGMA,
                                           (OdlBm3dEffort) (i % ODL_BM3D_N_EFFORTS));
    // Step two leaves g² / (g² + σ²) of the mean; of one block g = 8 · 0.75.
    g_assert_cmpfloat (distance (noisy, constant, n), <, 2.1e-4);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bm3d/transforms-have-inverses-and-rows-of-norm-1", test_inverse);
  g_test_add_func ("/bm3d/noise-goes-and-edges-stay", test_noise_goes);
  g_test_add_func ("/bm3d/efforts-are-what-engines-can-do", test_efforts);
  g_test_add_func ("/bm3d/the-number-of-threads-is-of-no-consequence", test_threads);
  g_test_add_func ("/bm3d/nothing-happens-without-noise-or-picture", test_neutral);
  return g_test_run ();
}
