// SPDX-License-Identifier: MIT
// The list of cameras, and a camera that is watched, while PipeWire's server goes and
// comes back.
#include "session/browse/cameras.h"

#include "../source/camera/camera_reading.h"
#include "../source/camera/camera_support.h"
#include "base/error.h"

#define PATIENCE_US (600 * G_USEC_PER_SEC)

static gboolean
look_again_cb (void *data)
{
  return G_SOURCE_CONTINUE;
}

static void
changed_cb (void *data)
{
}

// Until the list is that one camera, or empty.
static void
wait_for_list (OdlCameras *cameras, const char *id)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  const guint timer = g_timeout_add (100, look_again_cb, NULL);
  bool found = false;

  while (!found) {
    const GPtrArray *list = odl_cameras_list (cameras);
    found = id == NULL
                ? list->len == 0
                : list->len == 1 && g_str_equal (((OdlCamera *) list->pdata[0])->id, id);
    if (g_get_monotonic_time () > end)
      g_error ("the list has %u cameras, and not “%s” alone", list->len, id);
    if (!found)
      g_main_context_iteration (NULL, TRUE);
  }
  g_source_remove (timer);
}

static void
test_list (void)
{
  Camera red = { 0 }, green = { 0 };
  OdlCameras *cameras = odl_cameras_new (changed_cb, NULL);

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  wait_for_list (cameras, "red-camera");
  for (int round = 0; round < 2; round++) {
    camera_unplug (&red);
    camera_unplug (&green);
    servers_kill ();
    wait_for_list (cameras, NULL);
    servers_start ();
    camera_plug (&green, "green-camera", "Green Camera", GREEN_640);
    wait_for_list (cameras, "green-camera");
  }
  camera_unplug (&green);
  wait_for_list (cameras, NULL);
  odl_cameras_free (cameras);
}

// What is in the list without a change of it is stale, too.
static void
test_killed_only (void)
{
  Camera red = { 0 };
  OdlCameras *cameras = odl_cameras_new (changed_cb, NULL);

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  wait_for_list (cameras, "red-camera");
  servers_kill ();
  wait_for_list (cameras, NULL);
  camera_unplug (&red);
  servers_start ();
  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  wait_for_list (cameras, "red-camera");
  camera_unplug (&red);
  odl_cameras_free (cameras);
}

static void
test_watched (void)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam:red-camera");
  for (int round = 0; round < 2; round++) {
    g_autoptr (GError) error = NULL;
    wait_for_pictures (source);
    servers_kill ();
    camera_unplug (&red);
    wait_for_code (source, ODL_ERROR_NO_DEVICE);
    g_assert_null (odl_source_open ("webcam", NULL, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
    servers_start ();
    camera_plug (&red, "red-camera", "Red Camera", RED_320);
    g_autoptr (OdlImage) image = read_frame (source);
    assert_colour (image, 1, 0, 0);
  }
  camera_unplug (&red);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  need_cameras ();
  g_test_add_func ("/cameras/the list follows a server that is restarted", test_list);
  g_test_add_func ("/cameras/those of a server that has gone are not listed",
                   test_killed_only);
  g_test_add_func ("/cameras/one that is watched comes back with the server",
                   test_watched);
  return g_test_run ();
}
