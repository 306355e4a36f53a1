// SPDX-License-Identifier: MIT
// What the histograms of bands in a filter's card add to a frame: the real window plays a
// source as fast as it can, or with --paced at the source's own rate, with the card open
// and closed by turns. Prints a line of JSON: the least milliseconds a frame of each, and
// the processor's, and how often the window was drawn for a frame.
//
// Every second round begins with the card open: the turn after the card was closed is not
// like one that follows another closed one, and with closed always first, open was
// faster. As fast as possible a frame counts when it was computed, whether or not the
// window had time to draw it; at the source's rate only the processor tells them apart.
//
// usage: odl-meter [--engine=NAME] [--paced] LOCATION FILTER
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
  double drawn; // cycles of the window for each frame
} Cost;

static void
count_cb (guint64 *cycles)
{
  ++*cycles;
}

static Cost
measure (const RealWindow *real)
{
  const guint64 painted = odl_session_n_painted (real->session);
  const int64_t begin = g_get_monotonic_time ();
  const double before = processor_ms ();
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (real->window));
  guint64 cycles = 0;
  const gulong handler
      = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (count_cb), &cycles);

  real_window_run (TURN_S);
  g_signal_handler_disconnect (clock, handler);
  const double n = (double) MAX (odl_session_n_painted (real->session) - painted, 1);
  return (Cost){ (double) (g_get_monotonic_time () - begin) / 1e3 / n,
                 (processor_ms () - before) / n, (double) cycles / n };
}

static Cost
least (Cost a, Cost b)
{
  return (Cost){ MIN (a.frame_ms, b.frame_ms), MIN (a.processor_ms, b.processor_ms),
                 b.processor_ms < a.processor_ms ? b.drawn : a.drawn };
}

int
main (int argc, char **argv)
{
  g_autofree char *engine = NULL;
  gboolean paced = FALSE;
  const GOptionEntry entries[] = {
    { "engine", 0, 0, G_OPTION_ARG_STRING, &engine, "default: auto", "NAME" },
    { "paced", 0, 0, G_OPTION_ARG_NONE, &paced, "at the rate of the source", NULL },
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
  if (!paced)
    odl_playback_set_speed (odl_session_playback (real.session), ODL_SPEED_FAST);
  odl_session_set_playing (real.session, true);
  GtkExpander *cards
      = odl_filter_panel_parameters (odl_main_window_parts (real.window)->filter_panel);
  Cost costs[2];
  for (int round = 0; round <= ROUNDS; round++)
    for (int turn = 0; turn < 2; turn++) {
      const int open = turn ^ (round & 1);
      gtk_expander_set_expanded (cards, open == 1);
      real_window_run (round == 0 ? WARM_UP_S : SETTLE_S);
      const Cost cost = measure (&real);
      costs[open] = round == 0 ? cost : least (costs[open], cost);
    }
  g_print (
      "{\"location\": \"%s\", \"filter\": \"%s\", \"closed_ms\": %.3f, "
      "\"open_ms\": %.3f, \"closed_processor_ms\": %.3f, \"open_processor_ms\": %.3f, "
      "\"closed_drawn\": %.2f, \"open_drawn\": %.2f, \"ratio\": %.3f}\n",
      argv[1], argv[2], costs[0].frame_ms, costs[1].frame_ms, costs[0].processor_ms,
      costs[1].processor_ms, costs[0].drawn, costs[1].drawn,
      paced ? costs[1].processor_ms / costs[0].processor_ms
            : costs[1].frame_ms / costs[0].frame_ms);
  real_window_close (&real);
  return EXIT_SUCCESS;
}
