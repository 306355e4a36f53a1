// SPDX-License-Identifier: MIT
// Frames that wait: for the renderer, and for a canvas that has not painted the one
// before.
#include "base/error.h"
#include "session/render/renderer.h"
#include "session/session_private.h"
#include "../../helpers/images.h"

static OdlFrame *
frame_new (guint64 arrival)
{
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (8, 8, 1, ODL_SAMPLE_F32, &samples);
  const OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  OdlPlan *plan = odl_plan_new (&recipe, &geometry, NULL);
  OdlFrame *frame = odl_frame_new (image, plan, (OdlEngineChoice){ 0 });

  odl_plan_unref (plan);
  frame->arrival = arrival;
  frame->source_serial = 1;
  return frame;
}

static void
check_pop (OdlFrameQueue *queue, const OdlFrame *expected)
{
  g_autoptr (OdlFrame) frame = odl_frame_queue_pop (queue);

  g_assert_true (frame == expected);
}

static void
test_queue (void)
{
  OdlFrameQueue queue = { 0 };
  OdlFrame *frames[8];

  for (guint64 i = 0; i < G_N_ELEMENTS (frames); i++)
    frames[i] = frame_new (i);
  check_pop (&queue, NULL);
  for (int i = 0; i < 3; i++)
    odl_frame_queue_push (&queue, frames[i]);
  // The oldest gave way.
  check_pop (&queue, frames[1]);
  check_pop (&queue, frames[2]);
  check_pop (&queue, NULL);

  odl_frame_queue_push (&queue, frames[3]);
  odl_frame_queue_push (&queue, frames[4]);
  OdlFrame *anew = frame_new (4);
  odl_frame_queue_push (&queue, anew);
  check_pop (&queue, frames[3]);
  check_pop (&queue, anew);
  check_pop (&queue, NULL);

  odl_frame_queue_push (&queue, frames[5]);
  frames[6]->asked = true;
  odl_frame_queue_push (&queue, frames[6]);
  check_pop (&queue, frames[6]);
  check_pop (&queue, NULL);

  odl_frame_queue_push (&queue, frame_new (100));
  frames[7]->source_serial = 2;
  odl_frame_queue_push (&queue, frames[7]);
  g_assert_cmpint (queue.n, ==, 1);
  odl_frame_queue_clear (&queue);
  check_pop (&queue, NULL);
}

static void
refused_cb (OdlFrame *frame, const GError *error, void *data)
{
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  ++*(int *) data;
}

static void
test_without_a_thread (void)
{
  int refused = 0;
  g_autoptr (OdlRenderer) renderer = odl_renderer_new (refused_cb, &refused);

  g_setenv ("ODL_FAULT", "thread/new", TRUE);
  odl_renderer_request (renderer, frame_new (1), false);
  g_unsetenv ("ODL_FAULT");
  while (refused == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
ready_cb (OdlSession *session, GArray *seen)
{
  g_array_append_val (seen, odl_session_frame (session)->arrival);
}

static void
run_what_waits (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
check_seen (GArray *seen, guint n, const guint64 arrivals[])
{
  g_assert_cmpuint (seen->len, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (g_array_index (seen, guint64, i), ==, arrivals[i]);
}

static void
paint (OdlSession *session)
{
  odl_session_painted (session, odl_session_frame (session));
  run_what_waits ();
}

// A session that plays, as far as frames can tell.
static OdlSession *
play (GArray *seen)
{
  OdlSession *session = odl_session_new ();

  g_signal_connect (session, "frame-ready", G_CALLBACK (ready_cb), seen);
  session->playing = true;
  session->source_serial = 1;
  odl_session_publish (session, frame_new (1));
  paint (session);
  g_array_set_size (seen, 0);
  return session;
}

static void
test_canvas (void)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (OdlSession) session = play (seen);

  // Two come before the canvas has its turn: both are painted.
  odl_session_publish (session, frame_new (2));
  odl_session_publish (session, frame_new (3));
  run_what_waits ();
  check_seen (seen, 1, (guint64[]){ 2 });
  paint (session);
  check_seen (seen, 2, (guint64[]){ 2, 3 });
  paint (session);
  g_assert_cmpuint (session->n_unseen, ==, 0);

  // Three: the first is not seen, and that is counted.
  for (guint64 i = 4; i <= 6; i++)
    odl_session_publish (session, frame_new (i));
  check_seen (seen, 4, (guint64[]){ 2, 3, 4, 5 });
  paint (session);
  paint (session);
  check_seen (seen, 5, (guint64[]){ 2, 3, 4, 5, 6 });
  g_assert_cmpuint (session->n_unseen, ==, 1);
}

static void
test_at_once (void)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (OdlSession) session = play (seen);

  // The waiting picture, computed anew, is still the one that waits.
  odl_session_publish (session, frame_new (2));
  odl_session_publish (session, frame_new (3));
  OdlFrame *anew = frame_new (3);
  odl_session_publish (session, anew);
  check_seen (seen, 1, (guint64[]){ 2 });
  paint (session);
  g_assert_true (odl_session_frame (session) == anew);
  paint (session);

  // Frames after a seek bypass pacing, and nothing that is older follows.
  odl_session_publish (session, frame_new (4));
  odl_session_publish (session, frame_new (5));
  OdlFrame *asked = frame_new (6);
  asked->asked = true;
  odl_session_publish (session, asked);
  g_assert_true (odl_session_frame (session) == asked);
  paint (session);
  g_assert_true (odl_session_frame (session) == asked);

  // A pause shows the latest.
  odl_session_publish (session, frame_new (7));
  odl_session_publish (session, frame_new (8));
  odl_session_set_playing (session, false);
  g_assert_cmpuint (odl_session_frame (session)->arrival, ==, 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frames/a-queue-keeps-the-latest-two-in-order", test_queue);
  g_test_add_func ("/frames/a-frame-waits-until-the-one-before-is-painted", test_canvas);
  g_test_add_func ("/frames/without-a-thread-the-renderer-says-so",
                   test_without_a_thread);
  g_test_add_func ("/frames/what-is-wanted-at-once-does-not-wait", test_at_once);
  return g_test_run ();
}
