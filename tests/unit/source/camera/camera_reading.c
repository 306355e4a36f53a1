// SPDX-License-Identifier: MIT
#include "camera_reading.h"

#include "camera_support.h"

#include "base/error.h"
#include "source/camera/devices.h"

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

// A camera that is silent so often while it is opened is a stuck pipewiresink.
#define SILENT_TIMES 3

OdlSource *
open_camera (const char *location)
{
  const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
  int silent = 0;

  for (;;) {
    g_autoptr (GError) error = NULL;
    OdlSource *source = odl_source_open (location, NULL, &error);
    if (source != NULL)
      return source;
    if (g_get_monotonic_time () > end)
      g_assert_no_error (error);
    g_test_message ("opening again: %s", error->message);
    silent += g_error_matches (error, ODL_ERROR, ODL_ERROR_NO_SIGNAL);
    if (silent == SILENT_TIMES) {
      g_test_message ("the cameras are begun anew");
      cameras_restart ();
      silent = 0;
    }
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

// Of this process, in a folder of /proc.
static int
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

// Once it has been the same for a second: what was closed last takes its time.
static int
count_settled (const char *folder)
{
  const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
  int n = -1;

  for (int same = 0; same < 10 && g_get_monotonic_time () < end; same++) {
    const int now = count_entries (folder);
    if (now != n)
      same = 0;
    n = now;
    g_usleep (100000);
  }
  return n;
}

void
assert_nothing_leaks (void (*round) (void *data), void *data)
{
  // Threads of GLib's pools wait for work a while.
  static const struct {
    const char *folder;
    int kept;
  } rows[] = { { "/proc/self/fd", 3 }, { "/proc/self/task", 4 } };
  int before[G_N_ELEMENTS (rows)];

  round (data);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    before[i] = count_settled (rows[i].folder);
  for (int k = 0; k < 10; k++)
    round (data);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
    int now = count_entries (rows[i].folder);
    while (now > before[i] + rows[i].kept && g_get_monotonic_time () < end) {
      g_usleep (100000);
      now = count_entries (rows[i].folder);
    }
    g_test_message ("%s: %d, then %d", rows[i].folder, before[i], now);
    g_assert_cmpint (now, <=, before[i] + rows[i].kept);
  }
}

void
use_and_unplug (void *data)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  camera_unplug (&red);
  wait_for_code (source, ODL_ERROR_NO_DEVICE);
}
