// SPDX-License-Identifier: MIT
// What a clinician waits for in the real window: first pictures, a held arrow key, a long
// series, a folder of thousands of files. Prints a line of JSON.
//
// usage: odl-viewer first A B TIMES | held FOLDER N | series FOLDER | folder FOLDER
// SECONDS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "heart.h"
#include "real_window.h"
#include "widgets/window/parts.h"

#define PATIENCE_US (120 * G_USEC_PER_SEC)
#define STEP_US (G_USEC_PER_SEC / 30)
#define MOST_STEPS 100

// What was painted last, and when.
typedef struct {
  RealWindow *window;
  char *location;
  int64_t index;
  int64_t at_us;
  GHashTable *indices; // of one source; NULL: nobody counts
  GHashTable *delivered; // likewise of frames that were ready to be painted
} Painted;

static void
painted_cb (Painted *painted)
{
  OdlSession *session = painted->window->session;
  const OdlFrame *frame = odl_session_frame (session);
  if (!frame || !odl_session_is_of_source (session, frame))
    return;
  g_free (painted->location);
  painted->location = g_strdup (odl_session_info (session)->location);
  painted->index = frame->index;
  painted->at_us = g_get_monotonic_time ();
  if (painted->indices)
    g_hash_table_add (painted->indices, GINT_TO_POINTER ((int) frame->index + 1));
}

static void
ready_cb (Painted *painted)
{
  const OdlFrame *frame = odl_session_frame (painted->window->session);
  if (painted->delivered && frame)
    g_hash_table_add (painted->delivered, GINT_TO_POINTER ((int) frame->index + 1));
}

static gboolean
wake_cb (void *data)
{
  return G_SOURCE_CONTINUE;
}

typedef bool (*Condition) (const Painted *painted, const void *data);

// False: it never came.
static bool
run_until (Painted *painted, Condition holds, const void *data)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (!holds (painted, data)) {
    if (g_get_monotonic_time () > end)
      return false;
    g_main_context_iteration (NULL, TRUE);
  }
  return true;
}

static bool
is_painted (const Painted *painted, const void *location)
{
  return g_strcmp0 (painted->location, location) == 0;
}

// Some picture of it, before the whole is there.
static bool
is_anything (const Painted *painted, const void *before_us)
{
  return painted->at_us > *(const int64_t *) before_us && painted->location
         && !g_str_has_prefix (painted->location, "phantom:");
}

static bool
is_stack (const Painted *painted, const void *data)
{
  return odl_session_info (painted->window->session)->is_stack;
}

// Of /proc/self/status, kB.
static long
memory (const char *field)
{
  char line[256];
  long kb = 0;
  FILE *file = fopen ("/proc/self/status", "r");
  while (file && fgets (line, sizeof line, file))
    if (g_str_has_prefix (line, field))
      kb = atol (line + strlen (field) + 1);
  if (file)
    fclose (file);
  return kb;
}

static double
ms_since (int64_t begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / 1000;
}

static int
measure_first (Painted *painted, char **words)
{
  const int n = atoi (words[2]);
  g_print ("{\"ms\": [");
  for (int i = -2; i < n; i++) { // what is needed once is loaded by the first two
    const char *path = words[i & 1];
    const int64_t begin_us = g_get_monotonic_time ();
    odl_main_window_open (painted->window->window, path, NULL);
    if (!run_until (painted, is_painted, path))
      return EXIT_FAILURE;
    if (i >= 0)
      g_print ("%s%.1f", i > 0 ? ", " : "", (double) (painted->at_us - begin_us) / 1000);
    real_window_run (0.3);
  }
  g_print ("], \"peak_kb\": %ld}\n", memory ("VmHWM"));
  return EXIT_SUCCESS;
}

static int
measure_held (Painted *painted, char **words)
{
  const int n = atoi (words[1]);
  OdlSourcePanel *panel = odl_main_window_parts (painted->window->window)->source_panel;
  const int64_t begin_us = g_get_monotonic_time ();
  odl_main_window_open (painted->window->window, words[0], NULL);
  if (!run_until (painted, is_anything, &begin_us))
    return EXIT_FAILURE;
  real_window_run (3);
  const long before_kb = memory ("VmRSS");
  Heart heart = { 0 };
  heart_start (&heart);
  for (int i = 1; i < n; i++) {
    odl_source_panel_step (panel, 1);
    real_window_run ((double) STEP_US / G_USEC_PER_SEC);
  }
  const int64_t last_us = g_get_monotonic_time ();
  g_autofree char *name = g_strdup_printf ("%04d.dcm", n - 1);
  g_autofree char *last = g_build_filename (words[0], name, NULL);
  const bool wins = run_until (painted, is_painted, last);
  const double ms = ms_since (last_us);
  real_window_run (2);
  heart_stop (&heart);
  g_print ("{\"last_wins\": %s, \"after_last_ms\": %.1f, \"before_kb\": %ld, "
           "\"after_kb\": %ld, \"peak_kb\": %ld, \"longest_gap_ms\": %.1f}\n",
           wins && is_painted (painted, last) ? "true" : "false", ms, before_kb,
           memory ("VmRSS"), memory ("VmHWM"), (double) heart.longest_us / 1000);
  return EXIT_SUCCESS;
}

static bool
is_at (const Painted *painted, const void *index)
{
  const OdlFrame *frame = odl_session_frame (painted->window->session);
  return frame && frame->index == *(const int64_t *) index;
}

// Of a single step, milliseconds until its slice is there to be painted; the median.
static double
median_step (Painted *painted, int n)
{
  OdlPlayback *playback = odl_session_playback (painted->window->session);
  g_autoptr (GArray) ms = g_array_new (FALSE, FALSE, sizeof (double));
  for (int64_t i = 1; i < n; i++) {
    const int64_t begin_us = g_get_monotonic_time ();
    odl_playback_step (playback, 1);
    if (!run_until (painted, is_at, &i))
      return -1;
    const double one = ms_since (begin_us);
    g_array_append_val (ms, one);
  }
  g_array_sort (ms, odl_order_doubles);
  return g_array_index (ms, double, ms->len / 2);
}

// Slices that were not there though the loop that steps came in time, so that they had
// their share of a second. The others had the machine's other programs to wait for.
static int
n_missed (const Painted *painted, const int64_t *stepped_us, int n)
{
  int missed = 0;
  for (int i = 1; i < n; i++)
    missed += !g_hash_table_contains (painted->delivered, GINT_TO_POINTER (i + 1))
              && stepped_us[i + 1] - stepped_us[i] >= STEP_US / 2;
  return missed;
}

static int
measure_series (Painted *painted, char **words)
{
  OdlPlayback *playback = odl_session_playback (painted->window->session);
  g_autofree char *location = g_strconcat ("series:", words[0], NULL);
  const int64_t begin_us = g_get_monotonic_time ();
  odl_main_window_open (painted->window->window, location, NULL);
  if (!run_until (painted, is_anything, &begin_us))
    return EXIT_FAILURE;
  const double first_ms = ms_since (begin_us);
  if (!run_until (painted, is_stack, NULL))
    return EXIT_FAILURE;
  const double list_ms = ms_since (begin_us);
  // Until no more slices come into the cache.
  int cached = -1;
  while (odl_playback_stats (playback).cached_frames > cached) {
    cached = odl_playback_stats (playback).cached_frames;
    real_window_run (2);
  }
  odl_playback_seek (playback, 0);
  real_window_run (0.5);
  const double step_ms = median_step (painted, MIN (cached, MOST_STEPS));
  odl_playback_seek (playback, 0);
  real_window_run (0.5);
  const int n = MIN (cached, (int) odl_playback_n_frames (playback));
  painted->indices = g_hash_table_new (NULL, NULL);
  painted->delivered = g_hash_table_new (NULL, NULL);
  g_autofree int64_t *stepped_us = g_new0 (int64_t, n + 1);
  const int64_t scroll_us = g_get_monotonic_time ();
  for (int i = 1; i < n; i++) {
    stepped_us[i] = g_get_monotonic_time ();
    odl_playback_step (playback, 1);
    const int64_t due_us = scroll_us + i * STEP_US;
    while (g_get_monotonic_time () < due_us)
      g_main_context_iteration (NULL, TRUE);
  }
  const double seconds = ms_since (scroll_us) / 1000;
  real_window_run (0.3);
  stepped_us[n] = INT64_MAX;
  const int missed = n_missed (painted, stepped_us, n);
  g_print ("{\"first_ms\": %.1f, \"list_ms\": %.1f, \"slices\": %d, \"cached\": %d, "
           "\"scrolled\": %d, \"delivered\": %u, \"painted\": %u, \"seconds\": %.2f, "
           "\"step_ms\": %.1f, \"missed\": %d, "
           "\"peak_kb\": %ld}\n",
           first_ms, list_ms, (int) odl_playback_n_frames (playback), cached, n - 1,
           g_hash_table_size (painted->delivered), g_hash_table_size (painted->indices),
           seconds, step_ms, missed, memory ("VmHWM"));
  g_hash_table_unref (painted->indices);
  g_hash_table_unref (painted->delivered);
  return EXIT_SUCCESS;
}

static int
measure_folder (Painted *painted, char **words)
{
  Heart heart = { 0 };
  heart_start (&heart);
  const int64_t begin_us = g_get_monotonic_time ();
  odl_main_window_open (painted->window->window, words[0], NULL);
  if (!run_until (painted, is_anything, &begin_us))
    return EXIT_FAILURE;
  const double first_ms = ms_since (begin_us);
  real_window_run (atof (words[1]));
  heart_stop (&heart);
  g_print ("{\"first_ms\": %.1f, \"longest_gap_ms\": %.1f, \"busiest_ms\": %.1f, "
           "\"peak_kb\": %ld}\n",
           first_ms, (double) heart.longest_us / 1000, (double) heart.busiest_us / 1000,
           memory ("VmHWM"));
  return EXIT_SUCCESS;
}

static const struct {
  const char *name;
  int n_words;
  int (*measure) (Painted *painted, char **words);
} parts[] = { { "first", 3, measure_first },
              { "held", 2, measure_held },
              { "series", 1, measure_series },
              { "folder", 2, measure_folder } };

int
main (int argc, char **argv)
{
  int status = 2;
  if (!real_window_begin ())
    return EXIT_FAILURE;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (argc != 2 + parts[i].n_words || strcmp (argv[1], parts[i].name) != 0)
      continue;
    RealWindow window;
    real_window_open (&window, NULL, 0, 0);
    Painted painted = { .window = &window, .index = -1 };
    g_timeout_add (20, wake_cb, NULL); // no wait lasts for ever
    g_signal_connect_swapped (window.viewport, "painted", G_CALLBACK (painted_cb),
                              &painted);
    g_signal_connect_swapped (window.session, "frame-ready", G_CALLBACK (ready_cb),
                              &painted);
    real_window_run (1.5);
    odl_main_window_open (window.window, "phantom:64x64", NULL); // fonts and the canvas
    real_window_run (1.5);
    odl_session_set_playing (window.session, false);
    status = parts[i].measure (&painted, argv + 2);
    g_signal_handlers_disconnect_by_data (window.viewport, &painted);
    g_signal_handlers_disconnect_by_data (window.session, &painted);
    real_window_close (&window);
    g_free (painted.location);
  }
  if (status == 2)
    g_printerr ("usage: odl-viewer first A B TIMES | held FOLDER N | series FOLDER | "
                "folder FOLDER SECONDS\n");
  return status;
}
