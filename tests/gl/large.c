// SPDX-License-Identifier: MIT
// An engine against the reference on large pictures, and against the picture itself where
// nothing is filtered.
#include "fixture.h"

static const char *const wavelets[] = { "cdf97", "cdf53" };

static void
large_sizes (void)
{
  static const int sizes[][2] = { { 256, 256 }, { 511, 333 }, { 1955, 1841 } };
  OdlEngine *engine = odl_gl_test_shared_engine ();

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    // The reference is slow, and GLES has the same text of shaders.
    if (sizes[i][0] > 1000 && odl_gl_test_api () == ODL_GL_API_ES)
      continue;
    odl_gl_test_check_size (engine, sizes[i][0], sizes[i][1], 1, 32);
    odl_gl_test_check_size (engine, sizes[i][0], sizes[i][1], 1, 16);
    if (sizes[i][0] < 1000)
      odl_gl_test_check_size (engine, sizes[i][0], sizes[i][1], 3, 32);
  }
}

// With threshold 0 nothing is lost, borders included. All levels that a picture has round
// more often than the five or fewer that people take.
static void
reconstruct (int levels, double bound)
{
  static const int sizes[][2]
      = { { 1, 1 }, { 2, 2 }, { 3, 5 }, { 67, 67 }, { 256, 256 }, { 511, 333 } };
  OdlEngine *engine = odl_gl_test_shared_engine ();

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (size_t w = 0; w < G_N_ELEMENTS (wavelets); w++) {
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (sizes[i][0], sizes[i][1], 1, ODL_SAMPLE_F32, 7);
      g_autofree char *recipe = g_strdup_printf (
          "soft-threshold:wavelet=%s,levels=%d,threshold=0", wavelets[w], levels);
      g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
      g_autoptr (GError) error = NULL;
      g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
      g_assert_no_error (error);
      const double distance = odl_gl_test_difference (result, image, 0, 0).max;
      g_test_message ("%d × %d, %s: %g", sizes[i][0], sizes[i][1], recipe, distance);
      g_assert_cmpfloat (distance, <, bound);
    }
}

static void
reconstructs (void)
{
  reconstruct (5, 2e-6);
  reconstruct (16, 3e-6);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "large/reconstructs-perfectly", reconstructs },
    { "large/images-agree-with-the-reference", large_sizes, NULL, true },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
