// SPDX-License-Identifier: MIT
// Thresholds that come from the picture: how much noise is found, and what follows.
#include <math.h>
#include <string.h>

#include "engine/received.h"
#include "filter/normalisation.h"
#include "filter/received.h"
#include "image/image.h"
#include "../../helpers/disc.h"
#include "../../helpers/images.h"
#include "../../helpers/plans.h"
#include "../../helpers/transform_2d.h"

#define SIDE ODL_TEST_DISC_SIDE

static void
assert_noise (const OdlImage *image, double sigma)
{
  const double found = odl_noise_of (image, ODL_COLOUR_CHANNELS) * 4095;

  if (fabs (found - sigma) > 0.04 * sigma + 0.3)
    g_error ("noise of %g was measured as %g", sigma, found);
}

static void
test_noise (void)
{
  for (double sigma = 5; sigma < 400; sigma *= 3) {
    g_autoptr (OdlImage) image = odl_test_disc (sigma, 1000, 0);
    assert_noise (image, sigma);
  }
}

// Four fifths of the frame are padding, which would make the median zero.
static void
test_surroundings (void)
{
  static const int outside[] = { 0, 4000, 63 };

  for (size_t i = 0; i < G_N_ELEMENTS (outside); i++) {
    g_autoptr (OdlImage) image = odl_test_disc (40, SIDE / 4.0, outside[i]);
    assert_noise (image, 40);
  }
}

// Strokes of two samples in black: each has surroundings nearby.
static void
test_writing (void)
{
  void *memory;
  g_autoptr (OdlImage) image = odl_test_image (SIDE, SIDE, 1, ODL_SAMPLE_U8, &memory);

  for (int y = 8; y < SIDE - 8; y++)
    for (int x = 8; x < SIDE - 8; x++)
      if (y % 12 < 2 || (x % 9 < 2 && y % 24 < 12))
        ((uint8_t *) memory)[y * SIDE + x] = 255;
  g_assert_cmpfloat (odl_noise_of (image, ODL_COLOUR_CHANNELS), ==, 0);
}

// A smooth picture of floats: rounding leaves details of all sizes, none of them noise.
static void
test_smooth (void)
{
  void *memory;
  g_autoptr (OdlImage) image = odl_test_image (SIDE, SIDE, 1, ODL_SAMPLE_F32, &memory);

  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      ((float *) memory)[y * SIDE + x]
          = 0.1f + (float) x / (3 * SIDE) + (float) y / (2 * SIDE);
  g_assert_cmpfloat (odl_noise_of (image, ODL_COLOUR_CHANNELS), ==, 0);
}

static double
noise_gain (const OdlWavelet *wavelet, int level)
{
  double squares = 0;

  for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++) {
    const double gain = odl_noise_gain_of_band (wavelet, level, band);
    squares += gain * gain / ODL_DETAIL_BANDS;
  }
  return sqrt (squares);
}

// By the sums of squares of the bands of one picture of noise.
static void
test_gain (void)
{
  static const char *const names[] = { "cdf97", "cdf53", "haar", "db4", "bior3.1" };
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  const int side = 512;
  g_autofree double *noise = g_new (double, side *side);
  g_autofree double *bands = g_new (double, side *side);

  for (int i = 0; i < side * side; i++)
    noise[i] = odl_test_normal (random);
  for (size_t n = 0; n < G_N_ELEMENTS (names); n++) {
    const OdlWavelet *wavelet = odl_wavelet_find (names[n]);
    const OdlTransform transform = odl_transform_of (wavelet);
    memcpy (bands, noise, sizeof (double) * side * side);
    odl_transform_forward_2d (&transform, bands, side, side, side, 3);
    for (int level = 1, half = side / 2; level <= 3; level++, half /= 2) {
      double sum = 0;
      for (int y = 0; y < 2 * half; y++)
        for (int x = 0; x < 2 * half; x++)
          if (x >= half || y >= half)
            sum += bands[y * side + x] * bands[y * side + x];
      const double measured = sqrt (sum / (3.0 * half * half));
      const double gain = noise_gain (wavelet, level);
      if (fabs (measured / gain - 1) > 0.03)
        g_error ("%s, level %d: %g, measured %g", names[n], level, gain, measured);
    }
  }
  const OdlWavelet *cdf97 = odl_wavelet_find ("cdf97");
  g_assert_cmpfloat_with_epsilon (noise_gain (cdf97, 9) / noise_gain (cdf97, 8), 0.5,
                                  1e-9);
}

static OdlRecipe
measured_in (const char *text, OdlImage *image)
{
  const OdlRecipe recipe = odl_test_recipe (text);
  OdlRecipe measured = recipe;

  g_assert_false (odl_recipe_is_measured (&recipe));
  g_assert_true (odl_measure_recipe (&measured, &(OdlMeasured){ .image = image }));
  g_assert_true (odl_recipe_is_measured (&measured));
  g_assert_false (odl_recipe_found_no_noise (&recipe, &measured));
  return measured;
}

static void
test_recipes (void)
{
  g_autoptr (OdlImage) image = odl_test_disc (40, 1000, 0);
  const double sigma = 40.0 / 4095;
  const OdlWavelet *wavelet = odl_wavelet_at (0);
  const OdlRecipe measured = measured_in (
      "gaussian:bypass=yes hard-threshold:threshold=0.3,bypass=yes shrinkage:levels=2",
      image);

  g_assert_cmpfloat (odl_recipe_get (&measured, 1, "threshold", 0), ==, 0.3);
  for (int i = 0; i < 3 * ODL_DETAIL_BANDS; i++)
    g_assert_cmpfloat_with_epsilon (odl_recipe_get (&measured, 2, "thresholds", i)
                                        / noise_gain (wavelet, i / ODL_DETAIL_BANDS + 1),
                                    sigma, 0.04 * sigma);
  const OdlRecipe soft = measured_in ("soft-threshold", image);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (&soft, 0, "threshold", 0)
                                      / noise_gain (wavelet, 2),
                                  sigma, 0.04 * sigma);
  const OdlRecipe some = measured_in ("shrinkage:thresholds=0.2/auto", image);
  g_assert_cmpfloat (odl_recipe_get (&some, 0, "thresholds", 0), ==, 0.2);
  g_assert_cmpfloat (odl_recipe_get (&some, 0, "thresholds", 4), ==,
                     odl_recipe_get (&measured, 2, "thresholds", 4));
  const OdlRecipe wiener = measured_in ("wiener", image);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (&wiener, 0, "noise", 0), sigma,
                                  0.04 * sigma);

  // The text is as good as the picture, and a measured recipe stays what it is.
  g_autofree char *text = odl_recipe_to_text (&measured, " ");
  g_assert_null (strstr (text, "auto,"));
  g_assert_null (strstr (text, "=auto view"));
  OdlRecipe again = odl_test_recipe (text);
  g_assert_true (odl_recipe_equal (&again, &measured));
  g_autoptr (OdlImage) other = odl_test_disc (400, 1000, 0);
  g_assert_false (odl_measure_recipe (&again, &(OdlMeasured){ .image = other }));
  g_assert_true (odl_recipe_equal (&again, &measured));
}

// The strength of non-local means is σ times what suits the patch; its default is a
// number.
static void
test_non_local_means (void)
{
  static const struct {
    const char *words;
    double factor;
  } cases[] = { { "patch=3,rounds=1", 1.25 }, { "patch=5,rounds=1", 1.15 },
                { "patch=7,rounds=1", 1.1 },  { "patch=9,rounds=1", 1.05 },
                { "patch=3", 1.15 },          { "patch=5", 1.1 },
                { "patch=7", 1.1 },           { "patch=9", 1.1 } };
  g_autoptr (OdlImage) image = odl_test_disc (160, 1000, 0);
  const double sigma = 160.0 / 4095;
  OdlRecipe plain = odl_test_recipe ("non-local-means");

  g_assert_true (odl_recipe_is_measured (&plain));
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text
        = g_strdup_printf ("non-local-means:strength=auto,%s", cases[i].words);
    const OdlRecipe measured = measured_in (text, image);
    g_assert_cmpfloat_with_epsilon (odl_recipe_get (&measured, 0, "strength", 0)
                                        / cases[i].factor,
                                    sigma, 0.04 * sigma);
  }
  // Of speckle it counts for a brightness of 1.
  const OdlRecipe squares = measured_in ("non-local-means:strength=auto", image);
  const OdlRecipe speckle
      = measured_in ("non-local-means:strength=auto,distance=speckle", image);
  const double ratio = odl_recipe_get (&squares, 0, "strength", 0)
                       / odl_recipe_get (&speckle, 0, "strength", 0);
  g_autofree float *row = g_new (float, odl_image_info (image)->extent.x);
  double mean = 0;
  const OdlExtent extent = odl_image_info (image)->extent;
  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    for (int x = 0; x < extent.x; x++)
      mean += (double) row[x] / ((double) extent.x * extent.y);
  }
  g_assert_cmpfloat_with_epsilon (ratio * ratio, mean, 0.03 * mean);
}

// A filter remembers what stood before it.
static void
test_changes_before (void)
{
  g_autoptr (OdlImage) image = odl_test_disc (40, 1000, 0);
  OdlRecipe recipe = measured_in ("gaussian:sigma=1 median wiener bm3d:sigma=0.1", image);

  g_assert_false (odl_recipe_measured_before (&recipe, 2));
  odl_recipe_set (&recipe, 0, "sigma", 0, 2);
  g_assert_true (odl_recipe_measured_before (&recipe, 2));
  g_assert_false (odl_recipe_measured_before (&recipe, 3)); // it was not measured
  odl_recipe_set (&recipe, 0, "sigma", 0, 1);
  g_assert_false (odl_recipe_measured_before (&recipe, 2)); // as it was
  recipe.items[1].bypassed = true;
  g_assert_true (odl_recipe_measured_before (&recipe, 2));
  recipe.items[2].bypassed = true; // nobody sees it
  g_assert_false (odl_recipe_measured_before (&recipe, 2));
  recipe.items[2].bypassed = false;
  const double before = odl_recipe_get (&recipe, 2, "noise", 0);
  odl_recipe_forget_measured (&recipe, 2);
  g_assert_cmpfloat (odl_recipe_get (&recipe, 3, "sigma", 0), ==, 0.1);
  g_assert_true (odl_measure_recipe (&recipe, &(OdlMeasured){ .image = image }));
  g_assert_false (odl_recipe_measured_before (&recipe, 2));
  g_assert_cmpfloat (odl_recipe_get (&recipe, 2, "noise", 0), !=, before);
  recipe.strength = 2;
  g_assert_true (odl_recipe_measured_before (&recipe, 2));
  odl_recipe_set (&recipe, 2, "noise", 0, 0.02); // somebody's own number
  g_assert_false (odl_recipe_measured_before (&recipe, 2));
}

// Thresholds of another scale: exactly those of bands, as much noise where it is one.
static void
test_normalisation (void)
{
  static const double wanted[] = { 0.1, 0.2, 0.1, 0.1, 0.2, 0.1 };
  OdlRecipe recipe = odl_test_recipe (
      "shrinkage:levels=2,thresholds=0.1:0.2:0.2/0.05:0.1:0.1,z-thresholds=0.1/auto "
      "soft-threshold:wavelet=db4,threshold=0.02 hard-threshold:wavelet=db4,"
      "threshold=0.02 gaussian");
  const OdlRecipe before = recipe;

  for (int i = 0; i < recipe.n_items; i++)
    odl_recipe_normalise (&recipe, i, ODL_ORTHONORMAL);
  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpfloat_with_epsilon (odl_recipe_get (&recipe, 0, "thresholds", (int) i),
                                    wanted[i], 1e-12);
  // LLH is as HL, HHH as HH.
  g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "z-thresholds", 0), ==, 0.1);
  g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "z-thresholds", 3), ==, 0.05);
  g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "z-thresholds", 4), ==, ODL_VALUE_AUTO);
  // White noise of σ = 1 has √½ on level 2 and √2 on level 1, by the mean of the bands.
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (&recipe, 1, "threshold", 0),
                                  0.02 * M_SQRT2, 1e-4);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (&recipe, 2, "threshold", 0),
                                  0.02 * M_SQRT1_2, 1e-4);
  g_autofree char *text = odl_recipe_to_text (&recipe, " ");
  OdlRecipe again = odl_test_recipe (text);
  g_assert_true (odl_recipe_equal (&recipe, &again));
  for (int i = 0; i < recipe.n_items; i++)
    odl_recipe_normalise (&recipe, i, ODL_UNIT_GAIN);
  g_assert_true (odl_recipe_equal (&recipe, &before));
}

static void
test_no_noise (void)
{
  void *memory;
  g_autoptr (OdlImage) black = odl_test_image (64, 64, 1, ODL_SAMPLE_U8, &memory);
  const OdlRecipe recipe = odl_test_recipe ("shrinkage"),
                  numbers = odl_test_recipe ("shrinkage:thresholds=0");
  OdlRecipe measured = recipe;

  g_assert_true (odl_measure_recipe (&measured, &(OdlMeasured){ .image = black }));
  g_assert_true (odl_recipe_found_no_noise (&recipe, &measured));
  g_assert_true (odl_recipe_equal (&measured, &numbers));
  g_assert_false (odl_recipe_found_no_noise (&numbers, &numbers));
  const OdlRecipe bands = odl_test_recipe ("bivariate:profile=auto");
  measured = bands;
  g_assert_true (odl_measure_recipe (&measured, &(OdlMeasured){ .image = black }));
  g_assert_true (odl_recipe_found_no_noise (&bands, &measured));
}

static void
test_text (void)
{
  static const char *const words[]
      = { "shrinkage", "shrinkage:thresholds=auto", "soft-threshold:threshold=auto" };
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    recipe = odl_test_recipe (words[i]);
    g_autofree char *text = odl_recipe_to_text (&recipe, " ");
    g_assert_nonnull (strstr (text, "=auto"));
    g_assert_false (odl_recipe_is_measured (&recipe));
  }
  g_assert_false (odl_recipe_parse (&recipe, "gaussian:sigma=auto", &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/noise-is-found", test_noise);
  g_test_add_func ("/measure/surroundings-do-not-count", test_surroundings);
  g_test_add_func ("/measure/writing-is-no-noise", test_writing);
  g_test_add_func ("/measure/rounding-is-no-noise", test_smooth);
  g_test_add_func ("/measure/gains-are-those-of-noise", test_gain);
  g_test_add_func ("/measure/recipes-take-measured-values", test_recipes);
  g_test_add_func ("/measure/strength-of-non-local-means", test_non_local_means);
  g_test_add_func ("/measure/changes-before-are-known", test_changes_before);
  g_test_add_func ("/measure/thresholds-change-their-scale", test_normalisation);
  g_test_add_func ("/measure/no-noise-is-told", test_no_noise);
  g_test_add_func ("/measure/text-says-auto", test_text);
  return g_test_run ();
}
