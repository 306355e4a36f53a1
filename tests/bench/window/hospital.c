// SPDX-License-Identifier: MIT
// How soon a folder as a hospital writes it is there after it was dropped on the real
// window: until its first series hangs, and until all patients, studies and series are
// listed; how long the main loop was kept from its turns meanwhile, and the processor's
// time for both, with helpers. Prints a line of JSON.
//
// usage: odl-hospital FOLDER
#include <stdlib.h>
#include <sys/resource.h>

#include "heart.h"
#include "real_window.h"
#include "widgets/window/parts.h"

#define PATIENCE_US (300 * G_USEC_PER_SEC)

// Of this process and of helpers that have ended.
static double
user_seconds (void)
{
  static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
  double seconds = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (whose); i++) {
    struct rusage usage;
    getrusage (whose[i], &usage);
    seconds += (double) usage.ru_utime.tv_sec + (double) usage.ru_utime.tv_usec / 1e6;
  }
  return seconds;
}

static bool
hangs (const RealWindow *real)
{
  return odl_session_frame (real->session)
         && odl_session_detail (real->session, "sop-instance");
}

static bool
is_listed (const RealWindow *real)
{
  OdlSourcePanel *panel = odl_main_window_parts (real->window)->source_panel;

  return odl_source_panel_studies (panel) && !odl_source_panel_is_listing (panel);
}

// Seconds since `begin_us`; −1: it took longer than anybody waits.
static double
wait_for (const RealWindow *real, bool (*done) (const RealWindow *), int64_t begin_us)
{
  while (!done (real)) {
    if (g_get_monotonic_time () - begin_us > PATIENCE_US)
      return -1;
    real_window_run (0.001);
  }
  return (double) (g_get_monotonic_time () - begin_us) / 1e6;
}

int
main (int argc, char **argv)
{
  if (argc != 2) {
    g_printerr ("name a folder\n");
    return 2;
  }
  if (!real_window_begin ()) {
    g_printerr ("there is no display\n");
    return 77;
  }
  RealWindow real = { 0 };
  Heart heart = { 0 };
  real_window_open (&real, NULL, 0, 0);
  real_window_run (1); // the canvas is up
  heart_start (&heart);
  const double user = user_seconds ();
  const int64_t begin_us = g_get_monotonic_time ();
  odl_main_window_open (real.window, argv[1], NULL);
  const double hung = wait_for (&real, hangs, begin_us);
  const double user_hung = user_seconds () - user;
  const double listed = wait_for (&real, is_listed, begin_us);
  const double user_listed = user_seconds () - user;
  heart_stop (&heart);
  const GPtrArray *series
      = odl_source_panel_studies (odl_main_window_parts (real.window)->source_panel);
  g_print ("{\"hung_s\": %.2f, \"hung_user_s\": %.2f, \"listed_s\": %.2f, "
           "\"listed_user_s\": %.2f, \"series\": %u, \"longest_gap_ms\": %.1f, "
           "\"busiest_ms\": %.1f}\n",
           hung, user_hung, listed, user_listed, series ? series->len : 0,
           (double) heart.longest_us / 1000, (double) heart.busiest_us / 1000);
  real_window_close (&real);
  return hung >= 0 && listed >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
