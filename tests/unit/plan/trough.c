// SPDX-License-Identifier: MIT
// Where a histogram is cut, and which side of it is kept.
#include "plan/trough.h"

#include "plan/plan.h"

#define MOST_BINS 16

typedef struct {
  const char *name;
  guint32 counts[MOST_BINS];
  int n, radius;
  double share;
  int low, high; // the bins that the threshold stands before, for either side
  int n_troughs;
  double beyond; // share of the peak beyond the threshold, where the low side is kept
} Case;

// By hand, from the rule in plan/trough.h.
static const Case cases[] = {
  { "a single trough", { 5, 5, 1, 5, 5 }, 5, 0, 0.3, 2, 3, 1, 11.0 / 21 },
  { "the middle of an odd run", { 4, 1, 1, 1, 4 }, 5, 0, 0.4, 2, 3, 1, 6.0 / 11 },
  { "the middle of an even run", { 4, 1, 1, 4 }, 4, 0, 0.4, 2, 2, 1, 5.0 / 10 },
  { "a peak too small", { 50, 1, 5, 1, 50 }, 5, 0, 0.47, 3, 2, 2, 51.0 / 107 },
  { "a peak of the share itself", { 10, 0, 10 }, 3, 0, 0.5, 0, 0, 1, 0 },
  { "a peak of more than the share", { 10, 0, 10 }, 3, 0, 0.49, 1, 2, 1, 0.5 },
  { "no trough at the first bin", { 0, 5, 9 }, 3, 0, 0, 0, 0, 0, 0 },
  { "no trough at the last bin", { 9, 5, 0 }, 3, 0, 0, 0, 0, 0, 0 },
  { "no trough in steps", { 9, 5, 5, 1, 1 }, 5, 0, 0, 0, 0, 0, 0 },
  { "flat", { 3, 3, 3, 3 }, 4, 0, 0, 0, 0, 0, 0 },
  { "empty", { 0, 0, 0, 0 }, 4, 0, 0, 0, 0, 0, 0 },
  { "one bin", { 7 }, 1, 0, 0, 0, 0, 0, 0 },
  { "jagged", { 9, 0, 9, 0, 0, 0, 0, 9, 9 }, 9, 0, 0.3, 5, 0, 2, 0.5 },
  { "jagged and smoothed", { 9, 0, 9, 0, 0, 0, 0, 9, 9 }, 9, 1, 0.3, 5, 5, 1, 0.5 },
  { "smoothed to one peak", { 9, 0, 9 }, 3, 2, 0, 0, 0, 0, 0 },
};

// What lies outside of the field counts neither as a peak nor for the share.
static void
test_outside (void)
{
  static const guint32 counts[] = { 60, 1, 3, 9, 2, 20, 5 };
  static const guint32 dark[] = { 60, 0, 5, 9, 2 };
  static const guint32 shadow[] = { 60, 9, 1, 15, 2, 20 };
  const int n = G_N_ELEMENTS (counts);
  guint32 mirrored[G_N_ELEMENTS (counts)];

  for (int i = 0; i < n; i++)
    mirrored[n - 1 - i] = counts[i];
  const OdlTrough low = odl_trough_find (counts, n, 0, 0.3, true);
  const OdlTrough high = odl_trough_find (mirrored, n, 0, 0.3, false);
  g_assert_true (low.outside && high.outside);
  g_assert_cmpint (low.bin, ==, 4);
  g_assert_cmpint (high.bin, ==, n - 4);
  g_assert_cmpfloat (low.share, ==, 27.0 / 40);
  // Less than the share is not all that is kept.
  g_assert_cmpint (odl_trough_find (shadow, 6, 0, 0.3, true).bin, ==, 4);
  // As much as the share is a peak.
  g_assert_false (odl_trough_find (counts, n, 0, 0.6, true).outside);
  // So is all that there is without a threshold.
  const OdlTrough whole = odl_trough_find (dark, 5, 0, 0.1, true);
  g_assert_false (whole.outside);
  g_assert_cmpint (whole.bin, ==, 1);
}

static void
test_cases (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    const OdlTrough low = odl_trough_find (c->counts, c->n, c->radius, c->share, true);
    const OdlTrough high = odl_trough_find (c->counts, c->n, c->radius, c->share, false);
    if (low.bin != c->low || high.bin != c->high || low.n_troughs != c->n_troughs
        || high.n_troughs != c->n_troughs || ABS (low.share - c->beyond) > 1e-12)
      g_error ("%s: bins %d and %d, %d and %d troughs, share %g", c->name, low.bin,
               high.bin, low.n_troughs, high.n_troughs, low.share);
  }
}

// The high side of a histogram is the low side of its mirror image.
static void
test_mirror (void)
{
  int found = 0;
  for (int i = 0; i < 2000; i++) {
    guint32 counts[MOST_BINS], mirrored[MOST_BINS];
    const int n = g_test_rand_int_range (1, MOST_BINS + 1);
    const int radius = g_test_rand_int_range (0, 3);
    for (int k = 0; k < n; k++)
      mirrored[n - 1 - k] = counts[k] = (guint32) g_test_rand_int_range (0, 5);
    const OdlTrough high = odl_trough_find (counts, n, radius, 0.1, false);
    const OdlTrough low = odl_trough_find (mirrored, n, radius, 0.1, true);
    g_assert_cmpint (high.n_troughs, ==, low.n_troughs);
    g_assert_cmpint (high.bin, ==, low.bin > 0 ? n - low.bin : 0);
    g_assert_cmpfloat (high.share, ==, low.share);
    int lows[MOST_BINS], highs[MOST_BINS];
    g_assert_cmpint (odl_trough_list (mirrored, n, radius, true, low.outside, lows), ==,
                     low.n_troughs);
    g_assert_cmpint (odl_trough_list (counts, n, radius, false, low.outside, highs), ==,
                     low.n_troughs);
    bool listed = low.bin == 0;
    for (int k = 0; k < low.n_troughs; k++) {
      g_assert_cmpint (lows[k], ==, n - highs[k]);
      listed = listed || lows[k] == low.bin;
    }
    g_assert_true (listed);
    found += low.bin > 0;
  }
  g_assert_cmpint (found, >, 500);
}

// Bins are equally wide in whole units, as narrow as their number allows, and each
// sample is in the one that holds its value.
static void
test_bins (void)
{
  static const struct {
    int most, steps; // 0: samples are not whole
    int count, width;
  } rows[] = { { 256, 255, 256, 1 },  { 256, 4095, 256, 16 },    { 256, 1000, 251, 4 },
               { 4096, 255, 256, 1 }, { 4096, 65535, 4096, 16 }, { 256, 0, 256, 0 } };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const int steps = rows[i].steps;
    const OdlTroughBins bins
        = odl_trough_bins (rows[i].most, steps > 0 ? 1.0 / steps : 0);
    g_assert_cmpint (bins.count, ==, rows[i].count);
    g_assert_cmpint (bins.width, ==, rows[i].width);
    g_assert_cmpint (odl_trough_bin (&bins, -1), ==, 0);
    g_assert_cmpint (odl_trough_bin (&bins, 0), ==, 0);
    g_assert_cmpint (odl_trough_bin (&bins, 1), ==, bins.count - 1);
    g_assert_cmpint (odl_trough_bin (&bins, 2), ==, bins.count - 1);
    for (int value = 0; steps > 0 && value <= steps; value++)
      g_assert_cmpint (odl_trough_bin (&bins, (double) value / steps), ==,
                       value / bins.width);
  }
}

static bool
keeps_low (const char *recipe_text, bool low_is_bright)
{
  const OdlGeometry geometry = { 32, 32, 1, 8, .low_is_bright = low_is_bright };
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;
  int n = 0, low = 0;

  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, recipe_text, &error);
  g_assert_no_error (error);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_TROUGH || plan->steps[i].kind == ODL_STEP_CUT) {
      n++;
      low += plan->steps[i].parameters.low;
    }
  g_assert_cmpint (n, ==, 2);
  g_assert_true (low == 0 || low == n);
  return low > 0;
}

static void
test_side (void)
{
  static const char *const automatic[]
      = { "trough-threshold", "trough-threshold:side=auto", "gaussian trough-threshold" };

  for (size_t i = 0; i < G_N_ELEMENTS (automatic); i++) {
    g_assert_true (keeps_low (automatic[i], true));
    g_assert_false (keeps_low (automatic[i], false));
  }
  for (int bright = 0; bright < 2; bright++) {
    g_assert_true (keeps_low ("trough-threshold:side=low", bright));
    g_assert_false (keeps_low ("trough-threshold:side=high", bright));
  }
}

// A falling value map turns the picture round once more.
static void
test_bright_side (void)
{
  for (int inverse = 0; inverse < 2; inverse++)
    for (int falling = 0; falling < 2; falling++) {
      const OdlImageInfo info = {
        .extent = { 4, 4, 1, 1 },
        .channels = 1,
        .type = ODL_SAMPLE_U16,
        .value_map = { .slope = falling ? -2 : 2, .inverse = inverse },
      };
      void *samples;
      g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, NULL);
      g_assert_true (odl_geometry_of (image).low_is_bright == (inverse != falling));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trough/rule-by-hand", test_cases);
  g_test_add_func ("/trough/what-lies-outside-of-the-field-is-no-peak", test_outside);
  g_test_add_func ("/trough/high-side-is-the-mirror-image", test_mirror);
  g_test_add_func ("/trough/bins-are-equally-wide", test_bins);
  g_test_add_func ("/trough/auto-keeps-the-bright-side", test_side);
  g_test_add_func ("/trough/monochrome1-shows-low-samples-bright", test_bright_side);
  return g_test_run ();
}
