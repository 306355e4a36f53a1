// SPDX-License-Identifier: MIT
// Cameras of a real PipeWire server: listed, opened by name, in time, in the right
// colours; silent, unplugged, plugged in again, in use elsewhere.
#include <gst/gst.h>
#include <math.h>
#include <string.h>

#include "../../../helpers/bar.h"
#include "base/error.h"
#include "camera_reading.h"
#include "camera_support.h"
#include "source/camera/devices.h"
#include "source/camera/link.h"
#include "source/source.h"

// What the reader of a capture promises.
#define SIGNAL_LOST_US G_USEC_PER_SEC

// From a cancel to the end of a read, to the end of a source, and until it is known that
// a camera is gone that was pulled out while it opens: sooner than a first picture is
// missed.
#define CANCEL_US (G_USEC_PER_SEC / 2)
#define RELEASE_US (3 * G_USEC_PER_SEC)
#define GONE_US (6 * G_USEC_PER_SEC)

#define PICTURES 50

// A PipeWire server on a busy machine takes its time to make a camera known.
#define PATIENCE_US CAMERA_PATIENCE_US

// The program behind a camera dies now and then; what was seen meanwhile says nothing.
#define ATTEMPTS 8

// Reads until there is an error with this code, and gives its time in microseconds since
// the last picture. Others may come before: that of a camera's program that stutters.
static GError *
wait_for_silence (OdlSource *source, int code, int64_t *silence_us)
{
  int64_t last_us = g_get_monotonic_time ();
  const int64_t end = last_us + PATIENCE_US;

  for (;;) {
    GError *error = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, &error);
    const int64_t now = g_get_monotonic_time ();
    if (image == NULL && (error->code == code || error->code == ODL_ERROR_NO_DEVICE)) {
      *silence_us = now - last_us;
      return error;
    }
    g_clear_error (&error);
    last_us = image != NULL ? now : last_us;
    g_assert_cmpint (now, <, end);
  }
}

// ---- Formats and locations ----

static GArray *
formats_of (const char *text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  g_assert_nonnull (caps);
  return odl_camera_formats_from_caps (caps);
}

static void
assert_best (const char *caps, const char *location, const char *expected)
{
  g_autoptr (GArray) formats = formats_of (caps);
  g_auto (OdlCameraRequest) request = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_camera_request_parse (&request, location, &error));
  const OdlCameraFormat *best = odl_camera_formats_best (formats, &request);
  g_assert_nonnull (best);
  g_autofree char *text = odl_camera_format_text (best);
  g_assert_cmpstr (text, ==, expected);
}

// What a camera on USB 2 offers.
#define USB_CAMERA \
  "video/x-raw,format=YUY2,width=1280,height=720,framerate=10/1;" \
  "video/x-raw,format=YUY2,width=640,height=480,framerate={(fraction)30/1,15/1};" \
  "video/x-raw,format=NV12,width=640,height=480,framerate=30/1;" \
  "image/jpeg,width=1280,height=720,framerate={(fraction)30/1,10/1};" \
  "image/jpeg,width=640,height=480,framerate=30/1;" \
  "video/x-h264,width=1920,height=1080,framerate=30/1"

static void
test_formats (void)
{
  g_autoptr (GArray) formats = formats_of (USB_CAMERA);
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < formats->len; i++) {
    const OdlCameraFormat *format = &g_array_index (formats, OdlCameraFormat, i);
    g_autofree char *text = odl_camera_format_text (format);
    g_string_append_printf (all, "%s\n", text);
    if (format->width == 640 && format->encoding == ODL_CAMERA_RAW
        && odl_camera_format_rate (format) == 30)
      g_assert_cmpstr (format->pixels, ==, "NV12");
  }
  g_assert_cmpstr (all->str, ==,
                   "1280 × 720, 30 fps, MJPEG\n1280 × 720, 10 fps, raw\n"
                   "1280 × 720, 10 fps, MJPEG\n640 × 480, 30 fps, raw\n"
                   "640 × 480, 30 fps, MJPEG\n640 × 480, 15 fps, raw\n");
  g_string_free (all, TRUE);
}

static void
test_ranges (void)
{
  g_autoptr (GArray) formats
      = formats_of ("video/x-raw,format={NV12,YUY2},width=[16,1280],height=[16,720],"
                    "framerate=[1/1,60/1]");

  // 320 × 240, 640 × 480, 800 × 600 and 1280 × 720, at 30 and at 60.
  g_assert_cmpint (formats->len, ==, 8);
  const OdlCameraFormat *first = &g_array_index (formats, OdlCameraFormat, 0);
  g_assert_cmpint (first->width, ==, 1280);
  g_assert_cmpfloat (odl_camera_format_rate (first), ==, 60);
  g_assert_cmpstr (first->pixels, ==, "NV12");
}

static void
test_choice (void)
{
  assert_best (USB_CAMERA, "webcam", "1280 × 720, 30 fps, MJPEG");
  assert_best (USB_CAMERA, "webcam,format=raw", "640 × 480, 30 fps, raw");
  assert_best (USB_CAMERA, "webcam,size=640x480", "640 × 480, 30 fps, raw");
  assert_best (USB_CAMERA, "webcam,rate=10", "1280 × 720, 10 fps, raw");
  // Nothing suits: the best of all.
  assert_best (USB_CAMERA, "webcam,size=17x4", "1280 × 720, 30 fps, MJPEG");
  assert_best ("video/x-raw,format=YUY2,width=1920,height=1080,framerate=30000/1001;"
               "image/jpeg,width=1920,height=1080,framerate=30000/1001",
               "webcam", "1920 × 1080, 29.97 fps, raw");
  assert_best ("video/x-raw,format=YUY2,width=3840,height=2160,framerate=30/1;"
               "video/x-raw,format=YUY2,width=1280,height=720,framerate=30/1",
               "webcam", "1280 × 720, 30 fps, raw");
}

static void
test_locations (void)
{
  static const char *const wrong[]
      = { "webcam,size=7",      "webcam,size=0x5", "webcam:a,rate=-1", "webcam,rate=x",
          "webcam,format=h265", "webcam,x=1",      "webcam,",          NULL };
  g_auto (OdlCameraRequest) request = { 0 };

  for (size_t i = 0; wrong[i] != NULL; i++) {
    g_auto (OdlCameraRequest) other = { 0 };
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_camera_is_location (wrong[i]));
    g_assert_false (odl_camera_request_parse (&other, wrong[i], &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
  g_assert_false (odl_camera_is_location ("webcam.mp4"));
  g_assert_false (odl_camera_is_location ("/tmp/webcam"));
  g_assert_true (odl_camera_request_parse (
      &request, "webcam:HD, 720p: front,size=1280x720,rate=29.97,format=MJPEG", NULL));
  g_assert_cmpstr (request.name, ==, "HD, 720p: front");
  g_assert_cmpint (request.width, ==, 1280);
  g_assert_cmpint (request.height, ==, 720);
  g_assert_cmpfloat_with_epsilon (request.rate, 29.97, 1e-6);
  g_assert_cmpint (request.encoding, ==, ODL_CAMERA_MJPEG);
  OdlCameraFormat format = { 1280, 720, 30000, 1001, ODL_CAMERA_MJPEG, "" };
  g_assert_true (odl_camera_format_suits (&format, &request));
  g_autofree char *location = odl_camera_location ("HD, 720p: front", &format);
  g_assert_cmpstr (location, ==,
                   "webcam:HD, 720p: front,size=1280x720,rate=29.97,format=mjpeg");
}

static void
test_explanations (void)
{
  static const struct {
    int code; // of GST_RESOURCE_ERROR
    const char *message, *details;
    int expected;
  } rows[] = {
    { GST_RESOURCE_ERROR_BUSY, "Device '/dev/video0' is busy", NULL, ODL_ERROR_BUSY },
    { GST_RESOURCE_ERROR_FAILED, "stream error: Device or resource busy", NULL,
      ODL_ERROR_BUSY },
    { GST_RESOURCE_ERROR_FAILED, "stream error: no node available", NULL,
      ODL_ERROR_BUSY },
    { GST_RESOURCE_ERROR_OPEN_READ_WRITE, "Could not open device '/dev/video0'",
      "system error: Permission denied", ODL_ERROR_DENIED },
    { GST_RESOURCE_ERROR_NOT_AUTHORIZED, "no", NULL, ODL_ERROR_DENIED },
    { GST_RESOURCE_ERROR_NOT_FOUND, "Cannot identify device '/dev/video0'.", NULL,
      ODL_ERROR_NO_DEVICE },
    { GST_RESOURCE_ERROR_READ, "Internal data stream error", NULL, ODL_ERROR_IO },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) cause
        = g_error_new_literal (GST_RESOURCE_ERROR, rows[i].code, rows[i].message);
    g_autoptr (GError) error = odl_camera_explain ("Cam", cause, rows[i].details);
    g_test_message ("%s", error->message);
    g_assert_error (error, ODL_ERROR, rows[i].expected);
    g_assert_nonnull (strstr (error->message, "Cam"));
  }
}

// ---- One camera and two ----

static void
test_none (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_source_open ("webcam", NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
  g_test_message ("%s", error->message);
}

// The rate is the camera's: what is measured holds for a machine that has time for it.
static void
read_fifty (OdlSource *source)
{
  wait_for_pictures (source);
  source->missed = 0;
  const int64_t start = g_get_monotonic_time ();
  for (int i = 0; i < PICTURES; i++) {
    g_autoptr (OdlImage) image = read_frame (source);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, 320);
    assert_colour (image, 1, 0, 0);
  }
  const int64_t us = g_get_monotonic_time () - start;
  // What was missed was sent as well.
  const int sent = PICTURES + g_atomic_int_get (&source->missed);
  g_test_message ("%d pictures, %d sent", PICTURES, sent);
  odl_test_took ("50 pictures, 25 a second", us * PICTURES / sent,
                 (int64_t) (PICTURES / 22.0 * G_USEC_PER_SEC));
  if (g_test_perf ())
    g_assert_cmpfloat ((double) sent * G_USEC_PER_SEC / (double) us, <, 27.5);
}

static void
test_frames (void)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  g_assert_true (source->info.live && source->info.capture);
  g_assert_cmpstr (source->info.name, ==, "Red Camera");
  g_assert_cmpfloat (source->info.frame_rate, ==, 25);
  read_fifty (source);
  camera_unplug (&red);
}

static void
test_two (void)
{
  Camera red = { 0 }, green = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  camera_plug (&green, "green-camera", "Green Camera", GREEN_640);
  g_autoptr (OdlSource) second = open_camera ("webcam:green-camera");
  g_autoptr (OdlSource) first = open_camera ("webcam:red cam");
  g_autoptr (OdlImage) image = read_frame (second);
  assert_colour (image, 0, 1, 0);
  g_assert_cmpint (odl_image_info (image)->extent.x, ==, 640);
  g_autoptr (OdlImage) other = read_frame (first);
  assert_colour (other, 1, 0, 0);
  // One that is lost never becomes the other one.
  camera_unplug (&red);
  wait_for_code (first, ODL_ERROR_NO_DEVICE);
  g_autoptr (OdlImage) again = read_frame (second);
  assert_colour (again, 0, 1, 0);

  g_autoptr (GError) error = NULL;
  g_assert_null (odl_source_open ("webcam:blue", NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
  g_assert_nonnull (strstr (error->message, "“Green Camera”"));
  camera_unplug (&green);
}

static void
test_same_names (void)
{
  Camera one = { 0 }, two = { 0 };

  camera_plug (&one, "left", "Twin", RED_320);
  camera_plug (&two, "right", "Twin", GREEN_640);
  g_autoptr (OdlSource) left = open_camera ("webcam:left");
  g_autoptr (OdlSource) right = open_camera ("webcam:right");
  wait_for_cameras (2);
  OdlCameraDevices *devices = odl_camera_devices_open (NULL, NULL, NULL, NULL);
  GPtrArray *cameras = odl_camera_devices_list (devices);
  g_assert_cmpint (cameras->len, ==, 2);
  const OdlCamera *first = cameras->pdata[0], *second = cameras->pdata[1];
  g_assert_cmpstr (first->name, !=, second->name);
  g_ptr_array_unref (cameras);
  odl_camera_devices_close (devices);

  // The one that stays has the name of the lost one, and is none the less another one.
  camera_unplug (&one);
  wait_for_code (left, ODL_ERROR_NO_DEVICE);
  for (int i = 0; i < 5; i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_source_read_frame (left, 0, NULL, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
  }
  // Plugged in again elsewhere.
  camera_plug (&one, "left-elsewhere", "Twin", RED_320);
  camera_unplug (&two);
  wait_for_pictures (left);
  g_autoptr (OdlImage) image = read_frame (left);
  assert_colour (image, 1, 0, 0);
  camera_unplug (&one);
}

static void
test_jpeg (void)
{
  Camera camera = { 0 };

  camera_plug (&camera, "jpeg-camera", "JPEG Camera",
               "videotestsrc is-live=true pattern=blue ! "
               "video/x-raw,format=RGB,width=320,height=240,framerate=25/1 ! jpegenc");
  OdlSource *source = open_camera ("webcam");
  g_test_message ("%s", source->info.format);
  g_assert_nonnull (strstr (source->info.format, "MJPEG"));
  g_autoptr (OdlImage) image = read_frame (source);
  assert_colour (image, 0, 0, 1);
  // In this order: libpipewire 0.3.65 seldom crashes, in a thread of its own, when a
  // camera that sends JPEG is unplugged while it is used.
  odl_source_unref (source);
  camera_unplug (&camera);
}

// Whoever shows it may be slower than whoever closes the camera.
static void
test_image_outlives (void)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  OdlSource *source = open_camera ("webcam");
  g_autoptr (OdlImage) image = read_frame (source);
  odl_source_unref (source);
  camera_unplug (&red);
  assert_colour (image, 1, 0, 0);
}

// ---- Trouble ----

// False: the program behind it died, which is another story than a silent camera.
static bool
freeze_once (Camera *camera, OdlSource *source)
{
  int64_t silence_us;

  odl_image_unref (read_frame (source));
  camera_freeze (camera);
  g_autoptr (GError) error = wait_for_silence (source, ODL_ERROR_NO_SIGNAL, &silence_us);
  g_test_message ("%s", error->message);
  camera_thaw (camera);
  wait_for_pictures (source);
  if (camera_deaths (camera) > 0 && error->code == ODL_ERROR_NO_DEVICE)
    return false;
  g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_SIGNAL);
  odl_test_took ("a signal that is lost", silence_us, SIGNAL_LOST_US);
  return true;
}

static void
test_frozen (void)
{
  Camera red = { 0 };
  bool told = false;

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  for (int i = 0; i < ATTEMPTS && !told; i++)
    told = freeze_once (&red, source);
  g_assert_true (told);
  camera_unplug (&red);
}

static void
test_unplugged (void)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  for (int round = 0; round < 3; round++) {
    int64_t silence_us;
    odl_image_unref (read_frame (source));
    camera_unplug (&red);
    g_autoptr (GError) error
        = wait_for_silence (source, ODL_ERROR_NO_SIGNAL, &silence_us);
    g_test_message ("%s", error->message);
    odl_test_took ("a camera that is gone", silence_us, SIGNAL_LOST_US);
    wait_for_code (source, ODL_ERROR_NO_DEVICE);
    camera_plug (&red, "red-camera", "Red Camera", RED_320);
    wait_for_pictures (source);
  }
  camera_unplug (&red);
}

// A silent link is replaced every five seconds; what is said stays.
#define LINKS_US (12 * G_USEC_PER_SEC)

// One that is there again and sends nothing is silent, not away, and comes back as well.
static void
test_silent_again (void)
{
  Camera red = { 0 };
  int64_t told_us = 0; // when it was first said to be silent

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  odl_image_unref (read_frame (source));
  camera_unplug (&red);
  wait_for_code (source, ODL_ERROR_NO_DEVICE);
  camera_plug (&red, "red-camera", "Red Camera", SILENT_320);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (told_us == 0 || g_get_monotonic_time () < told_us + LINKS_US) {
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_source_read_frame (source, 0, NULL, &error));
    const bool away = g_error_matches (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
    if (told_us == 0 && !away) {
      g_test_message ("%s", error->message);
      told_us = g_get_monotonic_time ();
    }
    // Unless its program died.
    g_assert_true (told_us == 0 || !away || camera_deaths (&red) > 0);
    g_assert_cmpint (g_get_monotonic_time (), <, end);
  }
  camera_unplug (&red);
  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  wait_for_pictures (source);
  camera_unplug (&red);
}

// Somebody else may have the device meanwhile.
static void
test_parked (void)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  g_autoptr (OdlSource) source = open_camera ("webcam");
  odl_image_unref (read_frame (source));
  odl_source_park (source, true);
  odl_source_park (source, true);
  wait_for_code (source, ODL_ERROR_NO_SIGNAL);
  odl_source_park (source, false);
  for (int i = 0; i < 5; i++)
    g_assert_null (odl_source_read_frame (source, 0, NULL, NULL));
  odl_source_park (source, false);
  wait_for_pictures (source);
  camera_unplug (&red);
}

static void *
unplug_soon (void *camera)
{
  g_usleep (g_random_int_range (0, 300000));
  camera_unplug (camera);
  return NULL;
}

// At whatever moment of its opening.
static void
test_unplugged_early (void)
{
  for (int round = 0; round < 8; round++) {
    Camera red = { 0 };
    g_autoptr (GError) error = NULL;
    camera_plug (&red, "red-camera", "Red Camera", RED_320);
    wait_for_cameras (1);
    GThread *thread = g_thread_new ("unplug", unplug_soon, &red);
    const int64_t start = g_get_monotonic_time ();
    g_autoptr (OdlSource) source = odl_source_open ("webcam", NULL, &error);
    g_thread_join (thread);
    if (source != NULL)
      wait_for_code (source, ODL_ERROR_NO_DEVICE);
    else
      g_assert_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE);
    odl_test_took ("a camera that goes while it opens", g_get_monotonic_time () - start,
                   GONE_US);
  }
}

typedef struct {
  GCancellable *cancellable;
  int64_t at_us; // when it was cancelled
} Cancel;

static void *
cancel_soon (void *data)
{
  Cancel *cancel = data;

  g_usleep (200000);
  cancel->at_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancel->cancellable);
  return NULL;
}

// Stop works at once whatever the camera does.
static void
test_stop (void)
{
  Camera red = { 0 };

  camera_plug (&red, "red-camera", "Red Camera", RED_320);
  OdlSource *source = open_camera ("webcam");
  odl_image_unref (read_frame (source));
  camera_freeze (&red);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Cancel cancel = { cancellable, 0 };
  GThread *thread = g_thread_new ("cancel", cancel_soon, &cancel);
  while (error == NULL || !g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_clear_error (&error);
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, cancellable, &error);
  }
  const int64_t stopped = g_get_monotonic_time ();
  g_thread_join (thread);
  odl_test_took ("a silent camera that is stopped", stopped - cancel.at_us, CANCEL_US);
  const int64_t start = g_get_monotonic_time ();
  odl_source_unref (source);
  odl_test_took ("a silent camera that is released", g_get_monotonic_time () - start,
                 RELEASE_US);
  camera_thaw (&red);
  camera_unplug (&red);
}

static void
test_unplug_leaks (void)
{
  assert_nothing_leaks (use_and_unplug, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  need_cameras ();
  gst_init (NULL, NULL);
  g_test_add_func ("/camera/formats of one size and rate are one", test_formats);
  g_test_add_func ("/camera/ranges of sizes give the usual ones", test_ranges);
  g_test_add_func ("/camera/JPEG is taken where raw is slower", test_choice);
  g_test_add_func ("/camera/locations say what they mean", test_locations);
  g_test_add_func ("/camera/failures are told in words", test_explanations);
  g_test_add_func ("/camera/none is said in words", test_none);
  g_test_add_func ("/camera/frames come at their rate in their colour", test_frames);
  g_test_add_func ("/camera/two are told apart by name", test_two);
  g_test_add_func ("/camera/two of one name are told apart", test_same_names);
  g_test_add_func ("/camera/JPEG pictures are decoded", test_jpeg);
  g_test_add_func ("/camera/a picture outlives its camera", test_image_outlives);
  g_test_add_func ("/camera/a silent one is reported", test_frozen);
  g_test_add_func ("/camera/an unplugged one comes back", test_unplugged);
  g_test_add_func ("/camera/one that comes back silent is not away", test_silent_again);
  g_test_add_func ("/camera/one that is parked comes back", test_parked);
  g_test_add_func ("/camera/one unplugged while it opens", test_unplugged_early);
  g_test_add_func ("/camera/a silent one can be stopped", test_stop);
  g_test_add_func ("/camera/unplugging leaves nothing open", test_unplug_leaks);
  return g_test_run ();
}
