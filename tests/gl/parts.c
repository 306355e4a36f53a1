// SPDX-License-Identifier: MIT
// What gl-compute computes so that less has to travel: frames that are padded on the GPU,
// and parts of the result as floats, whole numbers and bytes.
#include <math.h>
#include <string.h>

#include "fixture.h"

#define MOST_PARTS 4

static OdlImage *
run_and_read (OdlEngine *engine, const OdlPlan *plan, OdlImage *image)
{
  g_autoptr (GError) error = NULL;
  bool done = odl_engine_prepare (engine, plan, &error)
              && odl_engine_run (engine, plan, image, &error);
  OdlImage *result
      = done ? odl_engine_read_back (engine, plan, plan->result, &error) : NULL;

  g_assert_no_error (error);
  return result;
}

// What a part's number `i` has to be.
static void
expect (const OdlImage *result,
        const OdlPart *part,
        OdlPartForm form,
        int i,
        const void *got)
{
  const OdlImageInfo *info = odl_image_info (result);
  const int pixel = i / info->channels, channel = i % info->channels;
  const int x = part->x + pixel % part->width, y = part->y + pixel / part->width;
  float value = ((const float *) info->planes[0]
                     .data)[((size_t) y * info->extent.x + x) * info->channels + channel];
  const bool clamp = part->clamp || form == ODL_PART_BYTES;
  const float scaled = (clamp ? fminf (fmaxf (value, 0), 1) : value) * part->scale;

  if (form == ODL_PART_FLOATS)
    g_assert_cmpfloat (((const float *) got)[i], ==, scaled);
  else if (form == ODL_PART_WORDS)
    g_assert_cmphex (((const guint32 *) got)[i], ==,
                     (guint32) fabsf (scaled) | (scaled < 0 ? ODL_PART_NEGATIVE : 0));
  else
    g_assert_cmpint (((const guint8 *) got)[i], ==,
                     (int) fminf (fmaxf (scaled + 0.5F, 0), 255));
}

static void
check_parts (const char *recipe,
             int channels,
             OdlPartForm form,
             const OdlPart *parts,
             int n_parts)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (67, 45, channels, ODL_SAMPLE_U8, 5);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (OdlImage) result = run_and_read (engine, plan, image);
  const size_t bytes = form == ODL_PART_BYTES ? 1 : 4;
  size_t n[MOST_PARTS], all = 0;
  g_autoptr (GError) error = NULL;

  for (int p = 0; p < n_parts; p++)
    all += n[p] = (size_t) parts[p].width * parts[p].height * channels;
  g_autofree char *out = g_malloc (all * bytes + 1);
  out[all * bytes] = 0x5A; // nothing is written behind the last
  g_assert_true (odl_engine_parts (engine, plan, form, parts, n_parts, out, &error));
  g_assert_no_error (error);
  const char *at = out;
  for (int p = 0; p < n_parts; at += n[p++] * bytes)
    for (size_t i = 0; i < n[p]; i++)
      expect (result, &parts[p], form, (int) i, at);
  g_assert_cmpint (out[all * bytes], ==, 0x5A);
  odl_gl_test_no_gl_error ();
}

#define ANALYSIS "soft-threshold:wavelet=cdf97,levels=3 view=analysis"
#define SYNTHESIS "sharpen:amount=4" // goes beyond 0 … 1

static void
parts_are_what_is_read_back (void)
{
  static const OdlPart some[MOST_PARTS] = { { 0, 0, 9, 6, 3, false },
                                            { 9, 0, 25, 0, 3, false },
                                            { 33, 22, 34, 23, 1000.7F, false },
                                            { 66, 44, 1, 1, 5, true } };
  static const OdlPart whole = { 0, 0, 67, 45, 200.7F, true },
                       own = { 3, 1, 50, 43, 77.3F };

  for (int channels = 1; channels <= 3; channels += 2) {
    check_parts (ANALYSIS, channels, ODL_PART_FLOATS, some, MOST_PARTS);
    check_parts (ANALYSIS, channels, ODL_PART_WORDS, some, MOST_PARTS);
    check_parts (SYNTHESIS, channels, ODL_PART_BYTES, &whole, 1);
    check_parts (SYNTHESIS, channels, ODL_PART_BYTES, &own, 1);
    check_parts (SYNTHESIS " precision=16", channels, ODL_PART_FLOATS, &whole, 1);
  }
}

// `image` with zeros up to width × height, as scaled floats.
static OdlImage *
padded (const OdlImage *image, int width, int height)
{
  const OdlImageInfo *from = odl_image_info (image);
  const OdlImageInfo info = { .extent = { width, height, 1, 1 },
                              .channels = from->channels,
                              .type = ODL_SAMPLE_F32,
                              .stored_max = 1 };
  g_autofree float *row = g_new (float, from->extent.x);
  void *data;
  OdlImage *result = odl_image_alloc (&info, &data, NULL);
  float *samples = data;

  memset (samples, 0, sizeof (float) * width * height * info.channels);
  for (int c = 0; c < info.channels; c++)
    for (int y = 0; y < from->extent.y; y++) {
      odl_image_scaled_row (image, c, y, 0, 0, row);
      for (int x = 0; x < from->extent.x; x++)
        samples[((size_t) y * width + x) * info.channels + c] = row[x];
    }
  return result;
}

static void
check_padding (const char *recipe,
               int channels,
               OdlSampleType type,
               int width,
               int height)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (width, height, channels, type, 11);
  g_autoptr (OdlImage) wide = padded (image, 64, 64);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, wide);
  g_autoptr (OdlImage) wanted = run_and_read (engine, plan, wide);
  g_autoptr (OdlImage) got = run_and_read (engine, plan, image);
  const OdlGlTestDifference difference = odl_gl_test_difference (got, wanted, 0, 0);

  if (!(difference.max < 2e-6))
    g_error ("%s, %d channels, type %d, %d x %d: %g at %d, %d", recipe, channels,
             (int) type, width, height, difference.max, difference.x, difference.y);
}

static void
frames_are_padded_with_zeros (void)
{
  static const char *const variants[] = { NULL, "lifting", "convolution", "pairs" };
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_S16, ODL_SAMPLE_F32 };

  for (size_t v = 0; v < G_N_ELEMENTS (variants); v++)
    for (int channels = 1; channels <= 3; channels += 2) {
      g_assert_true (odl_gl_test_choose (odl_gl_test_shared_engine (), variants[v]));
      for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
        check_padding (ANALYSIS, channels, types[t], 45, 37);
      check_padding (ANALYSIS, channels, ODL_SAMPLE_U8, 64, 1);
      check_padding ("gaussian:sigma=1", channels, ODL_SAMPLE_U8, 1, 50);
      check_padding ("soft-threshold:wavelet=cdf97,levels=6,threshold=0 border=periodic",
                     channels, ODL_SAMPLE_U8, 45, 37);
    }
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "parts/are-what-is-read-back", parts_are_what_is_read_back, NULL },
    { "parts/frames-are-padded-with-zeros", frames_are_padded_with_zeros, NULL },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
