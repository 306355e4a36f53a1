// SPDX-License-Identifier: MIT
// The reference engine by property: what every filter must do whatever executes it.
#include <glib.h>
#include <math.h>
#include <string.h>

#include "engine/engine.h"

#include "../../helpers/images.h"
#include "../../helpers/plans.h"

static OdlImage *
make_image (int width, int height, int channels, double (*value) (int x, int y, int c))
{
  float *samples;
  OdlImage *image = odl_test_image (width, height, channels, ODL_SAMPLE_F32, &samples);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++)
        *samples++ = (float) value (x, y, c);
  return image;
}

static double
texture (int x, int y, int c)
{
  return 0.5 + 0.3 * sin (x * 0.9 + c) * cos (y * 0.7)
         + 0.1 * ((x * 7 + y * 13) % 5 - 2) / 2;
}

static double
constant (int x, int y, int c)
{
  return 0.3 + 0.2 * c;
}

static double
impulse (int x, int y, int c)
{
  return x == 8 && y == 8;
}

static OdlImage *
process (const char *text, OdlImage *input)
{
  g_autoptr (OdlPlan) plan = odl_test_plan (text, input);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("reference"), &error);
  OdlImage *result = odl_engine_process (engine, plan, input, &error);
  g_assert_no_error (error);
  return result;
}

static float
sample (OdlImage *image, int x, int y, int c)
{
  g_autofree float *row = g_new (float, odl_image_info (image)->extent.x);

  odl_image_scaled_row (image, c, y, 0, 0, row);
  return row[x];
}

static double
difference (OdlImage *a, OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (a);
  double largest = 0;

  g_assert_cmpint (info->channels, ==, odl_image_info (b)->channels);
  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++)
      for (int x = 0; x < info->extent.x; x++)
        largest = MAX (largest, fabs (sample (a, x, y, c) - sample (b, x, y, c)));
  return largest;
}

// Neutral parameters change nothing.
static void
test_identities (void)
{
  static const char *const neutral[]
      = { "",
          "pass-through",
          "gaussian:sigma=0",
          "sharpen:amount=0",
          "soft-threshold:threshold=0",
          "hard-threshold:threshold=0,levels=16",
          "shrinkage:thresholds=0,wavelet=cdf53",
          "shrinkage:thresholds=0,transform=dual-tree",
          "bivariate:sigma=0",
          "soft-threshold:threshold=0 gaussian:sigma=0 shrinkage:thresholds=0" };

  for (int size = 1; size <= 41; size += 8)
    for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1)
      for (size_t i = 0; i < G_N_ELEMENTS (neutral); i++) {
        g_autoptr (OdlImage) input = make_image (size, 42 - size, channels, texture);
        g_autoptr (OdlImage) result = process (neutral[i], input);
        g_assert_cmpfloat (difference (input, result), <, 1e-6);
        g_autofree char *luma = g_strconcat (neutral[i], " colour=luma", NULL);
        g_autoptr (OdlImage) second = process (luma, input);
        g_assert_cmpfloat (difference (input, second), <, 1e-6);
      }
}

static void
test_constants (void)
{
  static const char *const any[] = { "gaussian:sigma=3", "sharpen:amount=3,neighbours=8",
                                     "soft-threshold:threshold=0.2,levels=5",
                                     "hard-threshold:threshold=1", "shrinkage" };

  for (size_t i = 0; i < G_N_ELEMENTS (any); i++) {
    g_autoptr (OdlImage) input = make_image (37, 22, 3, constant);
    g_autoptr (OdlImage) result = process (any[i], input);
    g_assert_cmpfloat (difference (input, result), <, 1e-6);
  }
}

static void
test_sharpen_signs (void)
{
  g_autoptr (OdlImage) input = make_image (17, 17, 1, impulse);
  g_autoptr (OdlImage) four = process ("sharpen:amount=0.5,neighbours=4", input);
  g_autoptr (OdlImage) eight = process ("sharpen:amount=0.5,neighbours=8", input);

  g_assert_cmpfloat_with_epsilon (sample (four, 8, 8, 0), 3, 1e-6);
  g_assert_cmpfloat_with_epsilon (sample (four, 7, 8, 0), -0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (sample (four, 7, 7, 0), 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (sample (eight, 8, 8, 0), 5, 1e-6);
  g_assert_cmpfloat_with_epsilon (sample (eight, 7, 7, 0), -0.5, 1e-6);
}

// Soft and hard shrinkage of one level, sample by sample. Returns the number of details
// that lie exactly at the threshold.
static int
check_thresholds (const char *wavelet,
                  double threshold,
                  double (*value) (int x, int y, int c))
{
  g_autoptr (OdlImage) input = make_image (40, 30, 1, value);
  g_autofree char *words = g_strdup_printf ("levels=1,wavelet=%s,threshold=%g view=%s",
                                            wavelet, threshold, "filtered-analysis");
  g_autofree char *plain
      = g_strdup_printf ("soft-threshold:levels=1,wavelet=%s view=analysis", wavelet);
  g_autofree char *soft_words = g_strconcat ("soft-threshold:", words, NULL);
  g_autofree char *hard_words = g_strconcat ("hard-threshold:", words, NULL);
  g_autoptr (OdlImage) bands = process (plain, input);
  g_autoptr (OdlImage) soft = process (soft_words, input);
  g_autoptr (OdlImage) hard = process (hard_words, input);
  int kept = 0, at_limit = 0;

  for (int y = 0; y < 30; y++)
    for (int x = 0; x < 40; x++) {
      const double d = sample (bands, x, y, 0);
      const bool approximation = x < 20 && y < 15;
      const double s = fabs (d) <= threshold ? 0 : d - copysign (threshold, d);
      const double h = fabs (d) <= threshold ? 0 : d;
      g_assert_cmpfloat_with_epsilon (sample (soft, x, y, 0), approximation ? d : s,
                                      1e-6);
      g_assert_cmpfloat_with_epsilon (sample (hard, x, y, 0), approximation ? d : h,
                                      1e-6);
      kept += !approximation && h != 0;
      at_limit += !approximation && fabs (d) == threshold;
    }
  g_assert_cmpint (kept, >, 10);
  g_assert_cmpint (kept, <, 800);
  return at_limit;
}

static double
eighths (int x, int y, int c)
{
  return ((guint32) (x * 73 + y * 151) * 2654435761u >> 16) % 9 / 8.0;
}

// What lies at the threshold goes, what lies above it stays: 5/3 on eighths is exact.
static void
test_thresholds (void)
{
  check_thresholds ("cdf97", 0.1, texture);
  g_assert_cmpint (check_thresholds ("cdf53", 0.25, eighths), >, 10);
}

// The threshold of level l acts on level l: shrinking one level leaves the others alone.
static void
test_levels_of_shrinkage (void)
{
  g_autoptr (OdlImage) input = make_image (64, 64, 1, texture);
  g_autoptr (OdlImage) bands = process ("shrinkage:levels=3 view=analysis", input);

  for (int level = 1; level <= 3; level++) {
    g_autofree char *text = g_strdup_printf (
        "shrinkage:levels=3,thresholds=%d/%d/%d view=filtered-analysis", level == 1,
        level == 2, level == 3);
    g_autoptr (OdlImage) shrunk = process (text, input);
    for (int y = 0; y < 64; y++)
      for (int x = 0; x < 64; x++) {
        const int side = MAX (x, y);
        const int at = side >= 32 ? 1 : side >= 16 ? 2 : side >= 8 ? 3 : 0;
        const double want = at == level ? 0 : sample (bands, x, y, 0);
        g_assert_cmpfloat_with_epsilon (sample (shrunk, x, y, 0), want, 1e-6);
      }
  }
}

// The thresholds of a level: HL right of LL, LH below it, HH across.
static void
test_bands_of_shrinkage (void)
{
  g_autoptr (OdlImage) input = make_image (64, 64, 1, texture);
  g_autoptr (OdlImage) bands = process ("shrinkage:levels=1 view=analysis", input);

  for (int band = 0; band < ODL_DETAIL_BANDS; band++) {
    g_autofree char *text = g_strdup_printf (
        "shrinkage:levels=1,thresholds=%d:%d:%d view=filtered-analysis",
        band == ODL_BAND_HL, band == ODL_BAND_LH, band == ODL_BAND_HH);
    g_autoptr (OdlImage) shrunk = process (text, input);
    for (int y = 0; y < 64; y++)
      for (int x = 0; x < 64; x++) {
        const int at
            = y < 32 ? (x < 32 ? -1 : ODL_BAND_HL) : (x < 32 ? ODL_BAND_LH : ODL_BAND_HH);
        const double want = at == band ? 0 : sample (bands, x, y, 0);
        g_assert_cmpfloat_with_epsilon (sample (shrunk, x, y, 0), want, 1e-6);
      }
  }
}

// Luma filtering keeps colour differences.
static void
test_luma (void)
{
  g_autoptr (OdlImage) input = make_image (32, 32, 3, texture);
  g_autoptr (OdlImage) result = process ("gaussian:sigma=2 colour=luma", input);
  g_autoptr (OdlImage) each = process ("gaussian:sigma=2", input);

  g_assert_cmpfloat (difference (input, result), >, 0.01);
  g_assert_cmpfloat (difference (each, result), >, 0.01);
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 32; x++)
      g_assert_cmpfloat_with_epsilon (sample (input, x, y, 0) - sample (input, x, y, 2),
                                      sample (result, x, y, 0) - sample (result, x, y, 2),
                                      1e-6);
}

static void
test_alpha (void)
{
  g_autoptr (OdlImage) input = make_image (16, 16, 4, texture);
  g_autoptr (OdlImage) result = process ("gaussian:sigma=3", input);

  g_assert_cmpint (odl_image_info (result)->channels, ==, 4);
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++)
      g_assert_cmpfloat (sample (result, x, y, 3), ==, sample (input, x, y, 3));
}

static void
test_linearity (void)
{
  g_autoptr (OdlImage) input = make_image (33, 18, 1, texture);
  g_autoptr (OdlImage) bands = process ("soft-threshold:levels=2 view=analysis", input);
  g_autoptr (OdlImage) base = make_image (33, 18, 1, constant);
  g_autoptr (OdlImage) base_bands
      = process ("soft-threshold:levels=2 view=analysis", base);
  OdlImageInfo info = *odl_image_info (input);
  float *sum;
  g_autoptr (OdlImage) both = odl_image_alloc (&info, (void **) &sum, NULL);

  for (int y = 0; y < 18; y++)
    for (int x = 0; x < 33; x++)
      *sum++ = 2 * sample (input, x, y, 0) + sample (base, x, y, 0);
  g_autoptr (OdlImage) both_bands
      = process ("soft-threshold:levels=2 view=analysis", both);
  for (int y = 0; y < 18; y++)
    for (int x = 0; x < 33; x++)
      g_assert_cmpfloat_with_epsilon (
          sample (both_bands, x, y, 0),
          2 * sample (bands, x, y, 0) + sample (base_bands, x, y, 0), 2e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filters/neutral-parameters-change-nothing", test_identities);
  g_test_add_func ("/filters/constants-stay-constant", test_constants);
  g_test_add_func ("/filters/sharpen-subtracts-the-laplacian", test_sharpen_signs);
  g_test_add_func ("/filters/thresholds-act-on-details-only", test_thresholds);
  g_test_add_func ("/filters/shrinkage-acts-on-its-level", test_levels_of_shrinkage);
  g_test_add_func ("/filters/shrinkage-acts-on-its-band", test_bands_of_shrinkage);
  g_test_add_func ("/filters/luma-keeps-colour-differences", test_luma);
  g_test_add_func ("/filters/alpha-is-left-alone", test_alpha);
  g_test_add_func ("/filters/analysis-is-linear", test_linearity);
  return g_test_run ();
}
