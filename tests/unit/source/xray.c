// SPDX-License-Identifier: MIT
// The X-ray phantom: what it says of itself holds, and its truth lies where its bone is.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "source/phantom/xray.h"
#include "source/source.h"

static OdlImage *
open_xray (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (source->klass->name, ==, "xray");
  g_assert_cmpint (source->info.n_frames, ==, 1);
  g_assert_null (odl_source_read_frame (source, 1, NULL, NULL));
  OdlImage *image = odl_source_read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  return image;
}

static const uint16_t *
samples_of (const OdlImage *image)
{
  g_assert_cmpint (odl_image_info (image)->type, ==, ODL_SAMPLE_U16);
  return odl_image_info (image)->planes[0].data;
}

static int
count_of (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  return info->extent.x * info->extent.y;
}

static void
reads_every_specification (void)
{
  static const struct {
    const char *text;
    OdlXrayParams expected;
  } cases[] = {
    { "phantom:xray", { 2920, 2320, 1, 12, 1, 1, 0.01, false, false } },
    { "phantom:xray:1x16384", { 1, 16384, 1, 12, 1, 1, 0.01, false, false } },
    { "phantom:xray:30x20,seed=4294967295,bits=16,monochrome=2,backgrounds=2,salt=0.5",
      { 30, 20, 4294967295u, 16, 2, 2, 0.5, false, false } },
    { "phantom:xray,clean,truth,salt=0", { 2920, 2320, 1, 12, 1, 1, 0, true, true } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const OdlXrayParams *wanted = &cases[i].expected;
    OdlXrayParams params;
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_xray_parse (cases[i].text, &params, &error));
    g_assert_no_error (error);
    g_assert_cmpint (params.width, ==, wanted->width);
    g_assert_cmpint (params.height, ==, wanted->height);
    g_assert_cmpuint (params.seed, ==, wanted->seed);
    g_assert_cmpint (params.bits, ==, wanted->bits);
    g_assert_cmpint (params.monochrome, ==, wanted->monochrome);
    g_assert_cmpint (params.backgrounds, ==, wanted->backgrounds);
    g_assert_cmpfloat (params.salt, ==, wanted->salt);
    g_assert_cmpint (params.clean, ==, wanted->clean);
    g_assert_cmpint (params.truth, ==, wanted->truth);
  }
}

static void
refuses_invalid_specifications (void)
{
  static const char *const texts[] = {
    "phantom",
    "phantom:xrays",
    "phantom:xray:",
    "phantom:xray:0x5",
    "phantom:xray:5x16385",
    "phantom:xray:5",
    "phantom:xray,",
    "phantom:xray,bits=14",
    "phantom:xray,bits=",
    "phantom:xray,monochrome=3",
    "phantom:xray,backgrounds=0",
    "phantom:xray,salt=0.6",
    "phantom:xray,salt=nan",
    "phantom:xray,seed=-1",
    "phantom:xray,dirty",
    "phantom:xray,30x20",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    OdlXrayParams params = { .width = 7 };
    g_autoptr (GError) error = NULL;
    g_test_message ("“%s”", texts[i]);
    g_assert_false (odl_xray_parse (texts[i], &params, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, texts[i]));
    g_assert_cmpint (params.width, ==, 7);
  }
}

static void
is_the_same_for_any_number_of_threads (void)
{
  const int threads = odl_parallel_threads ();
  g_autoptr (OdlImage) a = open_xray ("phantom:xray:201x133,seed=5");
  odl_parallel_set_threads (threads == 1 ? 3 : 1);
  g_autoptr (OdlImage) b = open_xray ("phantom:xray:201x133,seed=5");
  odl_parallel_set_threads (threads);
  g_autoptr (OdlImage) c = open_xray ("phantom:xray:201x133,seed=6");
  const size_t size = (size_t) count_of (a) * sizeof (uint16_t);

  g_assert_cmpmem (samples_of (a), size, samples_of (b), size);
  g_assert_cmpint (memcmp (samples_of (a), samples_of (c), size), !=, 0);
}

// Both polarities and depths show the same scene.
static void
polarities_mirror_each_other (void)
{
  static const int depths[] = { 12, 16 };

  for (size_t d = 0; d < G_N_ELEMENTS (depths); d++) {
    const int most = (1 << depths[d]) - 1;
    g_autofree char *one = g_strdup_printf ("phantom:xray:240x190,bits=%d", depths[d]);
    g_autofree char *two = g_strconcat (one, ",monochrome=2", NULL);
    g_autoptr (OdlImage) inverse = open_xray (one);
    g_autoptr (OdlImage) image = open_xray (two);
    g_assert_true (odl_image_info (inverse)->value_map.inverse);
    g_assert_false (odl_image_info (image)->value_map.inverse);
    g_assert_cmpfloat (odl_image_info (image)->stored_max, ==, most);
    g_assert_cmpfloat (odl_image_info (image)->spacing_mm[0], ==, 240.0 / 190);
    for (int i = 0; i < count_of (image); i++)
      g_assert_cmpint (samples_of (inverse)[i], ==, most - samples_of (image)[i]);
  }
}

// Means of what the truth calls bone and of the rest, fractions of full scale.
static void
means_of (const OdlImage *image, const OdlImage *truth, double mean[2], int count[2])
{
  const uint8_t *is_bone = odl_image_info (truth)->planes[0].data;

  mean[0] = mean[1] = 0;
  count[0] = count[1] = 0;
  for (int i = 0; i < count_of (image); i++) {
    g_assert_true (is_bone[i] == 0 || is_bone[i] == UINT8_MAX);
    mean[is_bone[i] > 0] += samples_of (image)[i] / 4095.0;
    count[is_bone[i] > 0]++;
  }
  mean[0] /= count[0];
  mean[1] /= count[1];
}

static void
the_truth_is_the_bone (void)
{
  g_autoptr (OdlImage) image
      = open_xray ("phantom:xray:400x300,monochrome=2,salt=0,clean");
  g_autoptr (OdlImage) truth = open_xray ("phantom:xray:400x300,monochrome=2,truth");
  const uint8_t *is_bone = odl_image_info (truth)->planes[0].data;
  double mean[2];
  int count[2], wrong = 0;

  means_of (image, truth, mean, count);
  g_assert_cmpfloat (mean[1], >, 0.5);
  g_assert_cmpfloat (mean[0], <, 0.2);
  g_assert_cmpint (count[1], >, count_of (image) / 20);
  // Half way between tissue and bone lies the outline, up to the width of an edge.
  for (int i = 0; i < count_of (image); i++)
    wrong += (samples_of (image)[i] > 0.415 * 4095) != (is_bone[i] > 0);
  g_assert_cmpint (wrong, <, count[1] / 40);
}

static void
has_what_it_was_asked_for (void)
{
  g_autoptr (OdlImage) clean = open_xray ("phantom:xray:600x500,monochrome=2,clean");
  g_autoptr (OdlImage) plain = open_xray ("phantom:xray:600x500,monochrome=2,salt=0");
  g_autoptr (OdlImage) salted = open_xray ("phantom:xray:600x500,monochrome=2,salt=0.1");
  g_autoptr (OdlImage) two
      = open_xray ("phantom:xray:600x500,monochrome=2,clean,backgrounds=2");
  const int n = count_of (clean);
  int extreme = 0, written = 0, second = 0;

  for (int i = 0; i < n; i++) {
    extreme += samples_of (salted)[i] == 0 || samples_of (salted)[i] == 4095;
    written += samples_of (plain)[i] > 0.8 * 4095;
    second += samples_of (two)[i] > samples_of (clean)[i] + 0.05 * 4095;
    g_assert_cmpint (samples_of (clean)[i], <, 0.7 * 4095);
  }
  g_assert_cmpint (ABS (extreme - n / 10), <, n / 200);
  g_assert_cmpint (written, >, 100);
  g_assert_cmpint (written, <, n / 50);
  g_assert_cmpint (second, >, n / 10);
}

static void
fills_pictures_of_any_size (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 77 }, { 77, 1 }, { 2, 3 }, { 1000, 2 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree char *text
        = g_strdup_printf ("phantom:xray:%dx%d", sizes[i][0], sizes[i][1]);
    g_autoptr (OdlImage) image = open_xray (text);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, sizes[i][0]);
    g_assert_cmpint (odl_image_info (image)->extent.y, ==, sizes[i][1]);
    for (int k = 0; k < count_of (image); k++)
      g_assert_cmpint (samples_of (image)[k], <=, 4095);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/xray/reads-every-specification", reads_every_specification);
  g_test_add_func ("/xray/refuses-invalid-specifications",
                   refuses_invalid_specifications);
  g_test_add_func ("/xray/is-the-same-for-any-number-of-threads",
                   is_the_same_for_any_number_of_threads);
  g_test_add_func ("/xray/polarities-mirror-each-other", polarities_mirror_each_other);
  g_test_add_func ("/xray/the-truth-is-the-bone", the_truth_is_the_bone);
  g_test_add_func ("/xray/has-what-it-was-asked-for", has_what_it_was_asked_for);
  g_test_add_func ("/xray/fills-pictures-of-any-size", fills_pictures_of_any_size);
  return g_test_run ();
}
