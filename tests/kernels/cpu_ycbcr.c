// SPDX-License-Identifier: MIT
// Frames of videos in the CPU engine, against the reference: luma filtered where it lies,
// or every channel; in one pass and step by step; read back, shown and drawn.
#include "../helpers/plans.h"
#include "../helpers/ycbcr.h"
#include "engine/engine.h"
#include "image/compare.h"
#include "image/display/display.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define BOUND 2e-5 // noise makes colours of −1 … 2

static const char *const recipes[] = {
  "shrinkage:wavelet=cdf97,levels=3 colour=luma",
  "shrinkage:wavelet=cdf97,levels=3 colour=channels",
  "shrinkage:wavelet=db4,levels=2 colour=luma",
  "gaussian:sigma=1.5 colour=luma",
  "sharpen:amount=0.5 colour=channels",
};

static const int sizes[][2]
    = { { 64, 48 }, { 37, 23 }, { 1, 9 }, { 9, 1 }, { 2, 2 }, { 5, 66 }, { 257, 34 } };

static OdlImage *
process (OdlEngine *engine, const OdlPlan *plan, OdlImage *image, bool show)
{
  GError *error = NULL;
  OdlImage *result = show ? odl_engine_show (engine, plan, image, &error)
                          : odl_engine_process (engine, plan, image, &error);

  g_assert_no_error (error);
  return result;
}

// Every sample the same.
static void
assert_equal_images (const OdlImage *a, const OdlImage *b)
{
  OdlComparison comparison;

  g_assert_true (odl_compare (a, b, &comparison, NULL));
  g_assert_cmpfloat (comparison.max_abs, ==, 0);
}

static void
check (OdlEngine *cpu, OdlEngine *reference, OdlImage *image, const char *name)
{
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    g_autoptr (OdlPlan) plan = odl_test_plan (recipes[r], image);
    g_autoptr (OdlImage) right = process (reference, plan, image, false);
    g_autoptr (OdlImage) whole = process (cpu, plan, image, false);
    g_autoptr (OdlImage) shown = process (cpu, plan, image, true);
    OdlComparison comparison;

    g_assert_true (odl_compare (right, whole, &comparison, NULL));
    if (comparison.max_abs > BOUND)
      g_test_message ("%s, %s: %g at %d, %d, channel %d", name, recipes[r],
                      comparison.max_abs, comparison.max_x, comparison.max_y,
                      comparison.max_channel);
    g_assert_cmpfloat (comparison.max_abs, <=, BOUND);
    // As shown it may be stored otherwise, but is the same picture, also after the next.
    g_autoptr (OdlImage) next = process (cpu, plan, image, true);
    assert_equal_images (whole, shown);
    assert_equal_images (shown, next);
    cpu->timing = true;
    g_autoptr (OdlImage) stepwise = process (cpu, plan, image, true);
    cpu->timing = false;
    g_assert_true (odl_compare (right, stepwise, &comparison, NULL));
    g_assert_cmpfloat (comparison.max_abs, <=, BOUND);
  }
}

static void
test_engine_agrees_with_reference (void)
{
  g_autoptr (OdlEngine) cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);

  for (size_t l = 0; l < G_N_ELEMENTS (odl_test_layouts); l++)
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const size_t m = (l + s) % G_N_ELEMENTS (odl_test_matrices);
      const OdlTestLayout *layout = &odl_test_layouts[l];
      const bool full = (l + s / 3) % 2 == 0;
      g_autoptr (OdlImage) image
          = odl_test_ycbcr (layout, &odl_test_matrices[m], full, sizes[s][0], sizes[s][1],
                            (guint32) (100 * l + s));
      g_autofree char *name = g_strdup_printf (
          "%s, %s, %s, %d × %d", layout->name, odl_test_matrices[m].name,
          full ? "full" : "limited", sizes[s][0], sizes[s][1]);
      check (cpu, reference, image, name);
    }
}

// The definition: Y′ scaled by its range, whatever the matrix.
static void
test_luma_is_the_stored_one (void)
{
  for (size_t m = 0; m < G_N_ELEMENTS (odl_test_matrices); m++) {
    g_autoptr (OdlImage) image
        = odl_test_ycbcr (&odl_test_layouts[0], &odl_test_matrices[m], false, 33, 21, 7);
    const OdlImageInfo *info = odl_image_info (image);
    const OdlGeometry geometry = odl_geometry_of (image);
    float luma[33], red[33] = { 0 }, green[33] = { 0 }, blue[33] = { 0 };
    float *const rgb[] = { red, green, blue };
    double weights[3];

    odl_geometry_luma_weights (&geometry, weights);
    g_assert_cmpfloat (weights[0], ==, odl_test_matrices[m].kr);
    for (int y = 0; y < 21; y++) {
      const uint8_t *stored
          = (const uint8_t *) info->planes[0].data + y * info->planes[0].row_stride_bytes;
      odl_image_luma_row (image, y, luma);
      odl_image_rgb_row (image, y, rgb);
      for (int x = 0; x < 33; x++) {
        const double sum
            = weights[0] * red[x] + weights[1] * green[x] + weights[2] * blue[x];
        g_assert_cmpfloat_with_epsilon (luma[x], (stored[x] - 16) / 219.0, 1e-6);
        g_assert_cmpfloat_with_epsilon (luma[x], sum, 2e-6);
      }
    }
  }
}

// A frame of a video drawn as it is looks like its scaled samples, at every zoom and
// turn.
static void
test_frames_are_drawn_as_they_lie (void)
{
  static const double zooms[] = { 0.3, 0.7, 1, 2.5 };
  const OdlTestMatrix *matrix = &odl_test_matrices[1];
  uint8_t direct[4 * 90 * 70], scaled_first[sizeof direct];

  for (size_t l = 0; l < G_N_ELEMENTS (odl_test_layouts); l++)
    for (int turns = 0; turns < 4; turns++)
      for (size_t z = 0; z < G_N_ELEMENTS (zooms); z++) {
        g_autoptr (OdlImage) image
            = odl_test_ycbcr (&odl_test_layouts[l], matrix, false, 83, 61, (guint32) l);
        g_autoptr (OdlImage) scaled = odl_image_to_scaled (image, NULL);
        OdlView view = odl_view_make (83, 61, 1);
        OdlDisplayScene scene = { .scaled = image,
                                  .display = { .gain = 1.2f, .offset = -0.1f },
                                  .smooth = z % 2 == 0 };
        view.fit = false;
        view.zoom = zooms[z];
        view.quarter_turns = turns;
        view.flip_horizontal = l % 2 == 0;
        odl_view_layout (&view, 90, 70);
        odl_display_render_view (&scene, &view, 90, 70, direct);
        scene.scaled = scaled;
        odl_display_render_view (&scene, &view, 90, 70, scaled_first);
        g_assert_cmpmem (direct, sizeof direct, scaled_first, sizeof scaled_first);
      }
}

// Results that somebody holds stay, and their memory comes back.
static void
test_shown_results_last (void)
{
  g_autoptr (OdlEngine) cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);
  g_autoptr (OdlImage) image
      = odl_test_ycbcr (&odl_test_layouts[0], &odl_test_matrices[0], false, 64, 48, 3);
  g_autoptr (OdlPlan) plan = odl_test_plan (recipes[0], image);
  g_autoptr (OdlPlan) strong = odl_test_plan (
      "shrinkage:wavelet=cdf97,levels=3,thresholds=0.5 colour=luma", image);

  g_autoptr (OdlImage) first = process (cpu, plan, image, true);
  g_autoptr (OdlImage) copy = odl_image_to_scaled (first, NULL);
  for (int i = 0; i < 3; i++)
    odl_image_unref (process (cpu, strong, image, true));
  const size_t before = cpu->counters.allocations;
  for (int i = 0; i < 10; i++)
    odl_image_unref (process (cpu, strong, image, true));
  g_assert_cmpuint (cpu->counters.allocations, ==, before);
  g_clear_pointer (&cpu, odl_engine_close);
  g_clear_pointer (&image, odl_image_unref);
  assert_equal_images (first, copy);
}

// A result that is luma alone has memory for that, also after one of three channels.
static void
test_luma_takes_memory_for_luma (void)
{
#ifdef __GLIBC__
  g_autoptr (OdlEngine) cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);
  g_autoptr (OdlImage) image = odl_test_ycbcr (
      &odl_test_layouts[0], &odl_test_matrices[0], false, 1920, 1080, 3);
  const size_t channel = (size_t) 1920 * 1080 * sizeof (float);

  for (int round = 0; round < 6; round++) {
    const int channels = round % 2 == 0 ? 3 : 1;
    g_autoptr (OdlPlan) plan
        = odl_test_plan (channels == 3 ? "colour=luma" : recipes[0], image);
    g_autoptr (OdlImage) shown = process (cpu, plan, image, true);
    const OdlPlane *first = &odl_image_info (shown)->planes[0];
    const size_t bytes = malloc_usable_size ((void *) first->data);
    g_assert_cmpuint (bytes, >, channels * channel);
    g_assert_cmpuint (bytes, <, (channels + 1) * channel);
  }
#else
  g_test_skip ("this C library does not tell how large a block is");
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu-ycbcr/luma-is-the-stored-one", test_luma_is_the_stored_one);
  g_test_add_func ("/cpu-ycbcr/engine-agrees-with-reference",
                   test_engine_agrees_with_reference);
  g_test_add_func ("/cpu-ycbcr/frames-are-drawn-as-they-lie",
                   test_frames_are_drawn_as_they_lie);
  g_test_add_func ("/cpu-ycbcr/shown-results-last", test_shown_results_last);
  g_test_add_func ("/cpu-ycbcr/luma-takes-memory-for-luma",
                   test_luma_takes_memory_for_luma);
  return g_test_run ();
}
