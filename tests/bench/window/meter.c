// SPDX-License-Identifier: MIT
// What the histograms of bands in a filter's card add to a frame: the real window plays a
// source as fast as it can, with the card open and closed by turns. Prints a line of
// JSON: the least milliseconds a frame of each, and the processor's.
//
// usage: odl-meter [--engine=NAME] LOCATION FILTER
#include <stdlib.h>
#include <sys/resource.h>

#include "real_window.h"
#include "session/player/timeline.h"
#include "widgets/window/parts.h"

#define WARM_UP_S 3
#define TURN_S 3
#define SETTLE_S 1 // after the card was opened or closed
#define ROUNDS 5

static double
processor_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return 1e3 * (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

typedef struct {
  double frame_ms, processor_ms;
} Cost;

static Cost
measure (const RealWindow *real)
{
  const guint64 painted = odl_session_n_painted (real->session);
  const int64_t begin = g_get_monotonic_time ();
  const double before = processor_ms ();

  real_window_run (TURN_S);
  const double n = (double) MAX (odl_session_n_painted (real->session) - painted, 1);
  return (Cost){ (double) (g_get_monotonic_time () - begin) / 1e3 / n,
                 (processor_ms () - before) / n };
}

static Cost
least (Cost a, Cost b)
{
  return (Cost){ MIN (a.frame_ms, b.frame_ms), MIN (a.processor_ms, b.processor_ms) };
}

int
main (int argc, char **argv)
{
  g_autofree char *engine = NULL;
  const GOptionEntry entries[] = {
    { "engine", 0, 0, G_OPTION_ARG_STRING, &engine, "default: auto", "NAME" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("LOCATION FILTER");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 3) {
    g_printerr ("%s\n", error != NULL ? error->message : "name a source and a filter");
    return 2;
  }
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, argv[2], &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (!real_window_begin ()) {
    g_printerr ("there is no display\n");
    return 77;
  }
  RealWindow real = { 0 };
  real_window_open (&real, engine, 0, 0);
  odl_main_window_open (real.window, argv[1], NULL);
  real_window_run (1);
  odl_session_set_recipe (real.session, &recipe, NULL);
  odl_playback_set_speed (odl_session_playback (real.session), ODL_SPEED_FAST);
  odl_session_set_playing (real.session, true);
  GtkExpander *cards
      = odl_filter_panel_parameters (odl_main_window_parts (real.window)->filter_panel);
  Cost costs[2];
  for (int round = 0; round <= ROUNDS; round++)
    for (int open = 0; open < 2; open++) {
      gtk_expander_set_expanded (cards, open == 1);
      real_window_run (round == 0 ? WARM_UP_S : SETTLE_S);
      const Cost cost = measure (&real);
      costs[open] = round == 0 ? cost : least (costs[open], cost);
    }
  g_print (
      "{\"location\": \"%s\", \"filter\": \"%s\", \"closed_ms\": %.3f, "
      "\"open_ms\": %.3f, \"closed_processor_ms\": %.3f, \"open_processor_ms\": %.3f, "
      "\"ratio\": %.3f}\n",
      argv[1], argv[2], costs[0].frame_ms, costs[1].frame_ms, costs[0].processor_ms,
      costs[1].processor_ms, costs[1].frame_ms / costs[0].frame_ms);
  real_window_close (&real);
  return EXIT_SUCCESS;
}
