// SPDX-License-Identifier: MIT
// How long the real window shows details with the usual gains before it has those of
// their histogram: from the choice of the view of coefficients, of a picture at rest,
// until it is drawn with them. Prints a line of JSON, in milliseconds: the least and the
// middle one of some turns.
//
// usage: odl-details [--engine=NAME] LOCATION FILTER
#include <stdlib.h>

#include "base/order.h"
#include "real_window.h"

#define TURNS 9

static float
enter_ms (const RealWindow *real, OdlRecipe *recipe)
{
  recipe->view = ODL_VIEW_SYNTHESIS;
  odl_session_set_recipe (real->session, recipe, NULL);
  real_window_run (1);
  recipe->view = ODL_VIEW_ANALYSIS;
  const int64_t begin = g_get_monotonic_time ();
  odl_session_set_recipe (real->session, recipe, NULL);
  while (odl_viewport_window (real->viewport).reach.levels == 0)
    g_main_context_iteration (NULL, TRUE);
  return (float) (g_get_monotonic_time () - begin) / 1e3F;
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
  OdlRecipe recipe;

  g_option_context_add_main_entries (context, entries, NULL);
  odl_recipe_init (&recipe);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 3
      || !odl_recipe_parse (&recipe, argv[2], &error)) {
    g_printerr ("%s\n", error != NULL ? error->message : "name a source and a filter");
    return 2;
  }
  if (!real_window_begin ()) {
    g_printerr ("there is no display\n");
    return 77;
  }
  RealWindow real = { 0 };
  g_autoptr (GArray) measured = g_array_new (FALSE, FALSE, sizeof (float));
  real_window_open (&real, engine, 0, 0);
  odl_main_window_open (real.window, argv[1], NULL);
  real_window_run (2);
  odl_session_set_playing (real.session, false);
  for (int turn = 0; turn < TURNS; turn++) {
    const float ms = enter_ms (&real, &recipe);
    g_array_append_val (measured, ms);
  }
  g_array_sort (measured, odl_order_floats);
  const float *ms = (const float *) measured->data;
  g_print ("{\"location\": \"%s\", \"filter\": \"%s\", \"least_ms\": %.1f, "
           "\"middle_ms\": %.1f}\n",
           argv[1], argv[2], (double) ms[0], (double) ms[TURNS / 2]);
  real_window_close (&real);
  return EXIT_SUCCESS;
}
