// SPDX-License-Identifier: MIT
// The phantom: reproducible, moving, with the statistics of ultrasound.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "filter/recipe.h"
#include "source/phantom/phantom.h"
#include "source/phantom/internal.h"
#include "source/source.h"
#include "../../helpers/transform_2d.h"

static OdlPhantom *
open_phantom (int width, int height, unsigned seed)
{
  OdlPhantomParams params = { width, height, seed, false };
  g_autoptr (GError) error = NULL;
  OdlPhantom *phantom = odl_phantom_new (&params, &error);
  g_assert_no_error (error);
  return phantom;
}

static OdlImage *
frame_of (OdlPhantom *phantom, int64_t index, bool clean)
{
  g_autoptr (GError) error = NULL;
  OdlImage *image = odl_phantom_frame (phantom, index, clean, NULL, &error);
  g_assert_no_error (error);
  return image;
}

static const uint8_t *
bytes_of (const OdlImage *image)
{
  return odl_image_info (image)->planes[0].data;
}

static size_t
count_of (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  return (size_t) info->extent.x * info->extent.y;
}

static double
psnr (const double *a, const double *b, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return 10.0 * log10 (255.0 * 255.0 * n / sum);
}

static double *
doubles_of (const OdlImage *image)
{
  size_t n = count_of (image);
  double *values = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    values[i] = bytes_of (image)[i];
  return values;
}

static void
test_parse_accepts (void)
{
  static const struct {
    const char *text;
    OdlPhantomParams expected;
  } cases[] = {
    { "phantom", { 512, 512, 1, false } },
    { "phantom:640x480", { 640, 480, 1, false } },
    { "phantom:16x4096,seed=4294967295", { 16, 4096, 4294967295u, false } },
    { "phantom,seed=7,clean", { 512, 512, 7, true } },
    { "phantom:256x300,clean,seed=0", { 256, 300, 0, true } },
    { "phantom:64x64,rate=12.5", { 64, 64, 1, false, 12.5 } },
    { "phantom,rate=1000", { 512, 512, 1, false, 1000 } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlPhantomParams params;
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_phantom_parse (cases[i].text, &params, &error));
    g_assert_no_error (error);
    g_assert_cmpint (params.width, ==, cases[i].expected.width);
    g_assert_cmpint (params.height, ==, cases[i].expected.height);
    g_assert_cmpuint (params.seed, ==, cases[i].expected.seed);
    const double rate = cases[i].expected.frame_rate;
    g_assert_cmpfloat (params.frame_rate, ==, rate > 0 ? rate : ODL_PHANTOM_FRAME_RATE);
    g_assert_cmpint (params.clean, ==, cases[i].expected.clean);
  }
}

static void
test_parse_refuses (void)
{
  static const char *const texts[] = {
    "",
    "phan",
    "phantomx",
    "phantom,rate=0",
    "phantom,rate=nan",
    "phantom,rate=1e9",
    "phantom,rate=fast",
    "phantom:",
    "phantom:512",
    "phantom:512x",
    "phantom:512x512x512",
    "phantom:15x512",
    "phantom:512x4097",
    "phantom:-512x512",
    "phantom: 512x512",
    "phantom:99999999999999999999x512",
    "phantom:512x512,",
    "phantom:512x512,seed=",
    "phantom:512x512,seed=-1",
    "phantom:512x512,seed=4294967296",
    "phantom:512x512,dirty",
    "phantom,512x512",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    OdlPhantomParams params = { 1, 2, 3, true };
    g_autoptr (GError) error = NULL;
    g_test_message ("“%s”", texts[i]);
    g_assert_false (odl_phantom_parse (texts[i], &params, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, texts[i]));
    g_assert_cmpint (params.width, ==, 1);
  }
}

static void
test_threads (void)
{
  g_autoptr (OdlPhantom) first = open_phantom (301, 222, 5);
  g_autoptr (OdlImage) a = frame_of (first, 17, false);
  int threads = odl_parallel_threads ();

  odl_parallel_set_threads (threads == 1 ? 3 : 1);
  g_autoptr (OdlPhantom) second = open_phantom (301, 222, 5);
  g_autoptr (OdlImage) before = frame_of (second, 3, false);
  g_autoptr (OdlImage) b = frame_of (second, 17, false);
  odl_parallel_set_threads (threads);
  g_assert_cmpmem (bytes_of (a), count_of (a), bytes_of (b), count_of (b));
  g_assert_cmpint (memcmp (bytes_of (a), bytes_of (before), count_of (a)), !=, 0);
}

static void
test_checksum (void)
{
  // Recorded once: another machine, compiler or libm must give the same picture.
  g_autoptr (OdlPhantom) phantom = open_phantom (256, 256, 1);
  g_autoptr (OdlImage) image = frame_of (phantom, 0, false);
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes_of (image),
                                                      count_of (image));
  g_assert_cmpstr (sum, ==,
                   "bb132e7807e3f769f98a855bbd0493ac7f50f1f89aac79bf590fa55017db3d08");
}

static void
test_seed (void)
{
  g_autoptr (OdlPhantom) first = open_phantom (128, 128, 1);
  g_autoptr (OdlPhantom) second = open_phantom (128, 128, 2);
  g_autoptr (OdlImage) a = frame_of (first, 0, false);
  g_autoptr (OdlImage) b = frame_of (second, 0, false);
  size_t equal = 0;

  for (size_t i = 0; i < count_of (a); i++)
    equal += bytes_of (a)[i] > 0 && bytes_of (a)[i] == bytes_of (b)[i];
  g_assert_cmpuint (equal, <, count_of (a) / 20);
}

static void
test_sizes (void)
{
  static const int sides[] = { 16, 17, 31, 64, 333, 1000 };

  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (sides); j++) {
      int width = sides[i], height = sides[j];
      g_autoptr (OdlPhantom) phantom = open_phantom (width, height, 9);
      g_autoptr (OdlImage) image = frame_of (phantom, 1, false);
      const uint8_t *bytes = bytes_of (image);
      size_t lit = 0;

      for (size_t k = 0; k < count_of (image); k++)
        lit += bytes[k] > 0;
      g_test_message ("%d×%d: %zu lit", width, height, lit);
      // The fan is in the frame, the frame's lower corners are not in the fan.
      g_assert_cmpuint (lit, >, (size_t) MIN (width, height) * MIN (width, height) / 8);
      g_assert_cmpuint (bytes[count_of (image) - 1], ==, 0);
      g_assert_cmpuint (bytes[count_of (image) - width], ==, 0);
    }
}

static void
test_limits (void)
{
  static const OdlPhantomParams bad[]
      = { { 15, 64, 1, false }, { 64, 4097, 1, false }, { 0, 0, 1, false } };

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_phantom_new (&bad[i], &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
}

// Envelope of homogeneous resting tissue, all beams.
static GArray *
tissue_envelope (const OdlPhantom *phantom)
{
  const OdlPhantomGrid *grid = odl_phantom_grid (phantom);
  g_autofree float *noisy = g_new (float, grid->n_ranges);
  g_autofree float *clean = g_new (float, grid->n_ranges);
  double tissue = pow (10.0, ODL_PHANTOM_TISSUE_DB / 10.0) * exp (-0.57721566490153286);
  GArray *envelope = g_array_new (FALSE, FALSE, sizeof (double));

  for (int beam = 0; beam < grid->n_beams; beam++) {
    odl_phantom_beam_power (phantom, 0, beam, false, noisy);
    odl_phantom_beam_power (phantom, 0, beam, true, clean);
    for (int i = 0; i < grid->n_ranges; i++) {
      double value = sqrt (noisy[i]);
      if (fabs (clean[i] / tissue - 1.0) < 1e-4)
        g_array_append_val (envelope, value);
    }
  }
  return envelope;
}

static void
test_rayleigh (void)
{
  for (unsigned seed = 1; seed <= 3; seed++) {
    g_autoptr (OdlPhantom) phantom = open_phantom (512, 512, seed);
    g_autoptr (GArray) envelope = tissue_envelope (phantom);
    double sum = 0.0, square = 0.0;
    size_t below = 0;

    g_assert_cmpuint (envelope->len, >, 50000);
    for (guint i = 0; i < envelope->len; i++) {
      double value = g_array_index (envelope, double, i);
      sum += value;
      square += value * value;
    }
    double mean = sum / envelope->len;
    double power = square / envelope->len;
    double sigma = sqrt (power - mean * mean);
    // The Rayleigh distribution function at its median.
    for (guint i = 0; i < envelope->len; i++)
      below += g_array_index (envelope, double, i) < sqrt (power * G_LN2);

    g_test_message ("seed %u: mean/sigma %.3f, below the median %.3f", seed, mean / sigma,
                    below / (double) envelope->len);
    g_assert_cmpfloat_with_epsilon (mean / sigma, 1.9131, 0.05 * 1.9131);
    g_assert_cmpfloat_with_epsilon (below / (double) envelope->len, 0.5, 0.02);
  }
}

// Correlation of the detected power at a distance, in samples of the frame, along x or y.
static double
correlation (const OdlImage *a,
             const OdlImage *b,
             int x0,
             int y0,
             int side,
             int dx,
             int dy)
{
  int stride = odl_image_info (a)->extent.x;
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  int n = side * side;

  for (int y = y0; y < y0 + side; y++)
    for (int x = x0; x < x0 + side; x++) {
      double va = bytes_of (a)[y * stride + x];
      double vb = bytes_of (b)[(y + dy) * stride + x + dx];
      sa += va, sb += vb, saa += va * va, sbb += vb * vb, sab += va * vb;
    }
  return (sab - sa * sb / n) / sqrt ((saa - sa * sa / n) * (sbb - sb * sb / n));
}

static void
test_resolution (void)
{
  g_autoptr (OdlPhantom) phantom = open_phantom (1024, 1024, 1);
  g_autoptr (OdlImage) image = frame_of (phantom, 0, false);
  double near_lateral = correlation (image, image, 482, 280, 60, 4, 0);
  double far_lateral = correlation (image, image, 390, 810, 60, 4, 0);
  double far_axial = correlation (image, image, 390, 810, 60, 0, 4);

  g_test_message ("lateral %.3f near, %.3f far; axial %.3f", near_lateral, far_lateral,
                  far_axial);
  g_assert_cmpfloat (far_lateral, >, near_lateral + 0.2);
  g_assert_cmpfloat (far_lateral, >, far_axial + 0.2);
}

static void
test_motion (void)
{
  g_autoptr (OdlPhantom) phantom = open_phantom (512, 512, 1);
  g_autoptr (OdlImage) rest = frame_of (phantom, 0, true);
  g_autoptr (OdlImage) period = frame_of (phantom, ODL_PHANTOM_PERIOD, true);
  g_autoptr (OdlImage) beat = frame_of (phantom, 14, true);

  g_assert_cmpmem (bytes_of (rest), count_of (rest), bytes_of (period),
                   count_of (period));
  g_assert_cmpint (memcmp (bytes_of (rest), bytes_of (beat), count_of (rest)), !=, 0);

  // Tissue just above the wall: where its speckle is best found again in the next frames
  // must be farther down, by more and more, and alike enough to be recognised.
  g_autoptr (OdlImage) first = frame_of (phantom, 0, false);
  int previous = 0;
  for (int index = 5; index <= 14; index += 3) {
    g_autoptr (OdlImage) later = frame_of (phantom, index, false);
    int best = 0;
    double best_correlation = -1.0;
    for (int dy = -4; dy <= 24; dy++) {
      double c = correlation (first, later, 276, 300, 16, 0, dy);
      if (c > best_correlation)
        best_correlation = c, best = dy;
    }
    g_test_message ("frame %d: %d down, correlation %.3f", index, best, best_correlation);
    g_assert_cmpint (best, >, previous);
    g_assert_cmpfloat (best_correlation, >, 0.8);
    previous = best;
  }
}

static void
test_noise_changes (void)
{
  // The same wall position one period later, another electronic noise.
  g_autoptr (OdlPhantom) phantom = open_phantom (512, 512, 1);
  g_autoptr (OdlImage) a = frame_of (phantom, 0, false);
  g_autoptr (OdlImage) b = frame_of (phantom, ODL_PHANTOM_PERIOD, false);

  g_assert_cmpint (memcmp (bytes_of (a), bytes_of (b), count_of (a)), !=, 0);
}

static void
soften (double *data, int width, int height, int levels, double threshold)
{
  int low_x = odl_level_size (width, levels);
  int low_y = odl_level_size (height, levels);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double *v = &data[(size_t) y * width + x];
      if (x >= low_x || y >= low_y)
        *v = copysign (fmax (fabs (*v) - threshold, 0.0), *v);
    }
}

static void
test_denoising_pays (void)
{
  enum { SIDE = 512, LEVELS = 3 };
  const OdlTransform transform = odl_transform_of (odl_wavelet_find ("cdf97"));
  g_autoptr (OdlPhantom) phantom = open_phantom (SIDE, SIDE, 1);
  g_autoptr (OdlImage) noisy = frame_of (phantom, 0, false);
  g_autoptr (OdlImage) clean = frame_of (phantom, 0, true);
  g_autofree double *a = doubles_of (noisy);
  g_autofree double *b = doubles_of (clean);
  double before = psnr (a, b, count_of (noisy));

  odl_transform_forward_2d (&transform, a, SIDE, SIDE, SIDE, LEVELS);
  soften (a, SIDE, SIDE, LEVELS, 0.08 * 255.0);
  odl_transform_inverse_2d (&transform, a, SIDE, SIDE, SIDE, LEVELS);
  double after = psnr (a, b, count_of (noisy));
  g_test_message ("PSNR %.2f dB before, %.2f dB after", before, after);
  g_assert_cmpfloat (before, >, 18.0);
  g_assert_cmpfloat (before, <, 28.0);
  g_assert_cmpfloat (after, >, before + 1.0);
}

static void
test_description (void)
{
  g_autoptr (OdlPhantom) phantom = open_phantom (640, 480, 1);
  g_autoptr (OdlImage) image = frame_of (phantom, 25, false);
  const OdlImageInfo *info = odl_image_info (image);

  g_assert_cmpint (info->extent.x, ==, 640);
  g_assert_cmpint (info->extent.y, ==, 480);
  g_assert_cmpint (info->channels, ==, 1);
  g_assert_cmpint (info->type, ==, ODL_SAMPLE_U8);
  g_assert_cmpint (info->pts_ns, ==, 1000000000);
  g_assert_cmpfloat (info->spacing_mm[0], >, 0.1);
  g_assert_cmpfloat (info->spacing_mm[0], ==, info->spacing_mm[1]);
}

// Its frames have the times of its rate.
static void
test_rate (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open ("phantom:64x64,rate=200", NULL, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) image = odl_source_read_frame (source, 3, NULL, &error);
  g_assert_no_error (error);

  g_assert_cmpint (odl_image_info (image)->pts_ns, ==, 15000000);
  g_assert_cmpfloat (odl_image_info (image)->frame_interval_ms, ==, 5);
}

// A pool of one block, filled with ones.
static guint8 pool_memory[64 * 64];
static bool pool_is_lent;

static OdlImageBlock pool_block = { .data = pool_memory, .size = sizeof pool_memory };

static OdlImageBlock *
pool_take (OdlImagePool *pool, size_t size)
{
  if (pool_is_lent || size > sizeof pool_memory)
    return NULL;
  pool_is_lent = true;
  pool_block.pool = pool;
  return &pool_block;
}

static void
pool_give (OdlImageBlock *block)
{
  g_assert_true (block == &pool_block);
  pool_is_lent = false;
}

static void
pool_free (OdlImagePool *pool)
{
  g_free (pool);
}

static void
frames_are_made_in_the_pool (void)
{
  static const OdlImagePoolClass klass = { pool_take, pool_give, pool_free };
  g_autoptr (OdlImagePool) pool = g_new0 (OdlImagePool, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open ("phantom:64x64", NULL, &error);

  g_assert_no_error (error);
  pool->klass = &klass;
  g_atomic_ref_count_init (&pool->ref_count);
  memset (pool_memory, 1, sizeof pool_memory);
  g_autoptr (OdlImage) ordinary = odl_source_read_frame (source, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (odl_image_block (ordinary));

  odl_source_set_pool (source, pool);
  OdlImage *lent = odl_source_read_frame (source, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (odl_image_block (lent) == &pool_block);
  g_assert_cmpmem (pool_memory, sizeof pool_memory,
                   odl_image_info (ordinary)->planes[0].data, 64 * 64);
  // None is free: ordinary memory, the same picture.
  g_autoptr (OdlImage) next = odl_source_read_frame (source, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (odl_image_block (next));
  g_assert_cmpmem (pool_memory, sizeof pool_memory, odl_image_info (next)->planes[0].data,
                   64 * 64);
  // A new description of it holds the block as well.
  OdlImage *view = odl_image_with_info (lent, odl_image_info (lent));
  odl_image_unref (lent);
  g_assert_true (odl_image_block (view) == &pool_block);
  g_assert_true (pool_is_lent);
  odl_image_unref (view);
  g_assert_false (pool_is_lent);
  odl_source_set_pool (source, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phantom/frames-have-the-times-of-its-rate", test_rate);
  g_test_add_func ("/phantom/reads-every-specification", test_parse_accepts);
  g_test_add_func ("/phantom/refuses-invalid-specifications", test_parse_refuses);
  g_test_add_func ("/phantom/is-the-same-for-any-number-of-threads", test_threads);
  g_test_add_func ("/phantom/is-the-same-on-every-machine", test_checksum);
  g_test_add_func ("/phantom/differs-with-the-seed", test_seed);
  g_test_add_func ("/phantom/fills-frames-of-any-size", test_sizes);
  g_test_add_func ("/phantom/refuses-sizes-beyond-its-limits", test_limits);
  g_test_add_func ("/phantom/has-rayleigh-speckle", test_rayleigh);
  g_test_add_func ("/phantom/resolves-worse-across-the-beam-and-with-depth",
                   test_resolution);
  g_test_add_func ("/phantom/moves-speckle-with-the-wall", test_motion);
  g_test_add_func ("/phantom/has-new-noise-in-every-frame", test_noise_changes);
  g_test_add_func ("/phantom/gains-from-denoising", test_denoising_pays);
  g_test_add_func ("/phantom/describes-its-frames", test_description);
  g_test_add_func ("/phantom/frames-are-made-in-the-pool", frames_are_made_in_the_pool);
  return g_test_run ();
}
