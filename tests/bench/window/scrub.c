// SPDX-License-Identifier: MIT
// How long a seek takes from the call to the computed picture, over every frame of a
// source whose frames are cached, in an order that jumps: odl-scrub LOCATION [FILTER].
#include <stdlib.h>

#include "base/order.h"
#include "session/session.h"

#define TIMEOUT_US (30 * G_USEC_PER_SEC)
#define MAX_SEEKS 400

static bool
run_until (OdlSession *session, int64_t index)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (g_get_monotonic_time () < end) {
    OdlFrame *frame = odl_session_frame (session);
    if (frame && (index < 0 || frame->index == index))
      return true;
    g_main_context_iteration (NULL, TRUE);
  }
  return false;
}

// Until all frames are there, or the cache is full. How many are.
static int64_t
wait_for_cache (OdlSession *session)
{
  int before = -1;
  while (odl_playback_stats (odl_session_playback (session)).cached_frames > before) {
    before = odl_playback_stats (odl_session_playback (session)).cached_frames;
    g_usleep (G_USEC_PER_SEC);
  }
  return before;
}

static gboolean
wake_cb (void *data)
{
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  if (argc < 2) {
    g_printerr ("usage: odl-scrub LOCATION [FILTER]\n");
    return 2;
  }
  g_autoptr (OdlSession) session = odl_session_new ();
  OdlRecipe recipe;
  g_autoptr (GError) error = NULL;
  odl_recipe_init (&recipe);
  if (argc > 2 && !odl_recipe_parse (&recipe, argv[2], &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  g_timeout_add (100, wake_cb, NULL); // no wait lasts for ever
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_open (session, argv[1], &recipe);
  if (!run_until (session, -1)) {
    g_printerr ("%s shows nothing\n", argv[1]);
    return 1;
  }
  odl_session_set_playing (session, false);
  const int64_t cached = wait_for_cache (session);
  const int64_t n
      = MIN (cached, MAX (odl_playback_n_frames (odl_session_playback (session)), 1));
  const int seeks = (int) MIN (4 * n, MAX_SEEKS);
  g_autofree double *ms = g_new (double, seeks);
  int64_t index = 0;
  for (int i = 0; i < seeks; i++) {
    index = (index + 1 + n * 3 / 8) % n;
    const int64_t begin = g_get_monotonic_time ();
    odl_playback_seek (odl_session_playback (session), index);
    if (!run_until (session, index))
      return 1;
    ms[i] = (double) (g_get_monotonic_time () - begin) / 1000;
  }
  qsort (ms, (size_t) seeks, sizeof *ms, odl_order_doubles);
  g_print ("%s: %d seeks over %d cached frames: median %.2f ms, 95 %% %.2f ms, "
           "longest %.2f ms\n",
           argv[1], seeks, (int) n, ms[seeks / 2], ms[seeks * 95 / 100], ms[seeks - 1]);
  return 0;
}
