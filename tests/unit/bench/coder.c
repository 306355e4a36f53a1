// SPDX-License-Identifier: MIT
// The schemes of the coder's transform against the reference transform, in all their
// combinations; figures of A. T. Eskildsen et al. 2012, corrected where they are wrong.
#include "coder/coder.h"

#include <math.h>

#include "../../helpers/images.h"
#include "../../helpers/transform_2d.h"
#include "../../kernels/fixtures.h"
#include "base/parallel.h"

#define BOUND 2e-5 // of samples in 0 … 1, in units of a band's gain

static void
describe (const OdlCoderParams *params, char text[160])
{
  g_snprintf (text, 160, "%s, %s, %s, %s border, %d×%d, %d levels",
              odl_coder_schemes[params->scheme], odl_coder_methods[params->method],
              params->wavelet != NULL ? params->wavelet->name : "cdf97",
              params->border == ODL_BORDER_PERIODIC ? "periodic" : "mirrored",
              params->width, params->height, params->levels);
}

static OdlTransform
transform_of (const OdlCoderParams *params)
{
  return (OdlTransform){ .wavelet = params->wavelet != NULL ? params->wavelet
                                                            : odl_wavelet_find ("cdf97"),
                         .border = params->border };
}

// What the source's normalisation makes of the coefficient at (x, y).
static double
gain_at (const OdlCoderParams *params, int x, int y)
{
  double gain = 1;

  for (int l = 0; l < params->levels; l++) {
    const bool high_x = x >= odl_level_size (params->width, l + 1);
    const bool high_y = y >= odl_level_size (params->height, l + 1);
    gain *= (high_x ? sqrt (0.5) : sqrt (2)) * (high_y ? sqrt (0.5) : sqrt (2));
    if (high_x || high_y)
      break;
  }
  return gain;
}

static double *
samples_of (OdlImage *image, int channel)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  double *data = g_new (double, extent.x *extent.y);
  g_autofree float *row = g_new (float, extent.x);

  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (image, channel, y, 0, 0, row);
    for (int x = 0; x < extent.x; x++)
      data[y * extent.x + x] = row[x];
  }
  return data;
}

// Largest difference between what the coder holds and `data`, which has no gains yet.
static double
difference (const OdlCoder *coder,
            const OdlCoderParams *params,
            const double *data,
            int channel,
            bool coefficients)
{
  const int width = params->width;
  g_autofree float *row = g_new (float, width);
  double largest = 0;

  for (int y = 0; y < params->height; y++) {
    odl_coder_read_row (coder, channel, y, row);
    for (int x = 0; x < width; x++) {
      const double gain = coefficients ? gain_at (params, x, y) : 1;
      const double error = fabs (row[x] / gain - data[y * width + x]);
      largest = isfinite (error) ? fmax (largest, error) : INFINITY;
    }
  }
  return largest;
}

static void
check (const OdlCoderParams *params)
{
  char text[160];

  describe (params, text);
  if (!odl_coder_suits (params))
    return;
  g_autoptr (OdlImage) image = make_noise (params->width, params->height,
                                           params->channels, params->levels, 0, 1);
  g_autoptr (OdlCoder) coder = odl_coder_new (params);
  const OdlTransform transform = transform_of (params);
  const double bound
      = BOUND * (params->wavelet == NULL ? 1 : 1 + transform.wavelet->l2_high);

  odl_coder_load (coder, image);
  odl_coder_forward (coder);
  for (int c = 0; c < params->channels; c++) {
    g_autofree double *data = samples_of (image, c);
    odl_transform_forward_2d (&transform, data, params->width, params->height,
                              params->width, params->levels);
    const double error = difference (coder, params, data, c, true);
    if (!(error < bound))
      g_error ("%s: coefficients differ by %g", text, error);
    // The way back from the reference's coefficients: two mistakes must not cancel.
    g_autofree float *row = g_new (float, params->width);
    for (int y = 0; y < params->height; y++) {
      for (int x = 0; x < params->width; x++)
        row[x] = (float) (data[y * params->width + x] * gain_at (params, x, y));
      odl_coder_write_row (coder, c, y, row);
    }
  }
  odl_coder_inverse (coder);
  for (int c = 0; c < params->channels; c++) {
    g_autofree double *data = samples_of (image, c);
    const double error = difference (coder, params, data, c, false);
    if (!(error < 4 * bound))
      g_error ("%s: samples differ by %g", text, error);
  }
}

static void
check_all (OdlCoderParams params)
{
  static const OdlBorder borders[] = { ODL_BORDER_WHOLE_SAMPLE, ODL_BORDER_PERIODIC };

  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++)
    for (int method = 0; method < ODL_CODER_N_METHODS; method++)
      for (int b = 0; b < 2; b++) {
        params.scheme = scheme;
        params.method = method;
        params.border = borders[b];
        check (&params);
      }
}

static void
test_sizes (void)
{
  for (int n = 1; n <= 67; n++) {
    const int sizes[][2] = { { n, n }, { n, 68 - n }, { 1, n }, { n, 1 } };
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const int most = odl_max_levels (sizes[s][0], sizes[s][1]);
      for (int levels = 1; levels <= most; levels++)
        check_all ((OdlCoderParams){ .width = sizes[s][0],
                                     .height = sizes[s][1],
                                     .channels = 1,
                                     .levels = levels });
    }
  }
}

static void
test_larger (void)
{
  static const int sizes[][3] = { { 256, 256, 8 }, { 213, 120, 2 }, { 333, 511, 5 } };

  for (int threads = 1; threads <= 3; threads += 2) {
    odl_parallel_set_threads (threads);
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
      check_all ((OdlCoderParams){ .width = sizes[s][0],
                                   .height = sizes[s][1],
                                   .channels = 3,
                                   .levels = sizes[s][2] });
  }
  odl_parallel_set_threads (2);
}

static void
test_wavelets (void)
{
  int seen = 0;

  for (size_t i = 0; i < odl_wavelet_count (); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    // Those that magnify rounding have tests of their own.
    if (wavelet->l2_high > 3 || wavelet->l2_low > 1.5)
      continue;
    seen++;
    check_all ((OdlCoderParams){
        .wavelet = wavelet, .width = 46, .height = 33, .channels = 1, .levels = 2 });
    check_all ((OdlCoderParams){
        .wavelet = wavelet, .width = 32, .height = 64, .channels = 1, .levels = 3 });
  }
  g_assert_cmpint (seen, >, 40);
}

// ---- the source's figures
// --------------------------------------------------------------

static OdlCoderCosts
costs_of (OdlCoderScheme scheme, OdlCoderMethod method, int levels)
{
  const OdlCoderParams params = { .scheme = scheme,
                                  .method = method,
                                  .width = 1920,
                                  .height = 1080,
                                  .channels = 3,
                                  .levels = levels };
  g_autoptr (OdlCoder) coder = odl_coder_new (&params);

  return odl_coder_costs (coder);
}

static void
test_costs (void)
{
  const double samples = 1920 * 1080 * 3;
  const OdlCoderCosts rows = costs_of (ODL_CODER_ROW_COLUMN, ODL_CODER_FILTERING, 1);
  const OdlCoderCosts lines = costs_of (ODL_CODER_LINE, ODL_CODER_FILTERING, 1);
  const OdlCoderCosts blocks = costs_of (ODL_CODER_BLOCK, ODL_CODER_FILTERING, 1);

  g_assert_cmpfloat (rows.operations, ==, 30 * samples); // 187 million
  g_assert_cmpfloat (lines.operations, ==, 30 * samples);
  g_assert_cmpfloat (blocks.operations, ==, 161 * samples); // 1001.5 million
  for (int s = ODL_CODER_ROW_COLUMN; s <= ODL_CODER_STREAM; s++)
    if (s != ODL_CODER_BLOCK)
      g_assert_cmpfloat (costs_of (s, ODL_CODER_LIFTING, 1).operations, ==, 14 * samples);
  // The second level: 47 and 250.4 million.
  g_assert_cmpfloat (costs_of (ODL_CODER_ROW_COLUMN, ODL_CODER_FILTERING, 2).operations,
                     ==, 30 * samples * 1.25);
  g_assert_cmpfloat (costs_of (ODL_CODER_BLOCK, ODL_CODER_FILTERING, 2).operations, ==,
                     161 * samples * 1.25);
  // In place; nine rows (the source's 29 kB lack the 4 bytes of a float); four masks.
  g_assert_cmpfloat (rows.picture_bytes, ==, 12.0 * 1920 * 1080);
  g_assert_cmpfloat (lines.work_bytes, ==, 69120);
  g_assert_cmpfloat (blocks.work_bytes, ==, 1296);
  g_assert_cmpfloat (blocks.picture_bytes, ==, 2 * 12.0 * 1920 * 1080); // 49.7 MB
}

// How often both sides can be halved, its table 6.1; 7680 × 4320 is missing there.
static void
test_levels (void)
{
  static const int sizes[][3]
      = { { 852, 480, 2 },   { 1280, 720, 4 },  { 1920, 1080, 3 },
          { 3840, 2160, 4 }, { 4520, 2540, 2 }, { 7680, 4320, 5 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int levels = 1; levels <= 7; levels++) {
      const OdlCoderParams params = { .scheme = ODL_CODER_BLOCK,
                                      .border = ODL_BORDER_PERIODIC,
                                      .width = sizes[i][0],
                                      .height = sizes[i][1],
                                      .channels = 3,
                                      .levels = levels };
      g_assert_true (odl_coder_suits (&params) == (levels <= sizes[i][2]));
    }
}

// The response to an impulse is the source's table 2.1, and its table 2.2 with the other
// sign.
static void
test_taps (void)
{
  static const double low[]
      = { 0.85269868, 0.37740286, -0.11062440, -0.023849465, 0.037828456 };
  static const double high[] = { 0.78848562, -0.41809227, -0.040689418, 0.064538883 };
  OdlCoderParams params = {
    .width = 16, .height = 1, .channels = 1, .levels = 1, .border = ODL_BORDER_PERIODIC
  };

  for (params.method = 0; params.method < ODL_CODER_N_METHODS; params.method++)
    for (int at = 0; at < 16; at++) {
      float row[16];
      void *samples;
      g_autoptr (OdlImage) image = odl_test_image (16, 1, 1, ODL_SAMPLE_F32, &samples);
      ((float *) samples)[at] = 1;
      g_autoptr (OdlCoder) coder = odl_coder_new (&params);
      odl_coder_load (coder, image);
      odl_coder_forward (coder);
      odl_coder_read_row (coder, 0, 0, row);
      for (int i = 0; i < 8; i++) {
        // Of a single row the vertical step makes √2 times the same.
        const int from_low = abs ((at - 2 * i + 24) % 16 - 8);
        const int from_high = abs ((at - 2 * i - 1 + 24) % 16 - 8);
        g_assert_cmpfloat_with_epsilon (row[i] / sqrt (2),
                                        from_low <= 4 ? low[from_low] : 0, 2e-7);
        g_assert_cmpfloat_with_epsilon (row[8 + i] / sqrt (2),
                                        from_high <= 3 ? high[from_high] : 0, 2e-7);
      }
    }
}

static void
transform_line (const char *wavelet, const float *line, int n, int levels, double *out)
{
  const OdlCoderParams params = { .wavelet = odl_wavelet_find (wavelet),
                                  .border = ODL_BORDER_PERIODIC,
                                  .width = n,
                                  .height = 1,
                                  .channels = 1,
                                  .levels = levels };
  g_autofree float *row = g_new (float, n);
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (n, 1, 1, ODL_SAMPLE_F32, &samples);
  g_autoptr (OdlCoder) coder = odl_coder_new (&params);

  memcpy (samples, line, n * sizeof (float));
  odl_coder_load (coder, image);
  odl_coder_forward (coder);
  odl_coder_read_row (coder, 0, 0, row);
  for (int i = 0; i < n; i++) {
    int level = levels;
    while (level > 1 && i >= n >> level && i >= n >> (level - 1))
      level--;
    out[i] = row[i] / pow (2, level / 2.0); // of the vertical steps, which only copy
  }
}

// Its table 2.4, where 15 and 0.5 are printed with the wrong sign.
static void
test_haar (void)
{
  static const float line[] = { 24, 8, 18, 36, 18, 18, 12, 42 };
  static const double want[][8] = { { 16, 27, 18, 27, -8, 9, 0, 15 },
                                    { 21.5, 22.5, 5.5, 4.5, -8, 9, 0, 15 },
                                    { 22, 0.5, 5.5, 4.5, -8, 9, 0, 15 } };
  double got[8];

  for (int levels = 1; levels <= 3; levels++) {
    transform_line ("haar", line, 8, levels, got);
    for (int i = 0; i < 8; i++) {
      const int level = i < 8 >> levels ? levels : i < 2 ? 3 : i < 4 ? 2 : 1;
      // Means and half differences instead of an orthonormal pair.
      g_assert_cmpfloat_with_epsilon (got[i] / pow (2, level / 2.0), want[levels - 1][i],
                                      1e-5);
    }
  }
}

// A ramp, orthonormal and periodic: where the source has 16.9 for 16, and no sign at the
// end, it is wrong.
static void
test_ramp (void)
{
  static const double haar[] = { 87.681, -45.255, -16, -5.657, -2, -0.707 };
  static const double d4[32]
      = { 87.681,  -31.459,      6.405,   -29.530,       [6] = 3.623,
          -21.149, [14] = 1.464, -15.321, [31] = -11.314 };
  float line[32];
  double got[32];

  for (int i = 0; i < 32; i++)
    line[i] = (float) i;
  transform_line ("haar", line, 32, 5, got);
  for (int i = 0; i < 32; i++) {
    const int band = i == 0 ? 0 : (int) floor (log2 (i)) + 1;
    // Its g is the negative of the high-pass filter here.
    g_assert_cmpfloat_with_epsilon (i == 0 ? got[i] : -got[i], haar[band], 6e-4);
  }
  // D4 level by level: its filters begin at 2n, ours a sample earlier.
  for (int n = 32; n > 1; n /= 2) {
    const float first = line[0];
    memmove (line, line + 1, (n - 1) * sizeof (float));
    line[n - 1] = first;
    transform_line ("db2", line, n, 1, got);
    for (int i = 0; i < n; i++) {
      line[i] = (float) got[i];
      if (i >= n / 2 || n == 2)
        g_assert_cmpfloat_with_epsilon (got[i], d4[i], 6e-4);
    }
  }
}

// ---- pictures
// --------------------------------------------------------------------------

// The source loses 45 to 113 dB depending on the distance from the border (its listing
// 5.9), because of an index that is neither periodic nor mirrored.
static void
test_reconstruction (void)
{
  g_autoptr (OdlImage) image = make_noise (640, 360, 3, 7, 0, 1);

  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++)
    for (int method = 0; method < ODL_CODER_N_METHODS; method++)
      for (OdlBorder border = 0; border <= ODL_BORDER_PERIODIC; border++) {
        const OdlCoderParams params
            = { scheme, method, NULL, border, 640, 360, 3, 3, false, false };
        char text[160];
        describe (&params, text);
        if (!odl_coder_suits (&params))
          continue;
        g_autoptr (OdlCoder) coder = odl_coder_new (&params);
        odl_coder_load (coder, image);
        odl_coder_forward (coder);
        odl_coder_inverse (coder);
        for (int distance = 0; distance <= 20; distance++) {
          const double psnr = odl_coder_psnr (coder, image, distance, distance + 1);
          if (!(psnr > 130))
            g_error ("%s: %.1f dB at %d from the border", text, psnr, distance);
        }
        g_assert_cmpfloat (odl_coder_psnr (coder, image, 0, G_MAXINT), >, 130);
      }
}

static void
test_clamp (void)
{
  g_autoptr (OdlImage) image = make_noise (40, 24, 1, 3, -1, 2);

  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++)
    for (int clamp = 0; clamp < 2; clamp++) {
      const OdlCoderParams params
          = { .scheme = scheme,
              .method
              = scheme == ODL_CODER_BLOCK ? ODL_CODER_FILTERING : ODL_CODER_LIFTING,
              .width = 40,
              .height = 24,
              .channels = 1,
              .levels = 2,
              .clamp = clamp == 1 };
      g_autoptr (OdlCoder) coder = odl_coder_new (&params);
      float row[40], least = 9, most = -9;
      odl_coder_load (coder, image);
      odl_coder_forward (coder);
      odl_coder_inverse (coder);
      for (int y = 0; y < 24; y++) {
        odl_coder_read_row (coder, 0, y, row);
        for (int x = 0; x < 40; x++) {
          least = fminf (least, row[x]);
          most = fmaxf (most, row[x]);
        }
      }
      g_assert_true ((least >= 0 && most <= 1) == (clamp == 1));
    }
}

// Padding makes a square with zeros, which is transformed to its last sample.
static void
test_padding (void)
{
  g_autoptr (OdlImage) image = make_noise (100, 60, 3, 4, 0, 1);
  g_autoptr (OdlImage) square = NULL;
  g_autofree float *a = g_new (float, 128), *b = g_new (float, 128);
  void *samples;

  square = odl_test_image (128, 128, 3, ODL_SAMPLE_F32, &samples);
  for (int y = 0; y < 60; y++)
    for (int c = 0; c < 3; c++) {
      odl_image_scaled_row (image, c, y, 0, 0, a);
      for (int x = 0; x < 100; x++)
        ((float *) samples)[(y * 128 + x) * 3 + c] = a[x];
    }
  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++) {
    OdlCoderParams params
        = { .scheme = scheme,
            .method = scheme == ODL_CODER_BLOCK ? ODL_CODER_FILTERING : ODL_CODER_LIFTING,
            .width = 100,
            .height = 60,
            .channels = 3,
            .padded = true };
    g_autoptr (OdlCoder) padded = odl_coder_new (&params);
    g_assert_cmpint (odl_coder_levels (&params), ==, 7);
    params.padded = false;
    params.width = params.height = 128;
    g_autoptr (OdlCoder) whole = odl_coder_new (&params);
    odl_coder_load (padded, image);
    odl_coder_load (whole, square);
    odl_coder_forward (padded);
    odl_coder_forward (whole);
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < 128; y++) {
        odl_coder_read_row (padded, c, y, a);
        odl_coder_read_row (whole, c, y, b);
        g_assert_cmpmem (a, 128 * sizeof (float), b, 128 * sizeof (float));
      }
    odl_coder_inverse (padded);
    g_assert_cmpfloat (odl_coder_psnr (padded, image, 0, G_MAXINT), >, 125);
  }
}

// Two pictures in turn: the sums of their coefficients are the same every time, and with
// any number of threads.
static void
test_checksum (void)
{
  g_autoptr (OdlImage) first = make_noise (300, 200, 3, 1, 0, 1);
  g_autoptr (OdlImage) second = make_noise (300, 200, 3, 2, 0, 1);
  OdlImage *images[] = { first, second };

  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++) {
    double sums[2] = { 0 };
    for (int run = 0; run < 8; run++) {
      odl_parallel_set_threads (1 + run / 4 * 2);
      const OdlCoderParams params
          = { .scheme = scheme,
              .method
              = scheme == ODL_CODER_BLOCK ? ODL_CODER_FILTERING : ODL_CODER_LIFTING,
              .width = 300,
              .height = 200,
              .channels = 3,
              .levels = 3 };
      g_autoptr (OdlCoder) coder = odl_coder_new (&params);
      odl_coder_load (coder, images[run % 2]);
      odl_coder_forward (coder);
      const double sum = odl_coder_checksum (coder);
      if (run < 2)
        sums[run] = sum;
      g_assert_cmpfloat (sum, ==, sums[run % 2]);
    }
    g_assert_cmpfloat (sums[0], !=, sums[1]);
  }
  odl_parallel_set_threads (2);
}

// 8-bit samples, interleaved, and the way back to them.
static void
test_bytes (void)
{
  g_autofree uint8_t *pixels = g_new (uint8_t, 70 * 50 * 3);
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (70, 50, 3, ODL_SAMPLE_U8, &samples);

  for (int i = 0; i < 70 * 50 * 3; i++)
    ((uint8_t *) samples)[i] = (uint8_t) (i * 2654435761u >> 24);
  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++) {
    const OdlCoderParams params
        = { .scheme = scheme,
            .method = scheme == ODL_CODER_BLOCK ? ODL_CODER_FILTERING : ODL_CODER_LIFTING,
            .width = 70,
            .height = 50,
            .channels = 3,
            .levels = 3 };
    g_autoptr (OdlCoder) coder = odl_coder_new (&params);
    odl_coder_load (coder, image);
    odl_coder_forward (coder);
    odl_coder_inverse (coder);
    odl_coder_store (coder, pixels);
    g_assert_cmpmem (pixels, 70 * 50 * 3, samples, 70 * 50 * 3);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  odl_parallel_set_threads (2);
  g_test_add_func ("/coder/every-scheme-equals-the-reference-on-1-to-67", test_sizes);
  g_test_add_func ("/coder/larger-colour-pictures-on-1-and-3-threads", test_larger);
  g_test_add_func ("/coder/other-wavelets", test_wavelets);
  g_test_add_func ("/coder/operations-and-memory-are-the-published-ones", test_costs);
  g_test_add_func ("/coder/levels-of-hd-sizes", test_levels);
  g_test_add_func ("/coder/taps-are-those-of-tables-2.1-and-2.2", test_taps);
  g_test_add_func ("/coder/haar-example", test_haar);
  g_test_add_func ("/coder/ramp-in-haar-and-d4", test_ramp);
  g_test_add_func ("/coder/130-db-at-every-distance-from-the-border",
                   test_reconstruction);
  g_test_add_func ("/coder/clamping-can-be-switched", test_clamp);
  g_test_add_func ("/coder/padding-and-cropping", test_padding);
  g_test_add_func ("/coder/checksums-do-not-vary", test_checksum);
  g_test_add_func ("/coder/8-bit-pictures", test_bytes);
  return g_test_run ();
}
