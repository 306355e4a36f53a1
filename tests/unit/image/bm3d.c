// SPDX-License-Identifier: MIT
// BM3D: its transforms, and what does not depend on how the work is shared.
#include "image/bm3d/time.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/bm3d/noise.h"

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

// ---- noise that is not white ---------------------------------------------------------

// Deviations tell correlations, and these the deviations again; white noise has none.
static void
test_correlations (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  double deviations[ODL_BM3D_COEFFICIENTS];
  float correlations[ODL_BM3D_COEFFICIENTS];
  OdlBm3dTransform cosines;
  g_autofree OdlBm3dNoise *noise = g_new (OdlBm3dNoise, 1);

  odl_bm3d_cosines (&cosines);
  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    deviations[i] = 1;
  odl_bm3d_correlations (deviations, correlations);
  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    g_assert_cmpfloat_with_epsilon (correlations[i], i == 0, 1e-6);
  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    deviations[i] = 2 * g_rand_double (rand);
  odl_bm3d_correlations (deviations, correlations);
  odl_bm3d_noise_init (noise, correlations, &cosines, false);
  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    g_assert_cmpfloat_with_epsilon (noise->covariances[0][0].rows[i / SIDE][i % SIDE],
                                    deviations[i] * deviations[i], 1e-5);
}

static double
correlation_at (const float *correlations, int dx, int dy)
{
  return ABS (dx) < SIDE && ABS (dy) < SIDE ? correlations[ABS (dy) * SIDE + ABS (dx)]
                                            : 0;
}

// Of coefficient (i, j) of two blocks that lie so far apart: all pairs of samples.
static double
covariance_of (const float *correlations,
               const OdlBm3dTransform *t,
               int i,
               int j,
               int dx,
               int dy)
{
  double sum = 0;

  for (int p = 0; p < SIDE * SIDE; p++)
    for (int q = 0; q < SIDE * SIDE; q++)
      sum += (double) t->forward[i][p / SIDE] * t->forward[j][p % SIDE]
             * t->forward[i][q / SIDE] * t->forward[j][q % SIDE]
             * correlation_at (correlations, q % SIDE - p % SIDE + dx,
                               q / SIDE - p / SIDE + dy);
  return sum;
}

// The variance of a coefficient of a group is the sum over all pairs of its blocks.
static void
test_variances (void)
{
  enum { N = 8 };
  static const int coefficients[] = { 0, 1, 8, 27, 63 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  float correlations[ODL_BM3D_COEFFICIENTS];
  g_autofree OdlBm3dNoise *noise = g_new (OdlBm3dNoise, 1);
  OdlBm3dBlocks blocks = { .n = N, .times = 1 };
  OdlBm3dBlock variances[ODL_BM3D_MOST];
  OdlBm3dTransform t;

  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    correlations[i]
        = (float) exp (-(i / SIDE) * (i / SIDE) / 3.0 - (i % SIDE) * (i % SIDE) / 12.0);
  for (int i = 0; i < N; i++)
    blocks.places[i] = (OdlBm3dPlace){ g_rand_int_range (rand, 0, 20),
                                       g_rand_int_range (rand, 0, 20) };
  odl_bm3d_wavelets (&t);
  odl_bm3d_noise_init (noise, correlations, &t, false);
  odl_bm3d_variances (noise, &blocks, variances);
  for (size_t c = 0; c < G_N_ELEMENTS (coefficients); c++) {
    const int i = coefficients[c] / SIDE, j = coefficients[c] % SIDE;
    const double own = covariance_of (correlations, &t, i, j, 0, 0);
    g_assert_cmpfloat_with_epsilon (noise->covariances[0][0].rows[i][j], own, 1e-5);
    for (int m = 0; m < N; m++) {
      double sum = 0;
      for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
          sum += (__builtin_parity ((unsigned) (m & (a ^ b))) ? -1 : 1)
                 * covariance_of (correlations, &t, i, j,
                                  blocks.places[b].x - blocks.places[a].x,
                                  blocks.places[b].y - blocks.places[a].y);
      const double least
          = N * (own * (double) ODL_BM3D_LEAST_SHARE + (double) ODL_BM3D_LEAST_VARIANCE);
      g_assert_cmpfloat_with_epsilon (variances[m].rows[i][j], MAX (sum, least), 2e-4);
    }
  }
}

// ---- several frames ------------------------------------------------------------------

#define WIDTH 45
#define HEIGHT 38
#define N_FRAMES 14
#define AREA (WIDTH * HEIGHT)

// Discs that go 1.4 pixels a frame, and turn dark and light at frame `cut`.
static float *
make_frames (int cut, bool noisy)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  float *frames = g_new (float, N_FRAMES *AREA);

  for (int i = 0; i < N_FRAMES * AREA; i++) {
    const int frame = i / AREA, x = i % WIDTH, y = i % AREA / WIDTH;
    const double radius = sqrt (-2 * log (1 - g_rand_double (rand)));
    const double noise = SIGMA * radius * cos (2 * G_PI * g_rand_double (rand));
    const bool inside = fmod (hypot (x - 1.4 * frame - 10, y - 15), 18) < 9;
    frames[i] = (float) ((inside == (frame < cut) ? 0.8 : 0.2) + noisy * noise);
  }
  return frames;
}

// Of frame `at`, in a sequence from `first` to `last`.
static OdlBm3dTime
time_at (const float *frames, int count, int at, int first, int last)
{
  OdlBm3dTime time = {
    .frames = count,
    .width = WIDTH,
    .height = HEIGHT,
    .pitch = WIDTH,
    .past = MIN (at - first, ODL_BM3D_PAST (count)),
    .ahead = MIN (last - at, ODL_BM3D_AHEAD (count)),
    .sigma = SIGMA,
    .effort = ODL_BM3D_FAST,
  };

  for (int i = 0; i <= time.past + time.ahead; i++)
    time.samples[i] = frames + (size_t) (at - time.past + i) * AREA;
  return time;
}

// What is kept changes nothing: along a sequence, through its ends, after a jump, another
// σ, and the same frame once more.
static void
test_streams (void)
{
  static const int order[] = { 0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 4, 5, 3 };
  g_autofree float *frames = make_frames (7, true);
  g_autofree float *own = g_new (float, AREA), *fresh = g_new (float, AREA);

  for (int count = 3; count <= 9; count += 2) {
    OdlBm3dStream *stream = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (order); i++) {
      const int first = order[i] < 7 ? 0 : 7, last = order[i] < 7 ? 6 : N_FRAMES - 1;
      OdlBm3dTime time = time_at (frames, count, order[i], first, last);
      time.sigma *= i < 10 ? 1 : 1.1;
      g_assert_true (odl_bm3d_time_run (&time, &stream, own, WIDTH));
      g_assert_true (odl_bm3d_time_run (&time, NULL, fresh, WIDTH));
      if (memcmp (own, fresh, AREA * sizeof *own) != 0)
        g_error ("%d frames, result %d of frame %d: another one than by itself", count,
                 (int) i, order[i]);
    }
    odl_bm3d_stream_free (stream);
  }
}

// What moves has less noise than by the form of one frame, and a cut leaves no ghost: a
// take of one frame is that form, bit by bit.
static void
test_frames (void)
{
  g_autofree float *clean = make_frames (N_FRAMES, false);
  g_autofree float *noisy = make_frames (N_FRAMES, true);
  g_autofree float *result = g_new (float, AREA);
  double before = SIGMA;

  for (int count = 1; count <= 9; count += 4) {
    const OdlBm3dTime time = time_at (noisy, count, 9, 0, N_FRAMES - 1);
    g_autofree float *alone
        = filtered (noisy + 9 * AREA, WIDTH, HEIGHT, SIGMA, ODL_BM3D_FAST);
    if (count > 1)
      g_assert_true (odl_bm3d_time_run (&time, NULL, result, WIDTH));
    const double left = distance (count > 1 ? result : alone, clean + 9 * AREA, AREA);
    g_test_message ("%d frames: %g", count, left);
    g_assert_cmpfloat (left, <, count> 1 ? 0.92 * before : before);
    before = left;
    if (count == 1)
      continue;
    const OdlBm3dTime single = time_at (noisy, count, 9, 9, 9);
    g_assert_true (odl_bm3d_time_run (&single, NULL, result, WIDTH));
    g_assert_cmpmem (result, AREA * sizeof *result, alone, AREA * sizeof *alone);
  }
}

// Noise whose neighbours along x are alike.
static void
make_correlations (float correlations[ODL_BM3D_COEFFICIENTS])
{
  for (int i = 0; i < ODL_BM3D_COEFFICIENTS; i++)
    correlations[i]
        = (float) exp (-(i / SIDE) * (i / SIDE) / 0.5 - (i % SIDE) * (i % SIDE) / 4.0);
}

// A kernel's sum is what it makes of a constant, of any size, and a picture that is
// mirrored at its first and last sample shows the kernel.
static void
test_whitening (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 2, 40 }, { 9, 3 }, { 33, 21 } };
  float correlations[ODL_BM3D_COEFFICIENTS];
  float kernel[ODL_BM3D_WHITENING * ODL_BM3D_WHITENING];
  const int wide = ODL_BM3D_WHITENING, half = wide / 2;
  double sum = 0;

  make_correlations (correlations);
  odl_bm3d_whitening (correlations, kernel);
  for (int i = 0; i < wide * wide; i++)
    sum += (double) kernel[i];
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const int width = sizes[i][0], height = sizes[i][1];
    g_autofree float *samples = g_new0 (float, width *height);
    g_autofree float *result = g_new (float, width *height);
    for (int k = 0; k < width * height; k++)
      samples[k] = 0.5F;
    odl_bm3d_whiten (kernel, samples, width, width, height, result);
    for (int k = 0; k < width * height; k++)
      g_assert_cmpfloat_with_epsilon ((double) result[k], 0.5 * sum, 1e-5);
    if (width < 2 * wide - 1)
      continue;
    memset (samples, 0, sizeof *samples * width * height);
    samples[1] = 1; // in row 0 mirrored about column 0
    odl_bm3d_whiten (kernel, samples, width, width, height, result);
    for (int y = 0; y <= half; y++)
      for (int x = 0; x < half; x++)
        g_assert_cmpfloat_with_epsilon (
            (double) result[y * width + x],
            (double) kernel[(half - y) * wide + half + 1 - x]
                + (double) kernel[(half - y) * wide + half - 1 - x],
            1e-6);
  }
}

// As test_streams and test_frames, where noise is not white.
static void
test_frames_of_noise_that_is_not_white (void)
{
  static const int order[] = { 0, 1, 2, 3, 4, 4, 9, 10, 11 };
  g_autofree float *noisy = make_frames (N_FRAMES, true);
  g_autofree float *own = g_new (float, AREA), *fresh = g_new (float, AREA);
  g_autofree float *searched = g_new (float, AREA), *guide = g_new (float, AREA);
  float correlations[ODL_BM3D_COEFFICIENTS], others[ODL_BM3D_COEFFICIENTS];
  float kernel[ODL_BM3D_WHITENING * ODL_BM3D_WHITENING];
  OdlBm3dStream *stream = NULL;

  make_correlations (correlations);
  memcpy (others, correlations, sizeof others);
  others[1] *= 0.9F;
  for (size_t i = 0; i < G_N_ELEMENTS (order); i++) {
    OdlBm3dTime time = time_at (noisy, 3, order[i], 0, N_FRAMES - 1);
    time.correlations = i < 5 ? correlations : others;
    g_assert_true (odl_bm3d_time_run (&time, &stream, own, WIDTH));
    g_assert_true (odl_bm3d_time_run (&time, NULL, fresh, WIDTH));
    g_assert_cmpmem (own, AREA * sizeof *own, fresh, AREA * sizeof *fresh);
  }
  odl_bm3d_stream_free (stream);
  // A take of one frame is the form of one frame.
  OdlBm3dTime single = time_at (noisy, 3, 9, 9, 9);
  single.correlations = correlations;
  g_assert_true (odl_bm3d_time_run (&single, NULL, own, WIDTH));
  odl_bm3d_whitening (correlations, kernel);
  odl_bm3d_whiten (kernel, noisy + 9 * AREA, WIDTH, WIDTH, HEIGHT, searched);
  OdlBm3d bm3d = {
    .width = WIDTH,
    .height = HEIGHT,
    .samples = noisy + 9 * AREA,
    .pitch = WIDTH,
    .sigma = SIGMA,
    .correlations = correlations,
    .searched = searched,
    .searched_pitch = WIDTH,
    .effort = ODL_BM3D_FAST,
  };
  g_assert_true (odl_bm3d_run (&bm3d, guide, WIDTH));
  bm3d.guide = guide;
  bm3d.guide_pitch = WIDTH;
  g_assert_true (odl_bm3d_run (&bm3d, fresh, WIDTH));
  g_assert_cmpmem (own, AREA * sizeof *own, fresh, AREA * sizeof *fresh);
}

// As test_neutral.
static void
test_neutral_frames (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 40 }, { 7, 3 }, { 7, 7 }, { 9, 61 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const int width = sizes[i][0], height = sizes[i][1], n = width * height;
    g_autofree float *noisy = make_picture (width, height * 3, true);
    g_autofree float *result = g_new (float, n);
    OdlBm3dTime time = {
      .frames = 3,
      .width = width,
      .height = height,
      .samples = { noisy, noisy + n, noisy + 2 * n },
      .pitch = width,
      .past = 1,
      .ahead = 1,
      .effort = (OdlBm3dEffort) (i % ODL_BM3D_N_EFFORTS),
    };
    g_assert_true (odl_bm3d_time_run (&time, NULL, result, width));
    g_assert_cmpmem (noisy + n, n * sizeof *noisy, result, n * sizeof *result);
    for (int k = 0; k < 3 * n; k++)
      noisy[k] = 0.75F;
    time.sigma = SIGMA;
    g_assert_true (odl_bm3d_time_run (&time, NULL, result, width));
    g_assert_cmpfloat (distance (noisy, result, n), <, 2.1e-4);
    // NaN stays where blocks have it, and ends nothing.
    noisy[0] = NAN;
    g_assert_true (odl_bm3d_time_run (&time, NULL, result, width));
  }
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
      g_assert_cmpint (effort->most_along[k], <=, ODL_BM3D_MOST);
      g_assert_cmpint (effort->most_along[k] * 3, <=, ODL_BM3D_MOST_PLACES);
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
  g_test_add_func ("/bm3d/deviations-tell-correlations", test_correlations);
  g_test_add_func ("/bm3d/variances-are-sums-over-all-pairs", test_variances);
  g_test_add_func ("/bm3d/efforts-are-what-engines-can-do", test_efforts);
  g_test_add_func ("/bm3d/the-number-of-threads-is-of-no-consequence", test_threads);
  g_test_add_func ("/bm3d/nothing-happens-without-noise-or-picture", test_neutral);
  g_test_add_func ("/bm3d/what-is-kept-between-frames-changes-nothing", test_streams);
  g_test_add_func ("/bm3d/several-frames-leave-less-noise", test_frames);
  g_test_add_func ("/bm3d/whitening-is-a-convolution", test_whitening);
  g_test_add_func ("/bm3d/several-frames-of-noise-that-is-not-white",
                   test_frames_of_noise_that_is_not_white);
  g_test_add_func ("/bm3d/of-several-frames-nothing-happens-without-noise-or-picture",
                   test_neutral_frames);
  return g_test_run ();
}
