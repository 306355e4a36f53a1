// SPDX-License-Identifier: MIT
// As fast as possible: every frame is computed, in order, painted or not.
#include "engine/registry.h"
#include "settle.h"

#define PHANTOM "phantom:32x32"

// What a session has shown and a canvas has run.
typedef struct {
  OdlSession *session;
  int64_t indices[512]; // shown
  int n;
  int marked; // of these
  guint64 runs[16]; // arrivals that were run unseen
  int n_runs;
  bool fails; // the canvas cannot run them
} Watch;

static void
ready_cb (OdlSession *session, Watch *watch)
{
  const OdlFrame *frame = odl_session_frame (session);

  if (watch->n == (int) G_N_ELEMENTS (watch->indices))
    return;
  watch->marked += frame->fast;
  watch->indices[watch->n++] = frame->index;
}

static bool
run_cb (OdlFrame *frame, void *data)
{
  Watch *watch = data;

  if (!watch->fails)
    watch->runs[watch->n_runs++] = frame->arrival;
  return !watch->fails;
}

// A paused phantom that is to be played as fast as possible.
static void
begin (Watch *watch)
{
  OdlSession *session = odl_session_new ();

  *watch = (Watch){ .session = session };
  odl_session_set_canvas (session, ODL_GL_NONE, 0, false);
  odl_session_open (session, PHANTOM, NULL);
  while (odl_session_frame (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  odl_session_set_playing (session, false);
  settle (session);
  // At its own speed a frame each ten seconds is due.
  odl_playback_set_frame_rate (odl_session_playback (session), 0.1);
  odl_playback_set_speed (odl_session_playback (session), ODL_SPEED_FAST);
  g_assert_true (odl_playback_is_fast (odl_session_playback (session)));
  g_signal_connect (session, "frame-ready", G_CALLBACK (ready_cb), watch);
}

// Nothing is ever painted here, and all the same everything is computed and counted.
static void
test_all_are_computed (void)
{
  Watch watch;
  begin (&watch);
  OdlSession *session = watch.session;
  const guint64 before = odl_session_n_painted (session);

  odl_session_set_playing (session, true);
  while (watch.n < 300)
    g_main_context_iteration (NULL, TRUE);
  for (int i = 1; i < watch.n; i++)
    g_assert_cmpint (watch.indices[i], ==, watch.indices[i - 1] + 1);
  g_assert_cmpint (watch.marked, ==, watch.n);
  g_assert_cmpuint (odl_session_n_painted (session) - before, >=, 300);
  g_assert_cmpuint (odl_session_dropped (session), ==, 0);

  // A picture at rest is not fast any more.
  odl_session_set_playing (session, false);
  while (odl_session_frame (session)->fast || !session_is_quiet (session))
    g_main_context_iteration (NULL, TRUE);
  odl_playback_set_speed (odl_session_playback (session), 2);
  g_assert_false (odl_playback_is_fast (odl_session_playback (session)));
  g_assert_finalize_object (session);
}

// A frame of an engine of the canvas, as if it had arrived.
static OdlFrame *
arrive (OdlSession *session)
{
  const OdlFrame *like = odl_session_frame (session);
  OdlFrame *frame = odl_frame_new (like->input, like->plan,
                                   (OdlEngineChoice){ &odl_gl_fragment_engine });

  frame->arrival = ++session->arrival;
  frame->source_serial = session->source_serial;
  return frame;
}

// The screen paints one frame in three; the others are run in the canvas, each once.
static void
test_unseen_are_run (void)
{
  Watch watch;
  begin (&watch);
  OdlSession *session = watch.session;
  const guint64 first = session->arrival, before = odl_session_n_painted (session);

  odl_session_set_run (session, run_cb, &watch);
  session->painted_arrival = first;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      odl_session_publish (session, arrive (session));
    g_assert_cmpuint (odl_session_frame (session)->arrival, ==, session->arrival);
    odl_session_painted (session, odl_session_frame (session));
  }
  static const guint64 unseen[] = { 1, 2, 4, 5, 7, 8 };
  g_assert_cmpint (watch.n_runs, ==, G_N_ELEMENTS (unseen));
  for (int i = 0; i < watch.n_runs; i++)
    g_assert_cmpuint (watch.runs[i], ==, first + unseen[i]);
  g_assert_cmpuint (odl_session_n_painted (session) - before, ==, 9);
  g_assert_cmpuint (session->n_unseen, ==, 0);

  // The same frame again, with other parameters, is no other frame.
  OdlFrame *anew = arrive (session);
  odl_session_publish (session, arrive (session));
  anew->arrival = session->arrival;
  odl_session_publish (session, anew);
  g_assert_cmpint (watch.n_runs, ==, G_N_ELEMENTS (unseen));

  // What a canvas cannot run is counted as dropped.
  odl_session_painted (session, odl_session_frame (session));
  const guint64 dropped = session->n_unseen;
  watch.fails = true;
  odl_session_publish (session, arrive (session));
  odl_session_publish (session, arrive (session));
  odl_session_painted (session, odl_session_frame (session));
  g_assert_cmpuint (session->n_unseen, ==, dropped + 1);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fast/every-frame-is-computed-in-order", test_all_are_computed);
  g_test_add_func ("/fast/what-is-not-painted-is-run", test_unseen_are_run);
  return g_test_run ();
}
