// SPDX-License-Identifier: MIT
// How far details reach: the percentile that sorting finds, of each level by itself.
#include <math.h>
#include <stdlib.h>

#include "../../helpers/images.h"
#include "base/order.h"
#include "engine/detail_reach.h"
#include "image/display/display.h"

#define WIDTH 83
#define HEIGHT 61
#define LEVELS 3
#define TINY 1e-7f // what rounding leaves

static int
level_at (int x, int y)
{
  int level = 1;
  for (int w = (WIDTH + 1) / 2, h = (HEIGHT + 1) / 2; x < w && y < h && level <= LEVELS;
       level++) {
    w = (w + 1) / 2;
    h = (h + 1) / 2;
  }
  return level;
}

// Where the coefficient lies in the picture.
static size_t
place_of (int level, int x, int y)
{
  int w = WIDTH, h = HEIGHT;
  for (int i = 0; i < level; i++) {
    w = (w + 1) / 2;
    h = (h + 1) / 2;
  }
  return ((size_t) (y % h) << level) * WIDTH + ((size_t) (x % w) << level);
}

// NumPy's quantile of 95 %, method "inverted_cdf".
static double
quantile_of (GArray *magnitudes)
{
  g_array_sort (magnitudes, odl_order_floats);
  const guint at = (guint) ceil (0.95 * magnitudes->len) - 1;
  return (double) g_array_index (magnitudes, float, at);
}

static void
test_quantiles (void)
{
  for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
    float *samples;
    void *room;
    g_autoptr (OdlImage) image
        = odl_test_image (WIDTH, HEIGHT, channels, ODL_SAMPLE_F32, &room);
    uint8_t inside[WIDTH * HEIGHT];
    samples = room;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
      inside[i] = i % WIDTH > 20; // beyond it there are great ones
    for (int i = 0; i < WIDTH * HEIGHT * channels; i++) {
      const int x = i / channels % WIDTH, y = i / channels / WIDTH;
      const int level = level_at (x, y), channel = i % channels;
      const double size = channel == 3 ? 9 : 0.01 * level * (channel == 1 ? 3 : 1);
      const double sum = g_test_rand_double () + g_test_rand_double () - 1;
      samples[i] = i % 5 == 0                                    ? TINY
                   : inside[place_of (level, x, y)] || level > 3 ? (float) (size * sum)
                                                                 : 0.9f;
    }
    const OdlDetailReach reach = odl_detail_reach_of (image, LEVELS, inside);
    g_assert_cmpint (reach.levels, ==, LEVELS);
    for (int level = 1; level <= LEVELS; level++) {
      double wanted = 0;
      for (int channel = 0; channel < MIN (channels, 3); channel++) {
        g_autoptr (GArray) magnitudes = g_array_new (FALSE, FALSE, sizeof (float));
        for (int y = 0; y < HEIGHT; y++)
          for (int x = 0; x < WIDTH; x++) {
            const float value = fabsf (samples[(y * WIDTH + x) * channels + channel]);
            if (level_at (x, y) == level && value > TINY
                && inside[place_of (level, x, y)])
              g_array_append_val (magnitudes, value);
          }
        wanted = MAX (wanted, quantile_of (magnitudes));
      }
      g_test_message ("%d channels, level %d: %g of %g", channels, level,
                      (double) reach.of[level - 1], wanted);
      g_assert_cmpfloat ((double) reach.of[level - 1], >=, wanted);
      g_assert_cmpfloat ((double) reach.of[level - 1], <=, wanted * 1.01);
    }
  }
}

// The greatest power of two from 1 to 1024; what was not measured keeps the usual one.
static void
test_gains (void)
{
  const OdlDetailReach reach = { 5, { 0, 0.5f, 0.25f, 0.0101f, 1e-6f } };
  static const int gains[] = { 1, 1, 2, 32, 1024, 4 };
  static const int steep[] = { 1, 1, 1, 4, 1024, 4 };
  for (int level = 1; level <= (int) G_N_ELEMENTS (gains); level++) {
    g_assert_cmpint (odl_detail_gain (&reach, level, 1), ==, gains[level - 1]);
    g_assert_cmpint (odl_detail_gain (&reach, level, 8), ==, steep[level - 1]);
  }
}

// A picture without any detail.
static void
test_constants (void)
{
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (64, 64, 1, ODL_SAMPLE_U8, &samples);
  OdlRecipe recipe, measured;
  OdlDetailReach reach;
  for (int i = 0; i < 64 * 64; i++)
    ((uint8_t *) samples)[i] = 77;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (
      &recipe, "soft-threshold:levels=3 view=filtered-coefficients", &error));
  g_assert_true (odl_detail_reach_recipe (&recipe, &measured));
  g_assert_true (odl_detail_reach_measure (&measured, image, NULL, &reach, &error));
  g_assert_no_error (error);
  g_assert_cmpint (reach.levels, ==, 3);
  for (int level = 1; level <= 3; level++)
    g_assert_cmpint (odl_detail_gain (&reach, level, 1), ==, 1);
}

// What thresholds, other engines and filters over time do changes no gain.
static void
test_what_is_measured (void)
{
  static const struct {
    const char *recipe;
    bool measured;
  } rows[] = {
    { "soft-threshold:levels=3,threshold=0.1 view=filtered-coefficients", true },
    { "persistence soft-threshold:levels=3,threshold=0.3 view=coefficients", true },
    { "soft-threshold:levels=3,threshold=0.1 view=level:2", true },
    { "soft-threshold:levels=3,threshold=0.1 view=residual", false },
    { "soft-threshold:levels=3,threshold=0.1", false },
    { "gaussian view=coefficients", false },
  };
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (90, 70, 1, ODL_SAMPLE_U8, &samples);
  OdlDetailReach first = { 0 };
  for (int i = 0; i < 90 * 70; i++)
    ((uint8_t *) samples)[i] = (uint8_t) g_test_rand_int_range (40, 200);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    OdlRecipe recipe, measured;
    OdlDetailReach reach;
    g_test_message ("%s", rows[i].recipe);
    odl_recipe_init (&recipe);
    g_assert_true (odl_recipe_parse (&recipe, rows[i].recipe, &error));
    g_assert_true (odl_detail_reach_recipe (&recipe, &measured) == rows[i].measured);
    if (!rows[i].measured)
      continue;
    g_assert_true (odl_detail_reach_measure (&measured, image, NULL, &reach, &error));
    g_assert_cmpfloat ((double) reach.of[0], >, 0.1);
    if (i > 0)
      g_assert_cmpmem (&reach, sizeof reach, &first, sizeof first);
    first = reach;
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/detail-reach/is-the-percentile-of-each-level", test_quantiles);
  g_test_add_func ("/detail-reach/gains-are-powers-of-two", test_gains);
  g_test_add_func ("/detail-reach/a-constant-has-the-gain-1", test_constants);
  g_test_add_func ("/detail-reach/thresholds-change-none", test_what_is_measured);
  return g_test_run ();
}
