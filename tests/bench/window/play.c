// SPDX-License-Identifier: MIT
// Plays a source in the real window and says what it took: frames, drops, processor time
// by thread, latency, memory.
//
// usage: odl-play [--seconds=N] [--engine=NAME] [--filter=TEXT] [--luma] LOCATION
#include <stdlib.h>

#include "load.h"
#include "real_window.h"

#define WARM_UP_S 3
#define IDLE_S 1.5

typedef struct {
  RealWindow real;
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
  int64_t latency_us = odl_viewport_latency_us (run->real.viewport);

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
  run->painted = odl_session_n_painted (run->real.session);
  run->dropped = odl_session_dropped (run->real.session);
  run->since_us = g_get_monotonic_time ();
}

// One line of JSON.
static void
report (Run *run, const char *location)
{
  OdlLoad after;

  odl_load_read (&after);
  const double seconds = (double) (g_get_monotonic_time () - run->since_us) / 1e6;
  const guint64 painted = odl_session_n_painted (run->real.session) - run->painted;
  OdlFrame *frame = odl_session_frame (run->real.session);
  g_array_sort (run->latencies_us, compare);
  g_print (
      "{\"location\": \"%s\", \"engine\": \"%s\", \"canvas\": \"%s\", "
      "\"seconds\": %.2f, \"painted\": %" G_GUINT64_FORMAT
      ", \"fps\": %.2f, \"dropped\": %" G_GUINT64_FORMAT
      ", \"cpu_percent\": %.1f, \"latency_ms\": [%.1f, %.1f, %.1f], "
      "\"resident_mb\": %.1f, \"idle_mb\": %.1f, \"cached_mb\": %.1f, "
      "\"heap_mb\": %.1f, \"threads\": {",
      location, frame != NULL ? frame->engine->name : "",
      odl_viewport_uses_gl (run->real.viewport) ? "gl" : "soft", seconds, painted,
      (double) painted / seconds, odl_session_dropped (run->real.session) - run->dropped,
      100 * (after.cpu_seconds - run->before.cpu_seconds) / seconds,
      percentile_ms (run->latencies_us, 0.5), percentile_ms (run->latencies_us, 0.95),
      percentile_ms (run->latencies_us, 1), (double) after.resident_bytes / 1e6,
      (double) run->idle_bytes / 1e6,
      (double) odl_playback_stats (odl_session_playback (run->real.session)).cached_bytes
          / 1e6,
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

// What the window takes by itself.
static void
look_at_idle (Run *run)
{
  OdlLoad load;

  real_window_run (IDLE_S);
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
  if (!real_window_begin ()) {
    g_printerr ("there is no display\n");
    return 77;
  }

  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (filter != NULL && !odl_recipe_parse (&recipe, filter, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  recipe.colour = luma ? ODL_COLOUR_LUMA : recipe.colour;
  Run run = { .latencies_us = g_array_new (FALSE, FALSE, sizeof (int64_t)) };
  real_window_open (&run.real, engine, 0, 0);
  look_at_idle (&run);
  odl_main_window_open (run.real.window, argv[1], &recipe);
  g_signal_connect_swapped (run.real.viewport, "painted", G_CALLBACK (painted_cb), &run);

  real_window_run (WARM_UP_S);
  if (odl_playback_is_moving (odl_session_playback (run.real.session))
      && !odl_session_playing (run.real.session))
    odl_session_set_playing (run.real.session, true);
  begin (&run);
  real_window_run (seconds);
  report (&run, argv[1]);
  real_window_close (&run.real);
  g_array_unref (run.latencies_us);
  return 0;
}
