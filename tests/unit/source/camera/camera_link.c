// SPDX-License-Identifier: MIT
// A camera that is in use elsewhere lets go of what it took as soon as nobody waits for
// it; one that was away has its time when it is back; one that is held askew is shown
// upright.
#include <gst/gst.h>
#include <string.h>

#include "base/error.h"
#include "camera_reading.h"
#include "camera_support.h"
#include "source/camera/link.h"

// Without being interrupted PipeWire's source waits for half a minute, and its thread for
// as long again.
#define HANGS_US (300 * G_USEC_PER_SEC)

// The program behind a camera may die, which says nothing.
#define ATTEMPTS 4

// Threads of this process that bear a name.
static int
count_threads (const char *name)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *id;
  int n = 0;

  while ((id = g_dir_read_name (tasks)) != NULL) {
    g_autofree char *path = g_build_filename ("/proc/self/task", id, "comm", NULL);
    g_autofree char *text = NULL;
    if (g_file_get_contents (path, &text, NULL, NULL)
        && g_str_equal (g_strchomp (text), name))
      n++;
  }
  return n;
}

// Another program that will not share, once it gets pictures; NULL: it gets none, which
// happens when the program behind the camera dies or runs out of buffers.
static GstElement *
hold_camera (void)
{
  GstElement *holder = gst_parse_launch (
      "pipewiresrc target-object=red-camera "
      "stream-properties=\"properties,node.exclusive=(string)true\" ! video/x-raw ! "
      "fakesink name=sink enable-last-sample=true",
      NULL);
  g_assert_nonnull (holder);
  gst_element_set_state (holder, GST_STATE_PLAYING);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (holder), "sink");
  for (int i = 0; i < 500; i++) {
    g_autoptr (GstSample) sample = NULL;
    g_object_get (sink, "last-sample", &sample, NULL);
    if (sample != NULL)
      return holder;
    g_usleep (20000);
  }
  gst_element_set_state (holder, GST_STATE_NULL);
  gst_object_unref (holder);
  return NULL;
}

static void
test_busy (void)
{
  Camera red = { 0 };
  GstElement *holder = NULL;

  for (int i = 0; i < ATTEMPTS && holder == NULL; i++) {
    camera_unplug (&red);
    wait_for_cameras (0);
    camera_plug (&red, "red-camera", "Red Camera", RED_320);
    wait_for_cameras (1);
    holder = hold_camera ();
  }
  g_assert_nonnull (holder);
  g_autoptr (GError) error = NULL;
  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_BUSY);
  const int64_t start = g_get_monotonic_time ();
  while (count_threads ("odl-camera") > 0) {
    g_assert_cmpint (g_get_monotonic_time () - start, <, HANGS_US);
    g_usleep (10000);
  }
  g_test_message ("let go after %.0f ms",
                  (double) (g_get_monotonic_time () - start) / 1e3);
  gst_element_set_state (holder, GST_STATE_NULL);
  gst_object_unref (holder);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  odl_image_unref (read_frame (source));
  camera_unplug (&red);
}

// ---- Away ----

// While a camera is away it has not failed to answer: its time counts from when it is
// back. (If it did not, a link that has just found its camera would be replaced.)
static void
test_away (void)
{
  const OdlCameraRequest request = { .name = (char *) "red-camera", .encoding = -1 };
  Camera red = { 0 };

  wait_for_cameras (0);
  int64_t end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
  OdlCameraLink *link = odl_camera_link_open (&request, true);
  while (!odl_camera_link_is_absent (link)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (10000);
  }
  g_usleep (G_USEC_PER_SEC / 2);
  const int64_t plugged_us = g_get_monotonic_time ();
  g_assert_cmpint (odl_camera_link_since (link), <, plugged_us);
  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  end = g_get_monotonic_time () + CAMERA_PATIENCE_US;
  while (odl_camera_link_is_absent (link)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (1000);
  }
  g_assert_cmpint (odl_camera_link_since (link), >, plugged_us);
  odl_camera_link_close (link, CAMERA_PATIENCE_US);
  camera_unplug (&red);
}

// ---- Held askew ----

static void
plug_turned (Camera *camera, int transform)
{
  g_autofree char *number = g_strdup_printf ("%d", transform);
  g_autoptr (GError) error = NULL;
  char line[16] = { 0 };

  camera->deaths = 0;
  camera->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                                      g_getenv ("ODL_CAMERA_TURNED"), "turned-camera",
                                      "Turned Camera", number, NULL);
  g_assert_no_error (error);
  GInputStream *output = g_subprocess_get_stdout_pipe (camera->process);
  g_assert_true (g_input_stream_read_all (output, line, 6, NULL, NULL, NULL));
  g_assert_cmpstr (line, ==, "ready\n");
}

// In the middle of that quarter of the picture.
static bool
is_white (OdlImage *image, int right, int bottom)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree float *row = g_new (float, info->extent.x);

  odl_image_scaled_row (image, 0, info->extent.y / 4 + bottom * info->extent.y / 2, 0, 0,
                        row);
  return row[info->extent.x / 4 + right * info->extent.x / 2] > 0.5f;
}

// Where the top left quarter has to be for eyes: the transform was applied to the
// picture, anticlockwise, after a flip, and is undone.
static void
test_turned (void)
{
  static const struct {
    int transform; // SPA_META_TRANSFORMATION_…
    int width, height;
    int right, bottom;
  } rows[] = {
    { 0, 64, 32, 0, 0 }, { 1, 32, 64, 1, 0 }, { 2, 64, 32, 1, 1 },
    { 3, 32, 64, 0, 1 }, { 4, 64, 32, 1, 0 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    Camera camera = { 0 };
    plug_turned (&camera, rows[i].transform);
    wait_for_cameras (1);
    g_autoptr (OdlSource) source = open_camera ("webcam:turned-camera");
    g_autoptr (OdlImage) image = read_frame (source);
    g_test_message ("transform %d", rows[i].transform);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, rows[i].width);
    g_assert_cmpint (odl_image_info (image)->extent.y, ==, rows[i].height);
    for (int right = 0; right < 2; right++)
      for (int bottom = 0; bottom < 2; bottom++)
        g_assert_cmpint (is_white (image, right, bottom), ==,
                         right == rows[i].right && bottom == rows[i].bottom);
    camera_unplug (&camera);
    wait_for_cameras (0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  need_cameras ();
  gst_init (NULL, NULL);
  g_test_add_func ("/camera-link/one in use elsewhere is said to be busy, and let go",
                   test_busy);
  g_test_add_func ("/camera-link/its time counts from when it is back", test_away);
  g_test_add_func ("/camera-link/one that is held askew is shown upright", test_turned);
  return g_test_run ();
}
