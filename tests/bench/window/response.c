// SPDX-License-Identifier: MIT
// How long the main loop of the real window is kept from its turns while sources are
// opened, frames sought and filters changed; and how soon a camera that falls silent, or
// is unplugged, is said to be lost. Prints a line of JSON.
//
// usage: odl-response main-loop LOCATION…
//        odl-response camera (to be run by tests/helpers/pipewire.sh)
#include <stdlib.h>
#include <string.h>

#include "../../unit/source/camera/camera_support.h"
#include "heart.h"
#include "real_window.h"
#include "widgets/window/parts.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define ROUNDS 5

static void
use (OdlSession *session, const char *location, OdlMainWindow *window)
{
  static const char *const filters[]
      = { "shrinkage:levels=3", "gaussian:sigma=3", "soft-threshold:levels=5", "" };
  odl_main_window_open (window, location, NULL);
  real_window_run (0.7);
  for (int i = 0; i < 8; i++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    odl_recipe_parse (&recipe, filters[i % 4], NULL);
    odl_playback_seek (odl_session_playback (session), i * 11 % 30);
    real_window_run (0.1);
    odl_session_set_recipe (session, &recipe, NULL);
    real_window_run (0.1);
  }
  // Another source in the middle of it all.
  odl_main_window_open (window, "phantom:128x128", NULL);
  odl_main_window_open (window, location, NULL);
  real_window_run (0.4);
}

static int
measure_loop (OdlMainWindow *window, char **locations)
{
  OdlSession *session = odl_main_window_parts (window)->session;
  Heart heart = { 0 };
  real_window_run (1); // the canvas is up
  use (session, "phantom:64x64", window); // GStreamer and the fonts are, too
  heart_start (&heart);
  for (int i = 0; locations[i]; i++)
    use (session, locations[i], window);
  heart_stop (&heart);
  g_print ("{\"longest_gap_ms\": %.1f, \"busiest_ms\": %.1f, \"beats\": %d}\n",
           (double) heart.longest_us / 1000, (double) heart.busiest_us / 1000,
           heart.beats);
  return EXIT_SUCCESS;
}

// Milliseconds until the camera is in trouble, or well again; −1: never.
static double
wait_for_trouble (OdlSession *session, bool trouble)
{
  const int64_t begin = g_get_monotonic_time ();
  while ((odl_session_trouble (session) != NULL) != trouble
         || !odl_session_frame (session)) {
    if (g_get_monotonic_time () - begin > PATIENCE_US)
      return -1;
    real_window_run (0.001);
  }
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static int
measure_camera (OdlMainWindow *window)
{
  OdlSession *session = odl_main_window_parts (window)->session;
  double silent_ms = 0, unplugged_ms = 0;
  for (int i = 0; i < ROUNDS; i++) {
    Camera camera = { 0 };
    camera_plug (&camera, "red-camera", "Red Camera", RED_320);
    odl_main_window_open (window, "webcam:red-camera", NULL);
    if (wait_for_trouble (session, false) < 0)
      return EXIT_FAILURE;
    real_window_run (1);
    camera_freeze (&camera);
    const double ms = wait_for_trouble (session, true);
    silent_ms = MAX (silent_ms, ms);
    camera_thaw (&camera);
    wait_for_trouble (session, false);
    real_window_run (0.5);
    const int64_t begin = g_get_monotonic_time ();
    camera_unplug (&camera);
    wait_for_trouble (session, true);
    unplugged_ms = MAX (unplugged_ms, (double) (g_get_monotonic_time () - begin) / 1000);
  }
  g_print ("{\"silent_ms\": %.0f, \"unplugged_ms\": %.0f, \"rounds\": %d}\n", silent_ms,
           unplugged_ms, ROUNDS);
  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  const bool camera = argc == 2 && g_str_equal (argv[1], "camera");
  if (!camera && (argc < 3 || !g_str_equal (argv[1], "main-loop"))) {
    g_printerr ("usage: odl-response main-loop LOCATION…\n"
                "       odl-response camera\n");
    return 2;
  }
  if (camera)
    need_cameras ();
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  if (!real_window_begin ()) {
    g_printerr ("there is no display\n");
    return EXIT_FAILURE;
  }
  RealWindow real;
  real_window_open (&real, NULL, 0, 0);
  const int status
      = camera ? measure_camera (real.window) : measure_loop (real.window, argv + 2);
  real_window_close (&real);
  return status;
}
