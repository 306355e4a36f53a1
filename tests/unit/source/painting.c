// SPDX-License-Identifier: MIT
// The generated painting: it is what it is asked for, everywhere full of strokes.
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "source/source.h"

static OdlImage *
paint (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (source->klass->name, ==, "painting");
  g_assert_cmpint (source->info.n_frames, ==, 1);
  g_assert_null (odl_source_read_frame (source, 1, NULL, NULL));
  OdlImage *image = odl_source_read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (odl_image_info (image)->channels, ==, 3);
  g_assert_cmpint (odl_image_info (image)->type, ==, ODL_SAMPLE_U8);
  return image;
}

static void
has_the_size_that_is_asked_for (void)
{
  static const struct {
    const char *text;
    int width, height;
  } cases[] = {
    { "phantom:painting,seed=9", 1024, 768 },
    { "phantom:painting:1x1", 1, 1 },
    { "phantom:painting:3x200,seed=4294967295", 3, 200 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) image = paint (cases[i].text);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, cases[i].width);
    g_assert_cmpint (odl_image_info (image)->extent.y, ==, cases[i].height);
  }
}

static void
refuses_invalid_specifications (void)
{
  static const char *const texts[] = {
    "phantom:painting:",          "phantom:painting:0x5",
    "phantom:painting:5x16385",   "phantom:painting:5",
    "phantom:painting,",          "phantom:painting,seed=-1",
    "phantom:painting,30x20",     "phantom:painting:5x5,",
    "phantom:painting:5x5,clean", "phantom:painting:5x5:1",
    "phantom:painting,seed=1,2",  "phantom:painting:5x5,seed=1,2",
    "phantom:painting,seed=",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_test_message ("“%s”", texts[i]);
    g_assert_null (odl_source_open (texts[i], NULL, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, texts[i]));
  }
}

static void
is_the_same_for_any_number_of_threads (void)
{
  const int threads = odl_parallel_threads ();
  g_autoptr (OdlImage) a = paint ("phantom:painting:61x43,seed=5");
  odl_parallel_set_threads (threads == 1 ? 3 : 1);
  g_autoptr (OdlImage) b = paint ("phantom:painting:61x43,seed=5");
  odl_parallel_set_threads (threads);
  g_autoptr (OdlImage) c = paint ("phantom:painting:61x43,seed=6");
  const size_t size = 3 * 61 * 43;
  const void *samples = odl_image_info (a)->planes[0].data;

  g_assert_cmpmem (samples, size, odl_image_info (b)->planes[0].data, size);
  g_assert_cmpint (memcmp (samples, odl_image_info (c)->planes[0].data, size), !=, 0);
}

// Steps to the right and downwards, summed.
static int
roughness (const uint8_t *samples, int row_bytes, int x, int y, int side)
{
  int sum = 0;

  for (int v = y; v < y + side; v++)
    for (int u = x; u < x + side; u++) {
      const uint8_t *at = samples + v * row_bytes + 3 * u;
      sum += ABS (at[3] - at[0]) + ABS (at[row_bytes] - at[0]);
    }
  return sum;
}

static void
has_strokes_everywhere (void)
{
  enum { SIDE = 240, PART = 40 };
  g_autoptr (OdlImage) image = paint ("phantom:painting:240x240");
  const uint8_t *samples = odl_image_info (image)->planes[0].data;

  for (int y = 0; y + PART < SIDE; y += PART)
    for (int x = 0; x + PART < SIDE; x += PART)
      g_assert_cmpint (roughness (samples, 3 * SIDE, x, y, PART), >, 2 * PART * PART);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source/painting/has-the-size-that-is-asked-for",
                   has_the_size_that_is_asked_for);
  g_test_add_func ("/source/painting/refuses-invalid-specifications",
                   refuses_invalid_specifications);
  g_test_add_func ("/source/painting/is-the-same-for-any-number-of-threads",
                   is_the_same_for_any_number_of_threads);
  g_test_add_func ("/source/painting/has-strokes-everywhere", has_strokes_everywhere);
  return g_test_run ();
}
