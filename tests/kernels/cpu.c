// SPDX-License-Identifier: MIT
// Properties of the CPU engine.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "../helpers/images.h"
#include "../helpers/stability.h"
#include "fixtures.h"

static double
largest_difference (const OdlImage *a, const OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (a);
  double largest = 0;

  g_assert_cmpint (info->extent.x, ==, odl_image_info (b)->extent.x);
  g_assert_cmpint (info->extent.y, ==, odl_image_info (b)->extent.y);
  g_assert_cmpint (info->channels, ==, odl_image_info (b)->channels);
  for (int c = 0; c < info->channels; c++)
    for (int y = 0; y < info->extent.y; y++)
      for (int x = 0; x < info->extent.x; x++)
        largest = fmax (largest,
                        fabs ((double) sample_of (a, c, x, y) - sample_of (b, c, x, y)));
  return largest;
}

// The first rows of the table at every size, the others in turn.
static bool
has_turn (size_t wavelet, int width, int height)
{
  return wavelet < 5 || (wavelet + (size_t) (width + height)) % 8 == 0;
}

static void
check_reconstruction (OdlEngine *engine, int width, int height, int channels)
{
  g_autoptr (OdlImage) image
      = make_noise (width, height, channels, width * 7 + height, 0, 1);
  make_whole (image);

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
      const OdlWavelet *wavelet = odl_wavelet_at (w);
      if ((wavelet->borders & 1u << border) == 0 || !has_turn (w, width, height))
        continue;
      g_autofree char *text
          = g_strdup_printf ("soft-threshold:wavelet=%s,levels=16,threshold=0 %s",
                             wavelet->name, border_words[border]);
      g_autoptr (OdlImage) result = process (engine, text, image);
      const double error = largest_difference (image, result);
      // A whole number comes back as itself; as a fraction it may be rounded once. The
      // others: 2.2e-6 without fused multiply-add.
      if (error > (wavelet->reversible ? 6e-8 : 3e-6 * odl_test_unrest (wavelet, border)))
        g_error ("%s on %d×%d×%d reconstructs to %g", text, width, height, channels,
                 error);
    }
}

static void
test_reconstruction (void)
{
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (int n = 1; n <= 67; n++) {
    check_reconstruction (engine, n, n, 1);
    check_reconstruction (engine, n, 68 - n, 3);
    check_reconstruction (engine, 1, n, 1);
    check_reconstruction (engine, n, 1, 4);
  }
  check_reconstruction (engine, 256, 256, 1);
  check_reconstruction (engine, 511, 333, 3);
  check_reconstruction (engine, 1955, 1841, 1);
}

static void
test_pass_through (void)
{
  g_autoptr (OdlEngine) engine = open_engine ("cpu");
  g_autoptr (OdlImage) image = make_noise (77, 31, 4, 3, 0, 1);
  g_autoptr (OdlImage) result = process (engine, "pass-through", image);

  g_assert_cmpfloat (largest_difference (image, result), ==, 0);
}

static void
test_threads (void)
{
  static const char *const texts[] = {
    "gaussian:sigma=3 sharpen soft-threshold:wavelet=cdf97,levels=5,threshold=0.05",
    "shrinkage:wavelet=cdf53,levels=3,thresholds=0.1/0.05 view=filtered-analysis",
    "hard-threshold:levels=4,threshold=0.1 colour=luma",
  };
  static const int threads[] = { 1, 2, 3, 64 };
  int before = odl_parallel_threads ();
  g_autoptr (OdlEngine) engine = open_engine ("cpu");
  g_autoptr (OdlImage) image = make_noise (511, 333, 3, 1, 0, 1);

  for (size_t t = 0; t < G_N_ELEMENTS (texts); t++) {
    g_autoptr (OdlImage) first = NULL;

    for (size_t i = 0; i < G_N_ELEMENTS (threads); i++) {
      odl_parallel_set_threads (threads[i]);
      g_autoptr (OdlImage) result = process (engine, texts[t], image);
      const OdlImageInfo *info = odl_image_info (result);

      if (first == NULL)
        first = odl_image_ref (result);
      g_assert_cmpint (memcmp (odl_image_info (first)->planes[0].data,
                               info->planes[0].data,
                               sizeof (float) * 511 * 333 * info->channels),
                       ==, 0);
    }
  }
  odl_parallel_set_threads (before);
}

static void
test_counters (void)
{
  g_autoptr (OdlEngine) engine = open_engine ("cpu");
  g_autoptr (OdlImage) image = make_noise (200, 133, 1, 1, 0, 1);
  g_autoptr (GError) error = NULL;
  OdlEngineCounters first = { 0 };

  for (int frame = 0; frame < 50; frame++) {
    g_autofree char *text = g_strdup_printf ("gaussian:sigma=1.5 sharpen:amount=%g "
                                             "soft-threshold:levels=3,threshold=%g",
                                             0.05 * frame, 0.002 * frame);
    g_autoptr (OdlPlan) plan = odl_test_plan (text, image);

    odl_engine_prepare (engine, plan, &error);
    g_assert_no_error (error);
    g_assert_true (odl_engine_run (engine, plan, image, &error));
    if (frame == 0)
      first = engine->counters;
    g_assert_cmpmem (&first, sizeof first, &engine->counters, sizeof first);
    g_assert_cmpint (engine->n_step_ns, ==, plan->n_steps);
  }
  g_assert_cmpuint (first.allocations, >, 0);

  // Another structure does allocate: the counter can count.
  g_autoptr (OdlImage) result = process (engine, "soft-threshold:levels=2", image);
  g_assert_cmpuint (engine->counters.allocations, >, first.allocations);
}

// scale · a + offset · b, sample by sample.
static OdlImage *
blend (const OdlImage *a, float scale, const OdlImage *b, float offset)
{
  OdlImageInfo info = *odl_image_info (a);
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  for (int y = 0; y < info.extent.y; y++)
    for (int x = 0; x < info.extent.x; x++)
      ((float *) samples)[(size_t) y * info.extent.x + x]
          = scale * sample_of (a, 0, x, y) + offset * sample_of (b, 0, x, y);
  return image;
}

static void
test_linearity (void)
{
  static const char *const texts[] = {
    "gaussian:sigma=1.2",
    "sharpen:amount=0.7",
    "soft-threshold:wavelet=cdf97,levels=4 view=analysis",
    "soft-threshold:wavelet=cdf53,levels=4,threshold=0",
  };
  g_autoptr (OdlEngine) engine = open_engine ("cpu");
  g_autoptr (OdlImage) a = make_noise (101, 64, 1, 11, 0, 1);
  g_autoptr (OdlImage) b = make_noise (101, 64, 1, 12, 0, 1);
  g_autoptr (OdlImage) sum = blend (a, 0.25f, b, -0.5f);

  for (size_t t = 0; t < G_N_ELEMENTS (texts); t++) {
    g_autoptr (OdlImage) of_a = process (engine, texts[t], a);
    g_autoptr (OdlImage) of_b = process (engine, texts[t], b);
    g_autoptr (OdlImage) of_sum = process (engine, texts[t], sum);
    g_autoptr (OdlImage) expected = blend (of_a, 0.25f, of_b, -0.5f);

    g_assert_cmpfloat (largest_difference (of_sum, expected), <, 2e-6);
  }
}

static OdlImage *
flip (const OdlImage *image, bool along_x)
{
  OdlImageInfo info = *odl_image_info (image);
  int width = info.extent.x, height = info.extent.y;
  void *samples;
  OdlImage *flipped = odl_image_alloc (&info, &samples, NULL);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      ((float *) samples)[(size_t) y * width + x] = sample_of (
          image, 0, along_x ? width - 1 - x : x, along_x ? y : height - 1 - y);
  return flipped;
}

// An odd line has a low sample at both ends and halves to any length; only lines whose
// every level is odd (2^k + 1) stay symmetric all the way.
static void
test_flips (void)
{
  static const struct {
    const char *text;
    int width, height;
  } rows[] = {
    { "gaussian:sigma=1.4 sharpen:neighbours=8", 40, 31 },
    { "soft-threshold:wavelet=cdf97,levels=1,threshold=0.05", 67, 41 },
    { "soft-threshold:wavelet=cdf53,levels=1,threshold=0.05", 3, 5 },
    { "soft-threshold:wavelet=cdf97,levels=5,threshold=0.05", 65, 33 },
    { "hard-threshold:wavelet=cdf53,levels=5,threshold=0.05", 33, 129 },
  };
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (size_t r = 0; r < G_N_ELEMENTS (rows); r++)
    for (int along_x = 0; along_x < 2; along_x++) {
      g_autoptr (OdlImage) image
          = make_noise (rows[r].width, rows[r].height, 1, 21, 0, 1);
      g_autoptr (OdlImage) flipped = flip (image, along_x);
      g_autoptr (OdlImage) result = process (engine, rows[r].text, image);
      g_autoptr (OdlImage) of_flipped = process (engine, rows[r].text, flipped);
      g_autoptr (OdlImage) expected = flip (result, along_x);

      g_test_message ("%s along %d", rows[r].text, along_x);
      g_assert_cmpfloat (largest_difference (of_flipped, expected), ==, 0);
    }
}

static void
test_non_finite (void)
{
  g_autoptr (OdlEngine) engine = open_engine ("cpu");
  g_autoptr (OdlImage) image = make_noise (40, 40, 1, 5, 0, 1);
  float *samples = (float *) odl_image_info (image)->planes[0].data;

  samples[41] = NAN;
  samples[500] = INFINITY;
  samples[900] = -INFINITY;
  g_autoptr (OdlImage) result
      = process (engine, "gaussian sharpen soft-threshold:levels=3", image);
  g_assert_cmpuint (odl_image_count_non_finite (result), ==, 0);
}

// What is shown without a filter are the samples that came, not a copy of them; as soon
// as a step changes them, or they are floats, it is another picture.
static void
test_shows_its_input (void)
{
  static const struct {
    const char *text;
    OdlSampleType type;
    int channels;
    bool same;
  } rows[] = {
    { "", ODL_SAMPLE_U8, 1, true },          { "", ODL_SAMPLE_U8, 4, true },
    { "", ODL_SAMPLE_S16, 3, true },         { "", ODL_SAMPLE_F32, 3, false },
    { "gaussian", ODL_SAMPLE_U8, 3, false },
  };
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (size_t r = 0; r < G_N_ELEMENTS (rows); r++) {
    g_autoptr (GError) error = NULL;
    void *samples;
    g_autoptr (OdlImage) image
        = odl_test_image (31, 17, rows[r].channels, rows[r].type, &samples);
    if (rows[r].type != ODL_SAMPLE_F32)
      for (size_t i = 0; i < 31u * 17 * rows[r].channels; i++)
        ((uint8_t *) samples)[i] = (uint8_t) (i * 11);
    g_autoptr (OdlPlan) plan = odl_test_plan (rows[r].text, image);
    g_autoptr (OdlImage) shown = odl_engine_show (engine, plan, image, &error);
    g_assert_no_error (error);
    g_assert_true ((shown == image) == rows[r].same);
    g_autoptr (OdlImage) right = odl_engine_process (engine, plan, image, &error);
    g_assert_no_error (error);
    for (int c = 0; c < rows[r].channels; c++)
      for (int y = 0; y < 17; y++) {
        float a[31], b[31];
        odl_image_scaled_row (shown, c, y, 0, 0, a);
        odl_image_scaled_row (right, c, y, 0, 0, b);
        g_assert_cmpmem (a, sizeof a, b, sizeof b);
      }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/reconstructs-every-size-perfectly", test_reconstruction);
  g_test_add_func ("/cpu/pass-through-changes-nothing", test_pass_through);
  g_test_add_func ("/cpu/result-does-not-depend-on-threads", test_threads);
  g_test_add_func ("/cpu/frames-allocate-nothing", test_counters);
  g_test_add_func ("/cpu/linear-filters-are-linear", test_linearity);
  g_test_add_func ("/cpu/flips-commute-where-symmetry-allows", test_flips);
  g_test_add_func ("/cpu/shows-its-input-without-a-filter", test_shows_its_input);
  g_test_add_func ("/cpu/nan-and-infinity-do-not-spread", test_non_finite);
  return g_test_run ();
}
