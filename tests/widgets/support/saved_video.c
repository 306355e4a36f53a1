// SPDX-License-Identifier: MIT
#include "saved_video.h"

#include "base/error.h"

OdlSource *
open_video (const char *path)
{
  g_autoptr (GError) error = NULL;
  OdlSource *source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (source->klass->name, ==, "video");
  return source;
}

// What was recorded while the machine was busy has fewer pictures than its length
// promises, and says so at its end.
static OdlImage *
read_last (OdlSource *source)
{
  for (int64_t i = source->info.n_frames - 1; i >= 0;
       i = MIN (i, source->info.n_frames) - 1) {
    g_autoptr (GError) error = NULL;
    OdlImage *picture = odl_source_read_frame (source, i, NULL, &error);
    if (picture)
      return picture;
    g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
  }
  return NULL;
}

void
assert_has_strip (OdlSource *source, int height)
{
  g_autoptr (OdlImage) picture = read_last (source);
  g_assert_nonnull (picture);
  const OdlExtent *extent = &odl_image_info (picture)->extent;
  g_assert_cmpint (extent->x, ==, 128);
  g_assert_cmpint (extent->y, >, height + 20);
  g_assert_cmpint (extent->y % 2, ==, 0);
  g_autofree float *row = g_new (float, extent->x);
  int dark = 0, letters = 0;
  for (int y = height; y < extent->y; y++) {
    odl_image_scaled_row (picture, 1, y, 0, 0, row);
    for (int x = 0; x < extent->x; x++) {
      dark += row[x] < 0.15;
      letters += row[x] > 0.7;
    }
  }
  g_assert_cmpint (letters, >, 50);
  g_assert_cmpint (dark, >, extent->x * (extent->y - height) / 2);
}

// Bright pixels that are dark on the canvas, at the top from column `begin` on.
static int
count_letters (const OdlImage *picture,
               const uint8_t *rgba,
               int width,
               int begin,
               int end)
{
  g_autofree float *row = g_new (float, odl_image_info (picture)->extent.x);
  int n = 0;
  for (int y = 0; y < WIPE_WORDS; y++) {
    odl_image_scaled_row (picture, 1, y, 0, 0, row);
    for (int x = begin; x < end; x++)
      n += row[x] > 0.7 && rgba[((size_t) y * width + x) * 4 + 1] < 100;
  }
  return n;
}

void
assert_has_wipe (const OdlImage *picture, const uint8_t *rgba, int width, int height)
{
  const int middle = width / 2;
  g_autofree float *row = g_new (float, odl_image_info (picture)->extent.x);
  int white = 0;
  for (int y = 0; y < height; y++) {
    odl_image_scaled_row (picture, 1, y, 0, 0, row);
    white += row[middle - 1] > 0.8 || row[middle] > 0.8;
  }
  g_assert_cmpint (white, >, height * 9 / 10);
  g_assert_cmpint (count_letters (picture, rgba, width, middle - 140, middle - 8), >, 50);
  g_assert_cmpint (count_letters (picture, rgba, width, middle + 8, middle + 140), >, 50);
}

double
mean_difference (const OdlImage *picture, const uint8_t *rgba, int width, int height)
{
  g_autofree float *row = g_new (float, odl_image_info (picture)->extent.x);
  double sum = 0;
  for (int y = WIPE_WORDS; y < height; y++) {
    odl_image_scaled_row (picture, 1, y, 0, 0, row);
    for (int x = 0; x < width; x++)
      if (ABS (2 * x - width) >= 10)
        sum += ABS (row[x] * 255 - rgba[((size_t) y * width + x) * 4 + 1]);
  }
  return sum / width / height;
}
