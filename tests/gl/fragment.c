// SPDX-License-Identifier: MIT
// gl-fragment's working set: how many images it takes, and that what shares memory, or
// comes in strips, is the same picture.
#include <string.h>

#include "fixture.h"

#define MOST 67

static const char *const recipes[] = {
  "soft-threshold:levels=3,threshold=0.05",
  "soft-threshold:wavelet=int53,levels=3,threshold=0.05",
  "soft-threshold:wavelet=db4,levels=3,threshold=0.05 border=periodic",
  "soft-threshold:wavelet=haar,levels=4,threshold=0.05",
  "soft-threshold:wavelet=coif5,levels=16,threshold=0.05 border=zero",
  "soft-threshold:levels=2,threshold=0.05 soft-threshold:wavelet=cdf53,levels=3",
  "soft-threshold:levels=3,threshold=0.05 gaussian:sigma=1 shrinkage:levels=2",
  "soft-threshold:levels=2,threshold=0.05 sharpen:amount=0.5",
  "gaussian:sigma=1 sharpen:amount=0.5 soft-threshold:levels=2 view=analysis",
  "sharpen:amount=0.5 soft-threshold:levels=3 view=analysis",
  "soft-threshold:levels=1 sharpen:amount=0.5 soft-threshold:levels=3 "
  "view=filtered-analysis",
};

static const int sizes[][2] = { { 33, 20 }, { 64, 65 }, { 1, 7 }, { 6, 1 } };

// An engine whose pictures go in strips, however small they are.
static OdlEngine *
strip_engine (void)
{
  OdlEngine *engine = odl_gl_test_engine ();

  odl_gl_fragment_set_strips_from (engine, 1);
  g_assert_true (odl_gl_test_choose (engine, "packed"));
  return engine;
}

static void
check_recipes (OdlEngine *engine, int channels, const char *words, double bound)
{
  // Shaders have one text for both APIs.
  const size_t n = odl_gl_test_api () == ODL_GL_API_DESKTOP ? G_N_ELEMENTS (sizes) : 1;

  for (size_t s = 0; s < n; s++)
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (sizes[s][0], sizes[s][1], channels, ODL_SAMPLE_U8, 5);
      g_autofree char *recipe = g_strdup_printf ("%s %s", recipes[r], words);
      const double distance = odl_gl_test_distance (engine, recipe, image, true);
      if (!(distance <= bound))
        g_test_message ("%d × %d, %d channels, %s: %g", sizes[s][0], sizes[s][1],
                        channels, recipe, distance);
      g_assert_cmpfloat (distance, <=, bound);
    }
}

// Every slot, also those that have no memory in the end.
static void
every_slot_agrees (void)
{
  g_autoptr (OdlEngine) whole = odl_gl_test_engine ();
  g_autoptr (OdlEngine) strips = strip_engine ();

  check_recipes (whole, 1, "", 1e-5);
  check_recipes (strips, 1, "", 1e-5);
  check_recipes (strips, 1, "precision=16", 8e-3);
  check_recipes (strips, 3, "", 1e-5);
  check_recipes (strips, 3, "colour=luma", 1e-5);
}

static void
strips_of_every_size_agree (void)
{
  g_autoptr (OdlEngine) engine = strip_engine ();
  const bool all = odl_gl_test_api () == ODL_GL_API_DESKTOP;

  for (int n = 1; n <= MOST; n += all ? 1 : 6)
    for (int i = 0; i < 2; i++) {
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (i == 0 ? n : MOST + 1 - n, n, 1, ODL_SAMPLE_U8, n);
      const double distance = odl_gl_test_distance (
          engine, "soft-threshold:levels=16,threshold=0.05", image, true);
      g_assert_cmpfloat (distance, <=, 1e-5);
    }
}

static OdlImage *
run (OdlEngine *engine, const char *recipe, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;
  OdlImage *result = odl_engine_process (engine, plan, image, &error);

  g_assert_no_error (error);
  return result;
}

// Bit by bit; what is written, and how much of it, stays the same, too.
static void
strips_change_nothing (void)
{
  static const char *const recipe = "soft-threshold:levels=3,threshold=0.05";

  for (int channels = 1; channels <= 3; channels += 2) {
    g_autoptr (OdlEngine) whole = odl_gl_test_engine ();
    g_autoptr (OdlEngine) strips = strip_engine ();
    g_autoptr (OdlImage) image = odl_gl_test_noise (131, 97, channels, ODL_SAMPLE_U16, 9);
    g_autoptr (OdlImage) expected = run (whole, recipe, image);
    g_autoptr (OdlImage) got = run (strips, recipe, image);

    g_assert_cmpuint (odl_gl_fragment_texture_bytes (strips), <,
                      odl_gl_fragment_texture_bytes (whole));
    g_assert_cmpfloat (odl_gl_test_difference (got, expected, 0, 0).max, ==, 0);
    g_assert_cmpfloat (odl_gl_fragment_texels (strips).texels, ==,
                       odl_gl_fragment_texels (whole).texels);
  }
}

// Synthesis alone finds the bands, though the result was room for analysis.
static void
synthesis_alone_is_repeated (void)
{
  static const char *const recipe = "soft-threshold:levels=3,threshold=0.05";
  g_autoptr (OdlEngine) engine = strip_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (131, 97, 1, ODL_SAMPLE_U16, 9);
  g_autoptr (OdlImage) expected = run (engine, recipe, image);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;

  for (int synthesis_only = 1; synthesis_only >= 0; synthesis_only--) {
    engine->klass->repeat (engine, synthesis_only != 0);
    g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, plan->result, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (odl_gl_test_difference (got, expected, 0, 0).max, ==, 0);
  }
}

// Images of the working precision.
static double
images_of (OdlEngine *engine, const OdlPlan *plan)
{
  const OdlGeometry *g = &plan->geometry;

  return (double) odl_gl_fragment_texture_bytes (engine)
         / ((double) g->width * g->height * g->channels * plan->precision / 8);
}

static void
check_working_set (int width, int height, int channels, const char *recipe, double most)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image
      = odl_gl_test_noise (width, height, channels, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;

  odl_engine_prepare (engine, plan, &error);
  g_assert_no_error (error);
  const double images = images_of (engine, plan);
  g_test_message ("%d × %d, %d channels, %s: %.3f images in %zu textures", width, height,
                  channels, recipe, images, engine->counters.textures);
  g_assert_cmpfloat (images, >, 3);
  g_assert_cmpfloat (images, <=, most);
}

// Source, whose colours have a fourth component, result, coefficients, and a third of an
// image: for a half that comes in strips. Of pictures below 512² it is a whole one. With
// periodic borders coarser results are beside these.
static void
the_working_set_is_below_four_images (void)
{
  static const struct {
    int width, height, channels;
    const char *recipe;
    double most;
  } cases[] = {
    { 1024, 1024, 1, "soft-threshold:levels=3", 3.65 },
    { 1024, 512, 1, "soft-threshold:levels=3 precision=16", 3.65 },
    { 1001, 703, 1, "soft-threshold:levels=3", 3.67 },
    { 703, 1001, 1, "soft-threshold:levels=4", 3.67 },
    { 1001, 703, 1, "soft-threshold:levels=16", 3.67 },
    { 1024, 768, 1, "shrinkage:levels=3,wavelet=db4", 4 },
    { 512, 512, 1, "soft-threshold:levels=3", 3.65 },
    { 256, 256, 1, "soft-threshold:levels=3", 4.32 },
    { 512, 512, 3, "soft-threshold:levels=3", 4 },
    { 513, 511, 3, "soft-threshold:levels=3", 4 },
    { 1001, 703, 3, "soft-threshold:levels=16", 4 },
    { 1024, 768, 3, "soft-threshold:levels=1", 4 },
    { 1024, 768, 3, "soft-threshold:levels=5,wavelet=cdf53", 4 },
    { 1024, 768, 3, "soft-threshold:levels=3,wavelet=int53", 4 },
    { 1024, 768, 3, "soft-threshold:levels=3 precision=16", 4 },
    { 1024, 768, 3, "shrinkage:levels=3,wavelet=db4", 4.3 },
    { 256, 256, 3, "soft-threshold:levels=3", 4.65 },
    { 1024, 768, 3, "soft-threshold:levels=3 colour=luma", 4 },
    { 1024, 768, 1, "soft-threshold:levels=3 view=analysis", 4.32 },
    { 1024, 768, 1, "soft-threshold:levels=3 view=filtered-analysis", 4.63 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    check_working_set (cases[i].width, cases[i].height, cases[i].channels,
                       cases[i].recipe, cases[i].most);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "memory/working-set-is-below-four-images", the_working_set_is_below_four_images },
    { "memory/strips-change-nothing", strips_change_nothing },
    { "memory/synthesis-alone-is-repeated", synthesis_alone_is_repeated },
    { "memory/every-slot-agrees-with-the-reference", every_slot_agrees },
    { "memory/strips-of-every-size-agree-with-the-reference", strips_of_every_size_agree,
      NULL, true },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
