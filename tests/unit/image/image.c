// SPDX-License-Identifier: MIT
#include "image/image.h"

#include <glib.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "../../helpers/images.h"

static const OdlSampleType all_types[]
    = { ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_S16, ODL_SAMPLE_F32 };

static void
test_scaling_ends (void)
{
  static const double ends[][2]
      = { { 0, 255 }, { 0, 65535 }, { -32768, 32767 }, { 0, 1 } };

  for (size_t i = 0; i < G_N_ELEMENTS (all_types); i++) {
    void *samples;
    g_autoptr (OdlImage) image = odl_test_image (2, 1, 1, all_types[i], &samples);
    const OdlImageInfo *full = odl_image_info (image);
    g_assert_cmpfloat (full->stored_min, ==, ends[i][0]);
    g_assert_cmpfloat (full->stored_max, ==, ends[i][1]);
    if (all_types[i] == ODL_SAMPLE_U8)
      memcpy (samples, (const uint8_t[]){ 0, 255 }, 2);
    if (all_types[i] == ODL_SAMPLE_U16)
      memcpy (samples, (const uint16_t[]){ 0, 65535 }, 4);
    if (all_types[i] == ODL_SAMPLE_S16)
      memcpy (samples, (const int16_t[]){ -32768, 32767 }, 4);
    if (all_types[i] == ODL_SAMPLE_F32)
      memcpy (samples, (const float[]){ 0, 1 }, 8);
    float row[2];
    odl_image_scaled_row (image, 0, 0, 0, 0, row);
    g_assert_cmpfloat (row[0], ==, 0);
    g_assert_cmpfloat (row[1], ==, 1);
  }
}

// Every 16-bit value survives scaling to floats and back: pass-through is exact.
static void
test_scaling_is_reversible (void)
{
  uint16_t *samples;
  g_autoptr (OdlImage) image = odl_test_image (65536, 1, 1, ODL_SAMPLE_U16, &samples);
  g_autofree float *row = g_new (float, 65536);

  for (int i = 0; i < 65536; i++)
    samples[i] = i;
  odl_image_scaled_row (image, 0, 0, 0, 0, row);
  for (int i = 0; i < 65536; i++)
    g_assert_cmpint (lrintf (row[i] * 65535), ==, i);
}

static void
test_strides (void)
{
  // Planar, rows padded, two frames; sample = 80 c + 50 t + 10 y + x
  uint8_t data[3][2][2][8];
  OdlImageInfo info = {
    .extent = { 3, 2, 1, 2 }, .channels = 3, .type = ODL_SAMPLE_U8, .stored_max = 255
  };

  for (int c = 0; c < 3; c++) {
    info.planes[c] = (OdlPlane){ data[c], 1, 8, 16, 16 };
    for (int t = 0; t < 2; t++)
      for (int y = 0; y < 2; y++)
        for (int x = 0; x < 8; x++)
          data[c][t][y][x] = 80 * c + 50 * t + 10 * y + x;
  }
  g_autoptr (OdlImage) image = odl_image_wrap (&info, NULL, NULL, NULL);
  g_assert_false (odl_image_is_interleaved (image));
  for (int c = 0; c < 3; c++)
    for (int t = 0; t < 2; t++)
      for (int y = 0; y < 2; y++) {
        float row[3];
        odl_image_scaled_row (image, c, y, 0, t, row);
        for (int x = 0; x < 3; x++)
          g_assert_cmpint (lrintf (row[x] * 255), ==, 80 * c + 50 * t + 10 * y + x);
      }
}

static void
test_non_finite (void)
{
  float *samples, row[5];
  g_autoptr (OdlImage) image = odl_test_image (5, 1, 1, ODL_SAMPLE_F32, &samples);

  memcpy (samples, (const float[]){ NAN, INFINITY, -INFINITY, 0.5f, FLT_MAX }, 20);
  odl_image_scaled_row (image, 0, 0, 0, 0, row);
  g_assert_cmpfloat (row[0], ==, 0);
  g_assert_cmpfloat (row[1], ==, 1);
  g_assert_cmpfloat (row[2], ==, 0);
  g_assert_cmpfloat (row[3], ==, 0.5f);
  g_assert_true (isfinite (row[4]));
  g_assert_cmpuint (odl_image_count_non_finite (image), ==, 3);
}

static void
count_release (void *data)
{
  (*(int *) data)++;
}

static void
test_ownership (void)
{
  uint8_t pixel = 7;
  int released = 0;
  const OdlImageInfo info = { .extent = { 1, 1, 1, 1 },
                              .channels = 1,
                              .type = ODL_SAMPLE_U8,
                              .planes = { { &pixel, 1, 1, 1, 1 } },
                              .mark = "incomplete" };
  OdlImage *image = odl_image_wrap (&info, count_release, &released, NULL);
  OdlImageInfo other = *odl_image_info (image);

  other.mark = NULL;
  other.stored_max = 100;
  OdlImage *view = odl_image_with_info (image, &other);
  odl_image_unref (image);
  g_assert_cmpint (released, ==, 0); // the view keeps it
  g_assert_cmpfloat (odl_image_info (view)->stored_max, ==, 100);
  odl_image_unref (view);
  g_assert_cmpint (released, ==, 1);
}

static void
test_refusals (void)
{
  static const struct {
    OdlImageInfo info;
    int code;
  } cases[] = {
    { { .extent = { 0, 5, 1, 1 }, .channels = 1 }, ODL_ERROR_CORRUPT },
    { { .extent = { 5, -5, 1, 1 }, .channels = 1 }, ODL_ERROR_CORRUPT },
    { { .extent = { 5, 5, 1, 1 }, .channels = 2 }, ODL_ERROR_CORRUPT },
    { { .extent = { 5, 5, 1, 1 }, .channels = 1, .type = 9 }, ODL_ERROR_CORRUPT },
    { { .extent = { 65535, 65535, 1, 1 }, .channels = 1 }, ODL_ERROR_TOO_LARGE },
    { { .extent = { G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT }, .channels = 4 },
      ODL_ERROR_TOO_LARGE },
    { { .extent = { 5, 5, 1, 1 }, .channels = 1, .stored_min = 2, .stored_max = 1 },
      ODL_ERROR_CORRUPT },
    { { .extent = { 5, 5, 1, 1 }, .channels = 1, .stored_max = NAN }, ODL_ERROR_CORRUPT },
    { { .extent = { 5, 5, 1, 1 }, .channels = 1, .value_map = { .slope = INFINITY } },
      ODL_ERROR_CORRUPT },
    { { .extent = { 5, 5, 1, 1 },
        .channels = 1,
        .value_map = { .has_window = true, .window_width = 0 } },
      ODL_ERROR_CORRUPT },
    { { .extent = { 5, 5, 1, 1 }, .channels = 1, .pixel_aspect = -1 },
      ODL_ERROR_CORRUPT },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    void *samples;
    g_assert_null (odl_image_alloc (&cases[i].info, &samples, &error));
    g_assert_error (error, ODL_ERROR, cases[i].code);
  }
}

static void
test_sizes (void)
{
  size_t product = 5;

  g_assert_true (odl_size_product ((const size_t[]){ 3, 4, 5 }, 3, &product));
  g_assert_cmpuint (product, ==, 60);
  g_assert_false (odl_size_product ((const size_t[]){ SIZE_MAX, 2 }, 2, &product));
  g_assert_cmpuint (product, ==, 60);
  g_assert_null (odl_aligned_alloc (SIZE_MAX));
  void *block = odl_aligned_alloc (1);
  g_assert_cmpuint ((uintptr_t) block % ODL_ALIGNMENT, ==, 0);
  odl_aligned_free (block);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image/range-ends-scale-to-0-and-1", test_scaling_ends);
  g_test_add_func ("/image/16-bit-values-survive-scaling", test_scaling_is_reversible);
  g_test_add_func ("/image/strides-are-followed", test_strides);
  g_test_add_func ("/image/nan-and-infinity-are-replaced", test_non_finite);
  g_test_add_func ("/image/release-comes-once-at-the-end", test_ownership);
  g_test_add_func ("/image/invalid-descriptions-are-refused", test_refusals);
  g_test_add_func ("/memory/products-are-checked", test_sizes);
  return g_test_run ();
}
