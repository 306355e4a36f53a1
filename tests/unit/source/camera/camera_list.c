// SPDX-License-Identifier: MIT
// The list of cameras of what PipeWire and Video4Linux tell, without either; and a camera
// of PipeWire's that has more than one format.
#include <gst/gst.h>

#include "camera_reading.h"
#include "camera_support.h"
#include "source/camera/devices.h"

#define ATTEMPTS 8

#define LISTED_TYPE_DEVICE (listed_device_get_type ())
G_DECLARE_FINAL_TYPE (ListedDevice, listed_device, LISTED, DEVICE, GstDevice)

struct _ListedDevice {
  GstDevice parent_instance;
};

G_DEFINE_FINAL_TYPE (ListedDevice, listed_device, GST_TYPE_DEVICE)

static void
listed_device_class_init (ListedDeviceClass *klass)
{
}

static void
listed_device_init (ListedDevice *self)
{
}

static void
test_merged (void)
{
  static const struct {
    const char *name, *type;
    const char *properties;
    const char *id, *shown; // NULL: not in the list
  } rows[] = {
    { "Front", "Video/Source",
      "p,node.name=(string)v4l2_input.usb,api.v4l2.path=(string)/dev/video0",
      "v4l2_input.usb", "Front" },
    { "Program", "Video/Source", "p,node.name=(string)program", "program", "Program" },
    { "Program", "Video/Source", "p,node.name=(string)other", "other", "Program (2)" },
    { "Microphone", "Audio/Source", "p,node.name=(string)alsa", NULL, NULL },
    // What Video4Linux tells: one that PipeWire has, and two that it has not.
    { "Front Camera", "Video/Source", "p,device.path=(string)/dev/video0", NULL, NULL },
    { "Front", "Video/Source", "p,device.path=(string)/dev/video2", "/dev/video2",
      "Front (2)" },
    { "Loopback", "Video/Source", "p,device.path=(string)/dev/video20", "/dev/video20",
      "Loopback" },
  };
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1");
  GList *devices = NULL;
  guint n = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstStructure *properties = gst_structure_from_string (rows[i].properties, NULL);
    g_assert_nonnull (properties);
    GstDevice *device
        = g_object_new (LISTED_TYPE_DEVICE, "display-name", rows[i].name, "device-class",
                        rows[i].type, "caps", caps, "properties", properties, NULL);
    devices = g_list_append (devices, gst_object_ref_sink (device));
    gst_structure_free (properties);
  }
  g_autoptr (GPtrArray) cameras = odl_camera_list_new (devices);
  g_list_free_full (devices, gst_object_unref);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (rows[i].id == NULL)
      continue;
    g_assert_cmpint (n, <, cameras->len);
    const OdlCamera *camera = cameras->pdata[n++];
    g_assert_cmpstr (camera->id, ==, rows[i].id);
    g_assert_cmpstr (camera->name, ==, rows[i].shown);
    g_assert_cmpint (camera->formats->len, ==, 1);
  }
  g_assert_cmpint (cameras->len, ==, n);
}

static void
plug (Camera *camera)
{
  camera_plug_flexible (camera, "flexible-camera", "Flexible Camera");
  wait_for_cameras (1);
}

// PipeWire's own camera may never send a picture again when the machine stood still just
// as it changed its format; then it is plugged in anew.
static OdlSource *
open_or_plug_again (Camera *camera, const char *location)
{
  for (int i = 0; i < ATTEMPTS; i++) {
    g_autoptr (GError) error = NULL;
    OdlSource *source = odl_source_open (location, NULL, &error);
    if (source != NULL)
      return source;
    g_test_message ("%s: %s", location, error->message);
    camera_unplug (camera);
    wait_for_cameras (0);
    plug (camera);
  }
  return open_camera (location);
}

static void
assert_runs (Camera *camera, const char *location, int width, double rate, bool suits)
{
  g_autoptr (OdlSource) source = open_or_plug_again (camera, location);
  g_autoptr (OdlImage) image = read_frame (source);

  g_test_message ("%s: %s", location, source->info.format);
  g_assert_cmpint (odl_image_info (image)->extent.x, ==, width);
  g_assert_cmpfloat (source->info.frame_rate, ==, rate);
  g_assert_cmpint (source->info.warning == NULL, ==, suits);
}

// One after the other: the camera has to agree on another format each time.
static void
test_sizes (void)
{
  Camera camera = { 0 };

  plug (&camera);
  assert_runs (&camera, "webcam:flexible-camera,size=320x240,rate=30", 320, 30, true);
  assert_runs (&camera, "webcam:flexible-camera,size=800x600,rate=30", 800, 30, true);
  assert_runs (&camera, "webcam:flexible-camera,size=640x480", 640, 30, true);
  camera_unplug (&camera);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  need_cameras ();
  gst_init (NULL, NULL);
  g_test_add_func ("/camera-list/a device that both know is there once", test_merged);
  g_test_add_func ("/camera-list/each of its sizes can be had", test_sizes);
  return g_test_run ();
}
