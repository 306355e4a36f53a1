// SPDX-License-Identifier: MIT
#include "saved_video.h"

OdlSource *
open_video (const char *path)
{
  g_autoptr (GError) error = NULL;
  OdlSource *source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (source->klass->name, ==, "video");
  return source;
}

void
assert_has_strip (OdlSource *source, int height)
{
  g_autoptr (GError) error = NULL;
  const int64_t last = source->info.n_frames - 1;
  g_autoptr (OdlImage) picture = odl_source_read_frame (source, last, NULL, &error);
  g_assert_no_error (error);
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
