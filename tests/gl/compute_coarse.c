// SPDX-License-Identifier: MIT
// What makes gl-compute fast must not change its pictures: levels that go together, and
// sliders that run only what they change.
#include <math.h>

#include "engine/gl/compute/compute.h"
#include "../helpers/plans.h"
#include "fixture.h"

static OdlPlan *
run (OdlEngine *engine, const char *recipe, OdlImage *image)
{
  OdlPlan *plan = odl_gl_test_plan (recipe, image);

  odl_test_run (engine, plan, image);
  return plan;
}

typedef struct {
  int width, height, channels;
  const char *recipe;
  bool fuses; // as its size suggests
  bool pairs; // when told to take two levels at a time
  double bound;
} Case;

// One tile and many, edges of tiles at the edge of the picture, odd sizes, levels that
// are left to other dispatches, one level and two, limits of their own per level.
static const Case cases[] = {
  { 16, 16, 1, "soft-threshold:levels=2", false, true, 5e-6 },
  { 18, 17, 1, "soft-threshold:levels=2", true, true, 5e-6 },
  { 33, 20, 1, "soft-threshold:levels=2,threshold=0.1", true, true, 5e-6 },
  { 80, 32, 1, "soft-threshold:levels=2,threshold=0.02", true, true, 5e-6 },
  { 81, 33, 3, "hard-threshold:levels=2,threshold=0.1", true, true, 5e-6 },
  { 203, 97, 1, "shrinkage:levels=3", true, true, 5e-6 },
  { 131, 260, 1, "shrinkage:levels=5", true, true, 5e-6 },
  { 300, 200, 1, "soft-threshold:wavelet=cdf53,levels=4,threshold=0.1", true, true,
    5e-6 },
  { 640, 560, 1, "soft-threshold:levels=2,threshold=0.05", true, true, 5e-6 },
  { 129, 90, 3, "shrinkage:levels=3 colour=luma", true, true, 5e-6 },
  { 203, 97, 1, "soft-threshold:levels=3,threshold=0.05 precision=16", true, true, 4e-3 },
  { 17, 40, 1, "soft-threshold:levels=2,threshold=0.1", true, true, 5e-6 },
  { 16, 40, 1, "soft-threshold:levels=2,threshold=0.1", false, true, 5e-6 },
  { 13, 40, 1, "soft-threshold:levels=2,threshold=0.1", false, true, 5e-6 },
  { 3, 40, 1, "soft-threshold:levels=2,threshold=0.1", false, true, 5e-6 },
  { 5, 6, 1, "soft-threshold:levels=2,threshold=0.1", false, true, 5e-6 },
  { 107, 43, 1, "hard-threshold:levels=4,threshold=0.1 precision=16", false, true, 4e-3 },
  // Large enough for two levels of synthesis at once.
  { 1460, 1437, 1, "shrinkage:levels=3", true, true, 5e-6 },
  { 2, 40, 1, "soft-threshold:levels=2,threshold=0.1", false, false, 5e-6 },
  { 64, 64, 1, "soft-threshold:wavelet=haar,levels=2", false, false, 5e-6 },
  { 64, 64, 1, "soft-threshold:levels=2 border=periodic", false, false, 5e-6 },
  { 64, 64, 1, "soft-threshold:levels=2 view=filtered-analysis", false, false, 5e-6 },
};

static void
agree_with_the_reference (const char *variant, const char *name)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();

  g_assert_true (odl_gl_test_choose (engine, variant));
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    g_autoptr (OdlImage) image
        = odl_gl_test_noise (c->width, c->height, c->channels, ODL_SAMPLE_U8, 3);
    const double distance
        = odl_gl_test_distance (engine, c->recipe, image, c->width < 300);
    g_test_message ("%d x %d, %s: %s, %g", c->width, c->height, c->recipe,
                    engine->variant, distance);
    g_assert_cmpfloat (distance, <=, c->bound);
    g_assert_cmpint (g_str_has_prefix (engine->variant, name), ==,
                     variant == NULL ? c->fuses : c->pairs);
  }
}

static void
fused_levels_agree_with_the_reference (void)
{
  agree_with_the_reference (NULL, "fused");
}

static void
pairs_of_levels_agree_with_the_reference (void)
{
  agree_with_the_reference ("pairs", "pairs");
}

static OdlImage *
result_of (OdlEngine *engine, OdlPlan *plan)
{
  g_autoptr (GError) error = NULL;
  OdlImage *image = odl_engine_read_back (engine, plan, plan->result, &error);

  g_assert_no_error (error);
  return image;
}

// What lies at the threshold goes, what lies above it stays: 5/3 on eighths is exact.
static void
details_at_exactly_the_limit_go (void)
{
  static const char *const variants[] = { "fused", "pairs", "lifting" };
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (130, 94, 1, ODL_SAMPLE_F32, 5);
  float *samples = (float *) odl_image_info (image)->planes[0].data;

  for (int i = 0; i < 130 * 94; i++)
    samples[i] = floorf (samples[i] * 9) / 8;
  for (size_t v = 0; v < G_N_ELEMENTS (variants); v++)
    for (int levels = 2; levels <= 3; levels++) {
      g_autofree char *at = g_strdup_printf (
          "hard-threshold:wavelet=cdf53,levels=%d,threshold=0.25", levels);
      g_autofree char *below = g_strdup_printf (
          "hard-threshold:wavelet=cdf53,levels=%d,threshold=0.2499", levels);
      g_assert_true (odl_gl_test_choose (engine, variants[v]));
      g_assert_cmpfloat (odl_gl_test_distance (engine, at, image, true), <=, 5e-6);
      g_autoptr (OdlPlan) plan = run (engine, at, image);
      g_autoptr (OdlImage) without = result_of (engine, plan);
      g_autoptr (OdlPlan) other = run (engine, below, image);
      g_autoptr (OdlImage) with = result_of (engine, other);
      g_assert_cmpfloat (odl_gl_test_difference (without, with, 0, 0).max, >, 0.1);
    }
}

// The same recipe in an engine that has done nothing before gives the same bits.
static void
check_as_fresh (OdlEngine *engine,
                const char *variant,
                const char *recipe,
                OdlImage *image,
                size_t resumed)
{
  g_autoptr (OdlEngine) fresh = odl_gl_test_engine ();
  const size_t before = engine->counters.resumed;
  g_autoptr (OdlPlan) plan = run (engine, recipe, image);

  g_assert_cmpuint (engine->counters.resumed - before, ==, resumed);
  g_assert_true (odl_gl_test_choose (fresh, variant));
  g_autoptr (OdlPlan) other = run (fresh, recipe, image);
  g_assert_cmpuint (fresh->counters.resumed, ==, 0);
  g_autoptr (OdlImage) got = result_of (engine, plan);
  g_autoptr (OdlImage) wanted = result_of (fresh, other);
  g_assert_cmpfloat (odl_gl_test_difference (got, wanted, 0, 0).max, ==, 0);
}

typedef struct {
  const char *recipe;
  bool other_image; // than the one before
  size_t resumed;
} Move;

static const Move moves[] = {
  { "soft-threshold:levels=3,threshold=0.1", false, 0 },
  { "soft-threshold:levels=3,threshold=0.2", false, 1 },
  { "soft-threshold:levels=3,threshold=0.05", false, 1 },
  { "hard-threshold:levels=3,threshold=0.05", false, 1 },
  { "hard-threshold:levels=3,threshold=0.05", false, 0 }, // somebody wants it done again
  { "hard-threshold:levels=3,threshold=0.1", true, 0 },
  { "hard-threshold:levels=3,threshold=0.2", false, 1 },
  { "hard-threshold:levels=3,wavelet=cdf53,threshold=0.3", false, 0 },
  { "hard-threshold:levels=2,wavelet=cdf53,threshold=0.1", false, 0 },
  { "hard-threshold:levels=2,wavelet=cdf53,threshold=0", false, 1 },
  { "gaussian:sigma=1 soft-threshold:levels=3,threshold=0.1", false, 0 },
  { "gaussian:sigma=1 soft-threshold:levels=3,threshold=0.2", false, 1 },
  { "gaussian:sigma=1.1 soft-threshold:levels=3,threshold=0.2", false, 1 },
  { "soft-threshold:levels=3,threshold=0.2 sharpen:amount=0.1", false, 0 },
  { "soft-threshold:levels=3,threshold=0.2 sharpen:amount=0.2", false, 1 },
  { "soft-threshold:levels=3,threshold=0.1 sharpen:amount=0.2", false, 1 },
  { "gaussian:sigma=1 gaussian:sigma=2 soft-threshold:levels=2", false, 0 },
  { "gaussian:sigma=1 gaussian:sigma=2.1 soft-threshold:levels=2", false, 1 },
};

static void
move_sliders (const char *variant)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  guint32 seed = 1;
  g_autoptr (OdlImage) image = odl_gl_test_noise (101, 70, 3, ODL_SAMPLE_U8, seed);

  g_assert_true (odl_gl_test_choose (engine, variant));
  for (size_t i = 0; i < G_N_ELEMENTS (moves); i++) {
    if (moves[i].other_image) {
      odl_image_unref (image);
      image = odl_gl_test_noise (101, 70, 3, ODL_SAMPLE_U8, ++seed);
    }
    g_test_message ("%s", moves[i].recipe);
    check_as_fresh (engine, variant, moves[i].recipe, image, moves[i].resumed);
  }
}

static void
a_moved_slider_gives_the_picture_of_a_whole_run (void)
{
  move_sliders ("lifting");
  move_sliders ("fused");
  move_sliders ("pairs");
}

// Of a large picture coarse levels are not kept, but analysed again.
static void
sliders_of_large_pictures_give_it_too (void)
{
  if (odl_gl_test_api () == ODL_GL_API_ES)
    return; // nothing of it depends on the interface
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (2100, 2010, 1, ODL_SAMPLE_U8, 1);

  g_assert_true (odl_gl_test_choose (engine, "fused"));
  for (int i = 0; i < 2; i++)
    check_as_fresh (engine, "fused", moves[i].recipe, image, moves[i].resumed);
}

// Reading slots that are not stored runs the frame again beside it: the next slider must
// not notice.
static void
survive_reading_back (const char *variant)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_assert_true (odl_gl_test_choose (engine, variant));
  g_autoptr (OdlImage) image = odl_gl_test_noise (90, 90, 1, ODL_SAMPLE_U8, 9);
  g_autoptr (OdlPlan) plan = run (engine, "soft-threshold:levels=3,threshold=0.1", image);
  g_autoptr (GError) error = NULL;

  for (int slot = 0; slot < plan->n_slots; slot++) {
    g_autoptr (OdlImage) content = odl_engine_read_back (engine, plan, slot, &error);
    g_assert_no_error (error);
  }
  check_as_fresh (engine, variant, "soft-threshold:levels=3,threshold=0.3", image, 1);
}

static void
sliders_survive_reading_back (void)
{
  survive_reading_back ("fused");
  survive_reading_back ("pairs");
}

// Its buffers are gone.
static void
another_plan_between_is_not_resumed (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (48, 40, 1, ODL_SAMPLE_U8, 2);
  g_autoptr (OdlPlan) first = run (engine, "soft-threshold:levels=2", image);
  g_autoptr (OdlPlan) other = run (engine, "soft-threshold:levels=1", image);

  check_as_fresh (engine, NULL, "soft-threshold:levels=2,threshold=0.2", image, 0);
}

// Of all buffers, as the driver says.
static gint64
buffer_bytes (void)
{
  gint64 sum = 0;

  for (GLuint name = 1; name < 4096; name++) {
    GLint64 bytes = 0;
    if (!glIsBuffer (name))
      continue;
    glBindBuffer (GL_COPY_READ_BUFFER, name);
    glGetBufferParameteri64v (GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &bytes);
    sum += bytes;
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  return sum;
}

// Source, result, coefficients and the coarser pictures: 2 + 4/3 + 1/3 images less what
// the coarsest levels leave over, and the rounding of rows to whole quads.
static void
the_working_set_is_below_four_images (void)
{
  static const struct {
    int width, height, channels, levels;
  } sizes[] = { { 1024, 1024, 1, 3 }, { 1024, 512, 3, 7 }, { 1001, 703, 1, 5 } };
  static const char *const variants[] = { "fused", "pairs", "lifting", "convolution" };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (size_t v = 0; v < G_N_ELEMENTS (variants); v++)
      for (int bits = 16; bits <= 32; bits += 16) {
        g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
        g_autoptr (OdlImage) image = odl_gl_test_noise (
            sizes[i].width, sizes[i].height, sizes[i].channels, ODL_SAMPLE_U8, 1);
        g_autofree char *recipe = g_strdup_printf (
            "soft-threshold:levels=%d precision=%d", sizes[i].levels, bits);
        g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
        g_autoptr (GError) error = NULL;
        g_assert_true (odl_gl_test_choose (engine, variants[v]));
        const gint64 before = buffer_bytes ();
        odl_engine_prepare (engine, plan, &error);
        g_assert_no_error (error);
        const double images = (double) (buffer_bytes () - before)
                              / ((double) sizes[i].width * sizes[i].height
                                 * sizes[i].channels * bits / 8);
        g_test_message ("%d x %d, %s, %d bits: %.2f images in %zu buffers",
                        sizes[i].width, sizes[i].height, variants[v], bits, images,
                        engine->counters.allocations);
        g_assert_cmpfloat (images, >, 3);
        g_assert_cmpfloat (images, <=, 4);
      }
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "coarse/fused-levels-agree-with-the-reference",
      fused_levels_agree_with_the_reference },
    { "coarse/pairs-of-levels-agree-with-the-reference",
      pairs_of_levels_agree_with_the_reference, NULL, true },
    { "coarse/details-at-exactly-the-limit-go", details_at_exactly_the_limit_go, NULL,
      true },
    { "slider/gives-the-picture-of-a-whole-run",
      a_moved_slider_gives_the_picture_of_a_whole_run },
    { "slider/of-large-pictures", sliders_of_large_pictures_give_it_too, NULL, true },
    { "slider/survives-reading-back", sliders_survive_reading_back, NULL, true },
    { "memory/working-set-is-below-four-images", the_working_set_is_below_four_images },
    { "slider/another-plan-between-is-not-resumed", another_plan_between_is_not_resumed,
      NULL, true },
  };

  // Two engines that were tuned to different ways may differ in the last bit.
  g_setenv ("ODL_TUNE", "off", TRUE);
  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
