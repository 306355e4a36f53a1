// SPDX-License-Identifier: MIT
// Plays a source in the real window and says what it took: frames, drops, processor time
// by thread, latency, memory.
//
// usage: odl-play [--seconds=N] [--engine=NAME] [--filter=TEXT] [--luma] LOCATION
#include <stdlib.h>

#include "base/memory.h"
#include "load.h"
#include "widgets/application.h"
#include "widgets/settings.h"
#include "widgets/viewport.h"
#include "widgets/window.h"

#define WARM_UP_S 3
#define IDLE_S 1.5

typedef struct {
  OdlMainWindow *window;
  OdlSession *session;
  OdlViewport *viewport;
  GArray *latencies_us; // int64_t
  guint64 painted; // when counting began
  guint64 dropped;
  int64_t since_us;
  gsize idle_bytes; // resident, before there is a source
  OdlLoad before;
} Run;

static void
painted_cb (Run *run)
{
  int64_t latency_us = odl_viewport_latency_us (run->viewport);

  if (run->since_us > 0)
    g_array_append_val (run->latencies_us, latency_us);
}

static int
compare (const void *a, const void *b)
{
  int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;

  return left < right ? -1 : left > right;
}

static double
percentile_ms (GArray *latencies, double part)
{
  if (latencies->len == 0)
    return 0;
  guint at = (guint) (part * (latencies->len - 1) + 0.5);
  return (double) g_array_index (latencies, int64_t, at) / 1e3;
}

static void
begin (Run *run)
{
  odl_load_read (&run->before);
  run->painted = odl_session_n_painted (run->session);
  run->dropped = odl_session_dropped (run->session);
  run->since_us = g_get_monotonic_time ();
}

// One line of JSON.
static void
report (Run *run, const char *location)
{
  OdlLoad after;

  odl_load_read (&after);
  const double seconds = (double) (g_get_monotonic_time () - run->since_us) / 1e6;
  const guint64 painted = odl_session_n_painted (run->session) - run->painted;
  OdlFrame *frame = odl_session_frame (run->session);
  g_array_sort (run->latencies_us, compare);
  g_print ("{\"location\": \"%s\", \"engine\": \"%s\", \"canvas\": \"%s\", "
           "\"seconds\": %.2f, \"painted\": %" G_GUINT64_FORMAT
           ", \"fps\": %.2f, \"dropped\": %" G_GUINT64_FORMAT
           ", \"cpu_percent\": %.1f, \"latency_ms\": [%.1f, %.1f, %.1f], "
           "\"resident_mb\": %.1f, \"idle_mb\": %.1f, \"cached_mb\": %.1f, "
           "\"heap_mb\": %.1f, \"threads\": {",
           location, frame != NULL ? frame->engine->name : "",
           odl_viewport_uses_gl (run->viewport) ? "gl" : "soft", seconds, painted,
           (double) painted / seconds, odl_session_dropped (run->session) - run->dropped,
           100 * (after.cpu_seconds - run->before.cpu_seconds) / seconds,
           percentile_ms (run->latencies_us, 0.5),
           percentile_ms (run->latencies_us, 0.95), percentile_ms (run->latencies_us, 1),
           (double) after.resident_bytes / 1e6, (double) run->idle_bytes / 1e6,
           (double) odl_session_cached_bytes (run->session) / 1e6,
           (double) after.heap_bytes / 1e6);
  bool first = true;
  for (guint i = 0; i < after.by_name->len; i++) {
    const OdlThreadLoad *load = &g_array_index (after.by_name, OdlThreadLoad, i);
    const double percent
        = 100 * (load->seconds - odl_load_of (&run->before, load->name)) / seconds;
    if (percent >= 0.1)
      g_print ("%s\"%s\": %.1f", first ? "" : ", ", load->name, percent);
    first = first && percent < 0.1;
  }
  g_print ("}}\n");
  odl_load_clear (&after);
  odl_load_clear (&run->before);
}

static void
run_loop (double seconds)
{
  int64_t end = g_get_monotonic_time () + (int64_t) (seconds * 1e6);

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

// So that the loop comes round.
static gboolean
wake_cb (void *data)
{
  return G_SOURCE_CONTINUE;
}

// What the window takes by itself.
static void
look_at_idle (Run *run)
{
  OdlLoad load;

  run_loop (IDLE_S);
  odl_load_read (&load);
  run->idle_bytes = load.resident_bytes;
  odl_load_clear (&load);
}

int
main (int argc, char **argv)
{
  double seconds = 60;
  g_autofree char *engine = NULL, *filter = NULL;
  gboolean luma = FALSE;
  const GOptionEntry entries[] = {
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "to measure", "N" },
    { "engine", 0, 0, G_OPTION_ARG_STRING, &engine, "default: auto", "NAME" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &filter, "filters, as text", "TEXT" },
    { "luma", 0, 0, G_OPTION_ARG_NONE, &luma, "filter the luma only", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("LOCATION");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2) {
    g_printerr ("%s\n", error != NULL ? error->message : "name one source");
    return 2;
  }
  odl_memory_share_heaps ();
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  // What the program itself chooses where OpenGL is drawn in software.
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  g_setenv ("GTK_A11Y", "test", TRUE);
  if (!gtk_init_check ()) {
    g_printerr ("there is no display\n");
    return 77;
  }
  adw_init ();

  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (filter != NULL && !odl_recipe_parse (&recipe, filter, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  recipe.colour = luma ? ODL_COLOUR_LUMA : recipe.colour;
  GtkApplication *application = GTK_APPLICATION (odl_application_new ());
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  g_autoptr (OdlSettings) settings = odl_settings_new ();
  odl_settings_set_boolean (settings, "remember-recent", FALSE);
  Run run = { .latencies_us = g_array_new (FALSE, FALSE, sizeof (int64_t)) };
  run.window = ODL_MAIN_WINDOW (odl_main_window_new (application, settings));
  run.session = odl_main_window_session (run.window);
  run.viewport = odl_main_window_viewport (run.window);
  odl_main_window_start_with (run.window, engine, false, false);
  gtk_window_present (GTK_WINDOW (run.window));
  g_timeout_add (100, wake_cb, NULL);
  look_at_idle (&run);
  odl_main_window_open (run.window, argv[1], &recipe);
  g_signal_connect_swapped (run.viewport, "painted", G_CALLBACK (painted_cb), &run);

  run_loop (WARM_UP_S);
  if (odl_session_is_moving (run.session) && !odl_session_playing (run.session))
    odl_session_set_playing (run.session, true);
  begin (&run);
  run_loop (seconds);
  report (&run, argv[1]);
  odl_session_set_playing (run.session, false);
  run_loop (0.5);
  gtk_window_destroy (GTK_WINDOW (run.window));
  run_loop (0.5);
  g_array_unref (run.latencies_us);
  g_object_unref (application);
  return 0;
}
