// SPDX-License-Identifier: MIT
// How long the main loop of the real window is kept from its turns while sources are
// opened, frames sought and filters changed; and how soon a camera that falls silent, or
// is unplugged, is said to be lost. Prints a line of JSON.
//
// usage: odl-response main-loop LOCATION…
//        odl-response camera (to be run by tests/helpers/pipewire.sh)
#include <adwaita.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/source/camera_support.h"
#include "base/memory.h"
#include "heart.h"
#include "widgets/application.h"
#include "widgets/settings.h"
#include "widgets/window.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define ROUNDS 5

static void
run_loop (int milliseconds)
{
  const int64_t end = g_get_monotonic_time () + (int64_t) milliseconds * 1000;
  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

static void
use (OdlSession *session, const char *location, OdlMainWindow *window)
{
  static const char *const filters[]
      = { "shrinkage:levels=3", "gaussian:sigma=3", "soft-threshold:levels=5", "" };
  odl_main_window_open (window, location, NULL);
  run_loop (700);
  for (int i = 0; i < 8; i++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    odl_recipe_parse (&recipe, filters[i % 4], NULL);
    odl_session_seek (session, i * 11 % 30);
    run_loop (100);
    odl_session_set_recipe (session, &recipe, NULL);
    run_loop (100);
  }
  // Another source in the middle of it all.
  odl_main_window_open (window, "phantom:128x128", NULL);
  odl_main_window_open (window, location, NULL);
  run_loop (400);
}

static int
measure_loop (OdlMainWindow *window, char **locations)
{
  OdlSession *session = odl_main_window_session (window);
  Heart heart = { 0 };
  run_loop (1000); // the canvas is up
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
    run_loop (1);
  }
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

static int
measure_camera (OdlMainWindow *window)
{
  OdlSession *session = odl_main_window_session (window);
  double silent_ms = 0, unplugged_ms = 0;
  for (int i = 0; i < ROUNDS; i++) {
    Camera camera = { 0 };
    camera_plug (&camera, "red-camera", "Red Camera", RED_320);
    odl_main_window_open (window, "webcam:red-camera", NULL);
    if (wait_for_trouble (session, false) < 0)
      return EXIT_FAILURE;
    run_loop (1000);
    camera_freeze (&camera);
    const double ms = wait_for_trouble (session, true);
    silent_ms = MAX (silent_ms, ms);
    camera_thaw (&camera);
    wait_for_trouble (session, false);
    run_loop (500);
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
  odl_memory_share_heaps ();
  if (camera)
    need_cameras ();
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  // What the program itself chooses where OpenGL is drawn in software.
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  if (!gtk_init_check ()) {
    g_printerr ("there is no display\n");
    return EXIT_FAILURE;
  }
  adw_init ();
  OdlApplication *application = odl_application_new ();
  g_autoptr (OdlSettings) settings = odl_settings_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  OdlMainWindow *window
      = ODL_MAIN_WINDOW (odl_main_window_new (GTK_APPLICATION (application), settings));
  odl_main_window_start_with (window, NULL, false, false);
  gtk_window_present (GTK_WINDOW (window));
  const int status = camera ? measure_camera (window) : measure_loop (window, argv + 2);
  gtk_window_destroy (GTK_WINDOW (window));
  run_loop (300);
  g_object_unref (application);
  return status;
}
