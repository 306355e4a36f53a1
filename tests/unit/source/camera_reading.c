// SPDX-License-Identifier: MIT
#include "camera_reading.h"

#include "base/error.h"
#include "source/camera_devices.h"

void
wait_for_cameras (guint n)
{
  const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
  guint found = 0;

  while (found != n) {
    g_autoptr (GError) error = NULL;
    OdlCameraDevices *devices = odl_camera_devices_open (NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (GPtrArray) cameras = odl_camera_devices_list (devices);
    found = cameras->len;
    odl_camera_devices_close (devices);
    if (g_get_monotonic_time () > end)
      g_assert_cmpint (found, ==, n);
    g_usleep (found != n ? 100000 : 0);
  }
}

OdlSource *
open_camera (const char *location)
{
  const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;

  for (;;) {
    g_autoptr (GError) error = NULL;
    OdlSource *source = odl_source_open (location, NULL, &error);
    if (source != NULL)
      return source;
    if (g_get_monotonic_time () > end)
      g_assert_no_error (error);
    g_test_message ("opening again: %s", error->message);
    g_usleep (100000);
  }
}

OdlImage *
read_frame (OdlSource *source)
{
  const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;

  for (;;) {
    g_autoptr (GError) error = NULL;
    OdlImage *image = odl_source_read_frame (source, 0, NULL, &error);
    if (image != NULL)
      return image;
    if (g_get_monotonic_time () > end)
      g_assert_no_error (error);
    g_test_message ("reading again: %s", error->message);
  }
}

void
wait_for_pictures (OdlSource *source)
{
  odl_image_unref (read_frame (source));
}

void
wait_for_code (OdlSource *source, int code)
{
  const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
  bool found = false;

  while (!found) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, &error);
    found = error != NULL && g_error_matches (error, ODL_ERROR, code);
    g_assert_cmpint (g_get_monotonic_time (), <, end);
  }
}

void
assert_colour (OdlImage *image, double red, double green, double blue)
{
  const OdlImageInfo *info = odl_image_info (image);
  const double expected[] = { red, green, blue };
  g_autofree float *row = g_new (float, info->extent.x);

  for (int c = 0; c < 3; c++) {
    odl_image_scaled_row (image, c, info->extent.y / 2, 0, 0, row);
    g_assert_cmpfloat_with_epsilon (row[info->extent.x / 2], expected[c], 0.02);
  }
}
