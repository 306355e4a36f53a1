// SPDX-License-Identifier: MIT
// What panes cost: odl-panes ENGINE LOCATION [FILTER]. In a window of one, two and four
// panes with the same stack: memory of the process, frames that the panes without any
// change paint while one is stepped through, and how long a step takes until all linked
// panes show it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/order.h"
#include "real_window.h"
#include "widgets/window/parts.h"

#define TIMEOUT_US (60 * G_USEC_PER_SEC)
#define N_STEPS 60

static double
resident_mib (void)
{
  g_autofree char *text = NULL;
  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  const char *pages = text ? strchr (text, ' ') : NULL;
  return pages ? (double) (g_ascii_strtoull (pages, NULL, 10) * sysconf (_SC_PAGESIZE))
                     / (1 << 20)
               : 0;
}

// All panes up to `n` show frame `index` (−1: any), painted.
static bool
run_until (const OdlLayout *layout, int n, int64_t index, const guint64 *painted)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (g_get_monotonic_time () < end) {
    bool there = true;
    for (int i = 0; i < n; i++) {
      const OdlPane *pane = odl_layout_nth (layout, i);
      const OdlFrame *frame = odl_session_frame (pane->session);
      there = there && frame && (index < 0 || frame->index == index)
              && odl_viewport_painted (pane->viewport) > painted[i]
              && !odl_session_opening (pane->session);
    }
    if (there)
      return true;
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  }
  return false;
}

static void
note_painted (const OdlLayout *layout, guint64 painted[ODL_MOST_PANES])
{
  for (int i = 0; i < odl_layout_count (layout); i++)
    painted[i] = odl_viewport_painted (odl_layout_nth (layout, i)->viewport);
}

// Milliseconds of each step, sorted. False: a pane did not follow.
static bool
step (const OdlLayout *layout, int n, double ms[N_STEPS])
{
  OdlPlayback *playback = odl_session_playback (odl_layout_active (layout)->session);
  const int64_t n_frames = odl_playback_n_frames (playback);
  for (int k = 0; k < N_STEPS; k++) {
    guint64 painted[ODL_MOST_PANES] = { 0 };
    note_painted (layout, painted);
    const int64_t index = (odl_playback_position (playback) + 1) % n_frames;
    const int64_t begin = g_get_monotonic_time ();
    odl_playback_seek (playback, index);
    if (!run_until (layout, n, index, painted))
      return false;
    ms[k] = (double) (g_get_monotonic_time () - begin) / 1000;
  }
  qsort (ms, N_STEPS, sizeof *ms, odl_order_doubles);
  return true;
}

static bool
open_all (const OdlWindowParts *parts, const char *location, const OdlRecipe *recipe)
{
  const guint64 none[ODL_MOST_PANES] = { 0 };
  for (int i = 0; i < odl_layout_count (parts->layout); i++) {
    OdlPane *pane = odl_layout_nth (parts->layout, i);
    if (!odl_pane_is_empty (pane))
      continue;
    odl_session_open (pane->session, location, recipe);
  }
  return run_until (parts->layout, odl_layout_count (parts->layout), -1, none);
}

static bool
measure (RealWindow *window,
         const char *shape,
         const char *location,
         const OdlRecipe *recipe)
{
  const OdlWindowParts *parts = odl_main_window_parts (window->window);
  GActionGroup *actions = G_ACTION_GROUP (window->window);
  guint64 before[ODL_MOST_PANES] = { 0 }, after[ODL_MOST_PANES] = { 0 };
  double alone[N_STEPS], linked[N_STEPS];
  g_action_group_activate_action (actions, "layout", g_variant_new_string (shape));
  if (!open_all (parts, location, recipe))
    return false;
  const int n = odl_layout_count (parts->layout);
  odl_layout_activate (parts->layout, odl_layout_nth (parts->layout, 0));
  for (int i = 0; i < n; i++) {
    OdlSession *session = odl_layout_nth (parts->layout, i)->session;
    odl_session_set_planes (session, false);
    odl_session_set_playing (session, false);
  }
  real_window_run (3);
  note_painted (parts->layout, before);
  if (!step (parts->layout, 1, alone))
    return false;
  note_painted (parts->layout, after);
  guint64 idle = 0;
  for (int i = 1; i < n; i++)
    idle += after[i] - before[i];
  g_action_group_activate_action (actions, "link-slices", NULL);
  real_window_run (1);
  if (!step (parts->layout, n, linked))
    return false;
  g_action_group_activate_action (actions, "link-slices", NULL);
  g_print ("| %s | %.0f | %d | %.1f / %.1f | %.1f / %.1f |\n", shape, resident_mib (),
           (int) idle, alone[N_STEPS / 2], alone[N_STEPS * 95 / 100], linked[N_STEPS / 2],
           linked[N_STEPS * 95 / 100]);
  return true;
}

int
main (int argc, char **argv)
{
  static const char *const shapes[] = { "1x1", "1x2", "2x2" };
  RealWindow window;
  OdlRecipe recipe;
  g_autoptr (GError) error = NULL;
  odl_recipe_init (&recipe);
  if (argc < 3 || (argc > 3 && !odl_recipe_parse (&recipe, argv[3], &error))) {
    g_printerr ("%s\n",
                error ? error->message : "usage: odl-panes ENGINE LOCATION [FILTER]");
    return 2;
  }
  if (!real_window_begin ())
    return 77;
  real_window_open (&window, argv[1], 1280, 900);
  g_print (
      "| panes | resident, MiB | frames of the others | step of one, median / 95 %%, "
      "ms | step of all linked, ms |\n| --- | --- | --- | --- | --- |\n");
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (!measure (&window, shapes[i], argv[2], &recipe)) {
      g_printerr ("a pane shows nothing\n");
      return 1;
    }
  real_window_close (&window);
  return 0;
}
