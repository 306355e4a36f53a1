// SPDX-License-Identifier: MIT
// Samples of every type and layout arrive as odl_image_scaled_row would scale them.
#include <math.h>

#include "../helpers/plans.h"
#include "fixture.h"
#include "../helpers/images.h"

// The loaded samples against odl_image_scaled_row, alpha left out.
static double
load_distance (OdlEngine *engine, OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("", image);
  g_autoptr (GError) error = NULL;
  g_autofree float *row = g_new (float, info->extent.x);
  double distance = 0;

  odl_test_run (engine, plan, image);
  g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, plan->source, &error);
  g_assert_no_error (error);

  const OdlImageInfo *out = odl_image_info (got);
  for (int c = 0; c < out->channels; c++)
    for (int y = 0; y < info->extent.y; y++) {
      const float *line = (const float *) ((const char *) out->planes[c].data
                                           + y * out->planes[c].row_stride_bytes);
      odl_image_scaled_row (image, c, y, 0, 0, row);
      for (int x = 0; x < info->extent.x; x++)
        distance = fmax (distance, fabs ((double) row[x] - line[x * out->channels]));
    }
  return distance;
}

static void
every_type (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  static const int channels[] = { 1, 3, 4 };

  for (int type = ODL_SAMPLE_U8; type <= ODL_SAMPLE_F32; type++)
    for (size_t c = 0; c < G_N_ELEMENTS (channels); c++) {
      g_autoptr (OdlImage) image
          = odl_gl_test_noise (37, 19, channels[c], (OdlSampleType) type, 1);
      g_assert_cmpfloat (load_distance (engine, image), <=, 1.2e-7);
    }
}

// Rows with padding, planes, and every second sample of a row.
static void
strides (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  static const size_t steps[] = { 1, 2, 5 }; // samples

  for (size_t s = 0; s < G_N_ELEMENTS (steps); s++)
    for (int channels = 1; channels <= 3; channels += 2) {
      g_autoptr (OdlImage) backing = odl_gl_test_noise (400, 33, 3, ODL_SAMPLE_U16, 9);
      g_autoptr (GError) error = NULL;
      const guint16 *samples = odl_image_info (backing)->planes[0].data;
      OdlImageInfo info = {
        .extent = { 50, 10, 1, 1 },
        .channels = channels,
        .type = ODL_SAMPLE_U16,
        .stored_min = 100,
        .stored_max = 4195,
      };
      for (int c = 0; c < channels; c++)
        info.planes[c] = (OdlPlane){
          .data = samples + c * 12000,
          .sample_stride_bytes = 2 * steps[s],
          .row_stride_bytes = 2 * 1201,
        };
      g_autoptr (OdlImage) image = odl_image_wrap (&info, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (load_distance (engine, image), <=, 2e-6); // values up to 16
    }
}

// More frames than the ring has buffers, each with other samples.
static void
ring_turns (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();

  for (guint32 seed = 0; seed < 10; seed++) {
    g_autoptr (OdlImage) image = odl_gl_test_noise (61, 43, 1, ODL_SAMPLE_U8, seed);
    g_assert_cmpfloat (load_distance (engine, image), <=, 1.2e-7);
  }
}

static void
non_finite (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  float *samples;
  g_autoptr (OdlImage) image = odl_test_image (6, 1, 1, ODL_SAMPLE_F32, &samples);

  samples[0] = NAN;
  samples[1] = INFINITY;
  samples[2] = -INFINITY;
  samples[3] = -NAN;
  samples[4] = 0.25f;
  samples[5] = -7;
  g_assert_cmpfloat (load_distance (engine, image), ==, 0);
}

// The alpha of the source rides in its texture, where the canvas looks for it.
static void
identity_keeps_every_sample (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (20, 30, 4, ODL_SAMPLE_U8, 2);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("pass-through", image);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
  const guint8 *in = odl_image_info (image)->planes[0].data;

  g_assert_no_error (error);
  const float *out = odl_image_info (result)->planes[0].data;
  for (int i = 0; i < 20 * 30 * 4; i++)
    g_assert_cmpint ((int) lrintf (out[i] * 255), ==, in[i]);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "upload/every-type-is-scaled", every_type },
    { "upload/strides-and-planes-are-followed", strides },
    { "upload/the-ring-turns", ring_turns },
    { "upload/non-finite-samples-are-tamed", non_finite },
    { "upload/identity-keeps-every-sample", identity_keeps_every_sample },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
