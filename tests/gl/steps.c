// SPDX-License-Identifier: MIT
// Every slot that a plan leaves behind, against the reference: so every kind of step.
#include <string.h>

#include "fixture.h"
#include "../helpers/images.h"

static const char *const recipes[] = {
  "",
  "gaussian:sigma=0.4",
  "gaussian:sigma=1",
  "gaussian:sigma=9",
  "sharpen:amount=0.8,neighbours=4",
  "sharpen:amount=1.5,neighbours=8",
  "soft-threshold:levels=1,threshold=0.1",
  "soft-threshold:wavelet=cdf53,levels=3,threshold=0.02",
  "shrinkage:levels=4,thresholds=0.2/0.1:0.04:0.15/0.02",
  "shrinkage:levels=3,thresholds=0.2:0.1:0.05/0.02:0.1:0.05 view=filtered-analysis",
  "shrinkage:levels=2,thresholds=0.1:0.04:0.15/0.02,transform=stationary",
  "soft-threshold:levels=2,threshold=0.02,transform=stationary view=filtered-analysis",
  "bivariate:levels=4,sigma=0.05,window=5",
  "gaussian:sigma=0.4 soft-threshold:levels=3,threshold=0.05,transform=dual-tree",
  "soft-threshold:levels=3,threshold=0.1,transform=dual-tree view=filtered-analysis",
  "soft-threshold:levels=3,threshold=0.1 view=analysis",
  "soft-threshold:levels=3,threshold=0.1 view=filtered-analysis",
  "gaussian:sigma=1 soft-threshold:levels=3,threshold=0.1 view=residual",
  "gaussian:sigma=1 sharpen:amount=0.5 soft-threshold:levels=2,threshold=0.05",
  "soft-threshold:levels=3,threshold=0.05 soft-threshold:levels=2 view=analysis",
};

static const int sizes[][2]
    = { { 1, 1 }, { 1, 7 }, { 6, 1 }, { 2, 3 }, { 33, 20 }, { 64, 65 } };

static void
check_all (int channels, const char *words, double bound, const char *variant)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();

  g_assert_true (odl_gl_test_choose (engine, variant));
  // Shaders have one text for both APIs.
  const bool all = odl_gl_test_api () == ODL_GL_API_DESKTOP;
  for (size_t s = all ? 0 : G_N_ELEMENTS (sizes) - 2; s < G_N_ELEMENTS (sizes); s++)
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
      if (sizes[s][0] * sizes[s][1] == 1 && strstr (recipes[r], "view="))
        continue; // one pixel has no coefficients
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (sizes[s][0], sizes[s][1], channels, ODL_SAMPLE_U8, 5);
      g_autofree char *recipe = g_strdup_printf ("%s %s", recipes[r], words);
      g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
      if (!odl_engine_can_run (engine->klass, plan, NULL))
        continue; // the proof knows who may refuse
      if ((variant != NULL || *words != '\0' || channels > 1)
          && !odl_gl_test_is_run (engine, plan, r))
        continue;
      const double distance = odl_gl_test_distance (engine, recipe, image, true);
      if (!(distance <= bound))
        g_test_message ("%d x %d, %d channels, %s: %g", sizes[s][0], sizes[s][1],
                        channels, recipe, distance);
      g_assert_cmpfloat (distance, <=, bound);
    }
}

// In every way that the engine has.
static void
check_variants (int channels, const char *words, double bound)
{
  const OdlEngineVariant *v = odl_gl_test_shared_engine ()->klass->variants;

  check_all (channels, words, bound, NULL);
  for (; v != NULL && v->name != NULL; v++)
    if (!v->inexact)
      check_all (channels, words, bound, v->name);
}

static void
grey (void)
{
  check_variants (1, "", 4e-6);
}

// GL 3.3 and GLES 3.0 fetch samples one by one where later ones gather four.
static void
without_gather (void)
{
  static const int extents[][2] = { { 1, 7 }, { 6, 1 }, { 33, 20 }, { 67, 65 } };
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();

  odl_gl_fragment_forgo_gather (engine);
  g_assert_true (odl_gl_test_choose (engine, "packed"));
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (extents); i++) {
    const int *extent = extents[i / 2];
    g_autoptr (OdlImage) image
        = odl_gl_test_noise (extent[0], extent[1], i % 2 == 0 ? 1 : 3, ODL_SAMPLE_U8, 5);
    const double distance = odl_gl_test_distance (
        engine, "soft-threshold:levels=3,threshold=0.02", image, true);
    g_assert_cmpfloat (distance, <=, 4e-6);
  }
  OdlGlPrograms *programs = odl_gl_fragment_programs (engine);
  for (size_t i = 0; i < odl_gl_programs_count (programs); i++)
    g_assert_null (strstr (odl_gl_programs_at (programs, i)->defines, "GATHER"));
}

static void
grey_16 (void)
{
  check_variants (1, "precision=16", 2e-3);
}

// Samples are stored less a bias there, which filters that are no weighted means have to
// take into account. Those that count samples in bins jump.
static void
every_spatial_filter_16 (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (33, 20, 1, ODL_SAMPLE_U8, 5);
  int n = 0;

  g_assert_true (odl_gl_test_choose (engine, NULL));
  for (size_t f = 0; f < odl_filter_count (); f++) {
    const OdlFilter *filter = odl_filter_at (f);
    if (odl_filter_file (filter) != NULL || filter->kind == ODL_FILTER_CLAHE)
      continue;
    g_autofree char *recipe = g_strconcat (filter->name, " precision=16", NULL);
    g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
    bool spatial = plan->precision == 16;
    for (int i = 1; i < plan->n_steps; i++)
      spatial = spatial
                && odl_step_row (plan->steps[i].kind)->class == ODL_STEP_CLASS_SPATIAL;
    if (!spatial || !odl_engine_can_run (engine->klass, plan, NULL))
      continue;
    n++;
    if (!odl_gl_test_is_run (engine, plan, (size_t) n))
      continue;
    const double distance = odl_gl_test_distance (engine, recipe, image, true);
    if (!(distance <= 2e-3))
      g_test_message ("%s: %g", recipe, distance);
    g_assert_cmpfloat (distance, <=, 2e-3);
  }
  g_assert_cmpint (n, >, 10);
}

static void
colour (void)
{
  check_variants (3, "", 4e-6);
}

static void
luma (void)
{
  check_all (3, "colour=luma", 4e-6, NULL);
  check_all (4, "colour=luma precision=16", 2e-3, NULL);
}

// A hard threshold jumps: 5/3 on eighths is exact in single precision, so that no
// rounding decides where a coefficient falls.
static void
hard (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  float *samples;
  g_autoptr (OdlImage) image = odl_test_image (40, 31, 1, ODL_SAMPLE_F32, &samples);

  for (int i = 0; i < 40 * 31; i++)
    samples[i] = g_rand_int_range (random, 0, 9) / 8.0f;
  g_assert_cmpfloat (
      odl_gl_test_distance (
          engine, "hard-threshold:wavelet=cdf53,levels=3,threshold=0.25", image, true),
      <=, 1e-6);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "steps/grey-agree-with-the-reference", grey },
    { "steps/packed-without-gather-agrees-with-the-reference", without_gather,
      "gl-fragment" },
    { "steps/grey-in-16-bits-agree-with-the-reference", grey_16 },
    { "steps/every-spatial-filter-in-16-bits-agrees-with-the-reference",
      every_spatial_filter_16 },
    { "steps/colour-agree-with-the-reference", colour },
    { "steps/luma-agrees-with-the-reference", luma },
    { "steps/hard-threshold-agrees-with-the-reference", hard },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
