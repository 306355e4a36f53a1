// SPDX-License-Identifier: MIT
// Filters that take long: the picture as it came is shown meanwhile, never one of another
// source, and they can be given up.
#include "session/computing.h"

#include "settle.h"

#define LARGE "phantom:1500x1500"
#define OTHER "phantom:700x500"
#define SLOW "non-local-means:search=21,patch=7 non-local-means:search=21,patch=7"

// Frames that were shown in the place of the source, and those among them of another.
typedef struct {
  int originals, strangers;
} Seen;

static void
frame_cb (OdlSession *session, Seen *seen)
{
  const OdlFrame *frame = odl_session_frame (session);

  seen->originals += odl_recipe_is_identity (&frame->recipe);
  seen->strangers += frame->source_serial != session->source_serial
                     || odl_image_info (frame->input)->extent.x
                            != odl_image_info (session->image)->extent.x;
}

static bool
is_open (OdlSession *session)
{
  return odl_session_opening (session) == NULL;
}

static bool
shows_original (OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);

  return odl_session_is_computing (session) && frame
         && frame->source_serial == session->source_serial
         && odl_recipe_is_identity (&frame->recipe) && frame->result == frame->input;
}

static bool
is_done (OdlSession *session)
{
  return !odl_session_is_computing (session) && session_is_quiet (session);
}

static bool
is_under_way (OdlSession *session)
{
  OdlVolumeWork work;

  return odl_session_volume_work (session, &work) && work.done > 0 && work.done < 1;
}

static void
await (OdlSession *session, bool (*holds) (OdlSession *session))
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (!holds (session) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_true (holds (session));
}

static void
open_with (OdlSession *session, const char *location, const char *filters)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, NULL));
  odl_session_open (session, location, &recipe);
  await (session, is_open);
  odl_session_set_playing (session, false);
}

static void
test_original_meanwhile (void)
{
  OdlSession *session = odl_session_new ();
  Seen seen = { 0 };

  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  open_with (session, "phantom:64x64", "");
  await (session, is_done);
  g_signal_connect (session, "frame-ready", G_CALLBACK (frame_cb), &seen);
  open_with (session, LARGE, SLOW);
  await (session, shows_original);
  // Another source: what is at work ends, and nothing of it is shown.
  open_with (session, OTHER, SLOW);
  await (session, shows_original);
  await (session, is_under_way);
  g_assert_cmpint (seen.originals, >=, 2);
  g_assert_cmpint (seen.strangers, ==, 0);
  // Given up: no filters, in one step that can be undone.
  const guint before = odl_session_history (session)->position;
  odl_session_give_up_volume (session);
  g_assert_cmpuint (odl_session_history (session)->position, ==, before + 1);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (session)));
  await (session, is_done);
  g_assert_finalize_object (session);
}

static void
test_results_take_its_place (void)
{
  OdlSession *session = odl_session_new ();

  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  open_with (session, "phantom:32x32", "gaussian");
  await (session, is_done);
  g_assert_false (odl_recipe_is_identity (&odl_session_frame (session)->recipe));
  g_assert_false (odl_session_is_computing (session));
  g_assert_finalize_object (session);
}

// Single passes tell how far they are within themselves, and are given up there.
static void
test_progress_within (const void *filters)
{
  g_autoptr (OdlSession) session = odl_session_new ();

  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  open_with (session, LARGE, "");
  await (session, is_done);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  double last = 0;
  int steps = 0;
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  // More than the two passes that there are.
  while (steps < 6 && g_get_monotonic_time () < end) {
    OdlVolumeWork work;
    g_main_context_iteration (NULL, FALSE);
    if (!odl_session_volume_work (session, &work))
      continue;
    g_assert_cmpfloat (work.done, <=, 1);
    if (work.done < last) // it was begun anew
      steps = 0;
    steps += work.done > last;
    last = work.done;
  }
  g_assert_cmpint (steps, ==, 6);
  odl_session_undo (session);
  await (session, is_done);
  g_assert_true (odl_session_shows_result (session));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/computing/the-original-is-shown-meanwhile", test_original_meanwhile);
  g_test_add_func ("/computing/results-take-its-place", test_results_take_its_place);
  g_test_add_data_func ("/computing/bm3d-tells-how-far-it-is", "bm3d:sigma=0.1",
                        test_progress_within);
  return g_test_run ();
}
