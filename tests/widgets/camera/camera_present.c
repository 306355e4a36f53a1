// SPDX-License-Identifier: MIT
// A camera that is pulled out while it is presented: the show says so and goes on, and
// has the camera again when it is back.
#include "camera_window.h"

static bool
has_notice (Fixture *fixture, const void *text)
{
  GtkLabel *label = label_with_class (GTK_WIDGET (fixture->window), "readout-notice");
  const bool mapped = gtk_widget_get_mapped (GTK_WIDGET (label));
  return text ? mapped && strstr (gtk_label_get_text (label), text) : !mapped;
}

static bool
has_no_rate (Fixture *fixture, const void *data)
{
  GtkLabel *label = label_with_class (GTK_WIDGET (fixture->window), "readout-rate");
  return !gtk_widget_get_mapped (GTK_WIDGET (label));
}

static bool
is_shown_or_failed (Fixture *fixture, const void *colour)
{
  return shows_colour (fixture, colour) || has_notice (fixture, "found");
}

static bool
is_shown_or_passed (Fixture *fixture, const void *colour)
{
  return shows_colour (fixture, colour) || has_location (fixture, "phantom:128x128");
}

// The server takes its time to make a camera known, and is slow on a busy machine: then
// its turn is passed over, and comes again.
static void
step_to (Fixture *fixture, const Colour *colour)
{
  while (has_location (fixture, "phantom:128x128")) {
    activate (fixture, "step-file", "1");
    wait_until (fixture, is_shown_or_failed, colour);
    wait_until (fixture, has_notice, NULL);
  }
  wait_until (fixture, shows_colour, colour);
}

// It is all there is: the show waits for it.
static void
test_alone (Fixture *fixture, const void *data)
{
  static const char *const locations[] = { "webcam:red-camera", NULL };
  Camera camera = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  present (fixture, locations, "pass-through", 3600);
  wait_until (fixture, shows_colour, &red);
  wait_until (fixture, has_notice, NULL);
  for (int round = 0; round < 2; round++) {
    camera_unplug (&camera);
    wait_until (fixture, has_notice, "unplugged");
    g_assert_true (has_notice (fixture, "It is tried again."));
    // Its last picture stays, with a mark and not as if it were live.
    wait_until (fixture, shows_colour, &dark_red);
    wait_until (fixture, has_no_rate, NULL);
    camera_plug (&camera, "red-camera", "Red Camera", RED_320);
    wait_until (fixture, shows_colour, &red);
    wait_until (fixture, has_notice, NULL);
  }
  activate (fixture, "cancel", NULL);
  camera_unplug (&camera);
}

// Until the server has made it known: a camera that is all there is is tried again, among
// others it would be passed over.
static void
wait_for_camera (Fixture *fixture, const char *location, const Colour *colour)
{
  const char *const locations[] = { location, NULL };
  present (fixture, locations, "pass-through", 3600);
  wait_until (fixture, shows_colour, colour);
}

// Another source follows, and the camera has its turn again.
static void
test_among_others (Fixture *fixture, const void *data)
{
  static const char *const locations[]
      = { "webcam:red-camera", "webcam:green-camera", "phantom:128x128", NULL };
  Camera camera = { 0 }, other = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  camera_plug (&other, "green-camera", "Green Camera", GREEN_640);
  wait_for_camera (fixture, locations[1], &green);
  wait_for_camera (fixture, locations[0], &red);
  present (fixture, locations, "pass-through", 3600);
  wait_until (fixture, shows_colour, &red);
  camera_unplug (&camera);
  wait_until (fixture, has_notice, "The next source follows.");
  wait_until (fixture, is_shown_or_passed, &green);
  wait_until (fixture, has_notice, NULL);
  step_to (fixture, &green);
  camera_unplug (&other);
  wait_until (fixture, has_location, "phantom:128x128");
  wait_until (fixture, has_notice, NULL);
  // The turns of cameras that are away are passed over.
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_notice, "found");
  wait_until (fixture, has_notice, NULL);
  g_assert_true (has_location (fixture, "phantom:128x128"));
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  step_to (fixture, &red);
  activate (fixture, "cancel", NULL);
  camera_unplug (&camera);
}

// “webcam” is the one that was used last; when that is not there today, any other one.
static void
test_any (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  odl_settings_set_string (fixture->settings, "last-camera",
                           "webcam:old-camera,size=640x480,rate=30.00,format=raw");
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_for_camera (fixture, "webcam", &red);
  wait_until (fixture, has_notice, NULL);
  activate (fixture, "cancel", NULL);
  camera_unplug (&camera);
}

int
main (int argc, char **argv)
{
  need_camera_window (&argc, &argv);
  ADD ("/camera-present/alone it is waited for", test_alone);
  ADD ("/camera-present/among others it is passed over", test_among_others);
  ADD ("/camera-present/any one for the last one", test_any);
  return g_test_run ();
}
