// SPDX-License-Identifier: MIT
// The border that hardware mirrors, half a sample too far: how large its error is, where
// it is, and that nothing but its name leads to it.
#include <math.h>

#include "fixture.h"
#include "../helpers/images.h"

#define SIDE 128
#define LEVELS 3
#define MIRROR_LEAST 0.04
#define MIRROR_MOST 0.06
#define RECIPE "soft-threshold:levels=3,threshold=0"

// A smooth picture: a gradient with a few waves, as the content of an image is.
static OdlImage *
smooth_picture (void)
{
  float *samples;
  OdlImage *image = odl_test_image (SIDE, SIDE, 1, ODL_SAMPLE_F32, &samples);

  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      samples[y * SIDE + x] = (float) (0.5 + 0.002 * (x - y) + 0.15 * sin (0.11 * x + 1)
                                       + 0.1 * cos (0.07 * y));
  return image;
}

// Largest |a − b| at a distance of at least `margin` from the border, and on it.
typedef struct {
  double inside, border;
} Error;

static Error
reconstruction_error (const OdlImage *a, const OdlImage *b, int margin)
{
  const float *left = odl_image_info (a)->planes[0].data;
  const float *right = odl_image_info (b)->planes[0].data;
  Error error = { 0, 0 };

  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      const double d = fabs ((double) left[y * SIDE + x] - (double) right[y * SIDE + x]);
      const int near = MIN (MIN (x, y), SIDE - 1 - MAX (x, y));
      double *most = near < margin ? &error.border : &error.inside;
      *most = MAX (*most, d);
    }
  return error;
}

static Error
measure (const char *variant)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = smooth_picture ();
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (RECIPE, image);
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_gl_test_choose (engine, variant));
  g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (engine->variant, ==, variant);
  // Analysis and synthesis of level l reach 4 samples of 2^(l − 1) pixels each.
  return reconstruction_error (image, result, 8 * ((1 << LEVELS) - 1));
}

// src/engine/gl/README.md states this number.
static void
error_is_what_is_documented (void)
{
  const Error mirror = measure ("mirror");
  const Error exact = measure ("quads");

  g_test_message ("mirror: %g at the border, %g inside; quads: %g", mirror.border,
                  mirror.inside, exact.border);
  g_assert_cmpfloat (exact.border, <, 1e-5);
  g_assert_cmpfloat (mirror.inside, <, 1e-5);
  g_assert_cmpfloat (mirror.border, >, MIRROR_LEAST);
  g_assert_cmpfloat (mirror.border, <, MIRROR_MOST);
}

static void
is_marked_and_not_chosen (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = smooth_picture ();
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (RECIPE, image);
  g_autoptr (GError) error = NULL;
  int inexact = 0;

  for (const OdlEngineVariant *v = engine->klass->variants; v->name != NULL; v++)
    inexact += v->inexact ? 1 : 0;
  g_assert_cmpint (inexact, ==, 1);
  odl_engine_prepare (engine, plan, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (engine->variant, !=, "mirror");
}

// What it cannot do runs in another way, exactly, and says so.
static void
gives_way_where_it_cannot (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (40, 30, 1, ODL_SAMPLE_U8, 1);
  static const char *const recipes[] = {
    "soft-threshold:wavelet=int53,levels=2",
    "soft-threshold:wavelet=cdf97,levels=2 border=periodic",
  };

  g_assert_true (odl_gl_test_choose (engine, "mirror"));
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    g_assert_cmpfloat (odl_gl_test_distance (engine, recipes[r], image, true), <, 1e-5);
    g_assert_cmpstr (engine->variant, ==, "quads, not mirror");
  }
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "mirror/error-is-what-is-documented", error_is_what_is_documented },
    { "mirror/is-marked-and-not-chosen", is_marked_and_not_chosen },
    { "mirror/gives-way-where-it-cannot", gives_way_where_it_cannot },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
