// SPDX-License-Identifier: MIT
#include "image/compare.h"

#include <math.h>

#include "base/error.h"
#include "../../helpers/images.h"

static float
texture (int x, int y, int c)
{
  return 0.5f + 0.25f * sinf (0.7f * x + c) + 0.2f * cosf (0.3f * x * y);
}

static float
shifted (int x, int y, int c)
{
  return texture (x, y, c) + 0.125f;
}

static float
dark (int x, int y, int c)
{
  return 0.25f;
}

static float
bright (int x, int y, int c)
{
  return 0.75f;
}

static float
one_off (int x, int y, int c)
{
  return x == 7 && y == 3 && c == 2 ? 1.0f : 0.5f;
}

static float
half (int x, int y, int c)
{
  return 0.5f;
}

static float
broken (int x, int y, int c)
{
  static const float bad[] = { NAN, INFINITY, -INFINITY, 0.5f };

  return bad[(x + y) & 3];
}

// A window centred at 6 in a 13 × 11 picture and its neighbours see one lit sample.
static float
impulse (int x, int y, int c)
{
  return x == 6 && y == 5 ? 1.0f : 0.0f;
}

static float
nothing (int x, int y, int c)
{
  return 0.0f;
}

static OdlComparison
compare (int width, int height, int channels, OdlTestPattern a, OdlTestPattern b)
{
  g_autoptr (OdlImage) image_a = odl_test_picture (width, height, channels, a);
  g_autoptr (OdlImage) image_b = odl_test_picture (width, height, channels, b);
  g_autoptr (GError) error = NULL;
  OdlComparison result;

  g_assert_true (odl_compare (image_a, image_b, &result, &error));
  g_assert_no_error (error);
  return result;
}

static void
test_equal_images (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 10, 40 }, { 11, 11 }, { 67, 45 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
      OdlComparison c = compare (sizes[i][0], sizes[i][1], channels, texture, texture);

      g_assert_cmpfloat (c.max_abs, ==, 0);
      g_assert_cmpfloat (c.rms, ==, 0);
      g_assert_true (isinf (c.psnr_db) && c.psnr_db > 0);
      g_assert_cmpfloat_with_epsilon (c.ssim, 1, 1e-12);
      g_assert_cmpuint (c.differing, ==, 0);
      g_assert_cmpuint (c.samples, ==, sizes[i][0] * sizes[i][1] * channels);
    }
}

static void
test_known_differences (void)
{
  OdlComparison c = compare (32, 20, 3, texture, shifted);

  g_assert_cmpfloat_with_epsilon (c.max_abs, 0.125, 1e-6);
  g_assert_cmpfloat_with_epsilon (c.rms, 0.125, 1e-6);
  // 20 log10 8
  g_assert_cmpfloat_with_epsilon (c.psnr_db, 18.0617997398389, 1e-4);
  g_assert_cmpuint (c.differing, ==, 32 * 20 * 3);

  c = compare (32, 20, 3, half, one_off);
  g_assert_cmpfloat_with_epsilon (c.max_abs, 0.5, 1e-7);
  g_assert_cmpfloat_with_epsilon (c.rms, sqrt (0.25 / (32 * 20 * 3)), 1e-7);
  g_assert_cmpint (c.max_x, ==, 7);
  g_assert_cmpint (c.max_y, ==, 3);
  g_assert_cmpint (c.max_channel, ==, 2);
  g_assert_cmpuint (c.differing, ==, 1);
}

static void
test_ssim_of_constants (void)
{
  // No variance: only the luminance term is left.
  double expected = (2 * 0.25 * 0.75 + 1e-4) / (0.0625 + 0.5625 + 1e-4);

  g_assert_cmpfloat_with_epsilon (compare (40, 30, 1, dark, bright).ssim, expected, 1e-9);
  g_assert_cmpfloat_with_epsilon (compare (4, 3, 1, dark, bright).ssim, expected, 1e-9);
}

static void
test_ssim_of_an_impulse (void)
{
  // Three windows; the impulse has weight w(5) w(5 + k) of the Gaussian in each.
  double weights[11], total = 0, expected = 0;

  for (int i = 0; i < 11; i++)
    total += weights[i] = exp (-(i - 5) * (i - 5) / 4.5);
  for (int k = -1; k <= 1; k++) {
    double w = weights[5] * weights[5 + k] / (total * total);
    double variance = w - w * w;
    expected += 1e-4 * 9e-4 / ((w * w + 1e-4) * (variance + 9e-4)) / 3;
  }
  g_assert_cmpfloat_with_epsilon (compare (13, 11, 1, impulse, nothing).ssim, expected,
                                  1e-9);
}

static void
test_symmetry (void)
{
  OdlComparison ab = compare (50, 31, 3, texture, one_off);
  OdlComparison ba = compare (50, 31, 3, one_off, texture);

  g_assert_cmpfloat_with_epsilon (ab.ssim, ba.ssim, 1e-12);
  g_assert_cmpfloat (ab.rms, ==, ba.rms);
  g_assert_cmpfloat (ab.max_abs, ==, ba.max_abs);
  g_assert_cmpfloat (ab.ssim, <, 0.9);
  g_assert_cmpfloat (ab.ssim, >, -1);
}

static void
test_nan_does_not_spread (void)
{
  OdlComparison c = compare (20, 20, 1, broken, half);

  g_assert_true (isfinite (c.rms) && isfinite (c.ssim) && isfinite (c.psnr_db));
  g_assert_cmpfloat_with_epsilon (c.max_abs, 0.5, 1e-6);
}

static void
test_different_shapes_fail (void)
{
  g_autoptr (OdlImage) a = odl_test_picture (4, 5, 1, half);
  g_autoptr (OdlImage) b = odl_test_picture (5, 4, 1, half);
  g_autoptr (GError) error = NULL;
  OdlComparison result;

  g_assert_false (odl_compare (a, b, &result, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
}

// Alpha only where both have it; a grey picture counts as one without colour.
static void
test_common_channels (void)
{
  static const struct {
    int a, b, compared;
  } cases[] = { { 1, 1, 1 }, { 1, 3, 3 }, { 1, 4, 3 }, { 3, 4, 3 }, { 4, 4, 4 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) a = odl_test_picture (12, 13, cases[i].a, half);
    g_autoptr (OdlImage) b = odl_test_picture (12, 13, cases[i].b, half);
    OdlComparison one, other;
    g_assert_true (odl_compare (a, b, &one, NULL));
    g_assert_true (odl_compare (b, a, &other, NULL));
    g_assert_cmpint (one.channels, ==, cases[i].compared);
    g_assert_cmpuint (one.samples, ==, 12 * 13 * cases[i].compared);
    g_assert_cmpuint (one.differing, ==, other.differing);
    g_assert_cmpuint (one.differing, ==, 0);
  }
}

static void
test_depths_compare (void)
{
  g_autoptr (GError) error = NULL;
  OdlImageInfo info = { .extent = { 256, 2 }, .channels = 1, .type = ODL_SAMPLE_U8 };
  void *samples8, *samples16;
  g_autoptr (OdlImage) a = odl_image_alloc (&info, &samples8, &error);
  info.type = ODL_SAMPLE_U16;
  g_autoptr (OdlImage) b = odl_image_alloc (&info, &samples16, &error);
  OdlComparison result;

  for (int i = 0; i < 512; i++) {
    ((uint8_t *) samples8)[i] = i & 255;
    ((uint16_t *) samples16)[i] = (i & 255) * 257;
  }
  g_assert_true (odl_compare (a, b, &result, &error));
  g_assert_cmpfloat (result.max_abs, <, 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/equal-images-differ-in-nothing", test_equal_images);
  g_test_add_func ("/compare/known-differences-give-the-formulas",
                   test_known_differences);
  g_test_add_func ("/compare/ssim-of-constants-is-the-luminance-term",
                   test_ssim_of_constants);
  g_test_add_func ("/compare/ssim-weighs-with-a-gaussian", test_ssim_of_an_impulse);
  g_test_add_func ("/compare/order-does-not-matter", test_symmetry);
  g_test_add_func ("/compare/nan-and-infinity-do-not-spread", test_nan_does_not_spread);
  g_test_add_func ("/compare/different-shapes-fail", test_different_shapes_fail);
  g_test_add_func ("/compare/common-channels-are-compared", test_common_channels);
  g_test_add_func ("/compare/the-same-picture-in-two-depths-is-equal",
                   test_depths_compare);
  return g_test_run ();
}
