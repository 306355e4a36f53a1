// SPDX-License-Identifier: MIT
// Filters that take long: the picture as it came is shown meanwhile, never one of another
// source, and they can be given up.
#include "session/computing.h"

#include "engine/choice_cache.h"
#include "engine/gl/platform/headless.h"
#include "folder.h"
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

// Keeps that a frame of gl-compute takes `ms` with the plan of `session`.
static void
keep_time (OdlSession *session, const char *gpu, double ms)
{
  g_autofree char *path = odl_choice_cache_path ();
  g_autofree char *key = odl_choice_key (session->plan, ODL_TARGET_GL_CANVAS, gpu);
  g_autoptr (OdlRanking) ranking = odl_ranking_new (key);
  const OdlEngineChoice choice = { .klass = odl_engine_find ("gl-compute") };
  OdlCandidate *candidate = odl_ranking_find (ranking, choice);

  odl_ranking_set_measured (ranking, (int) (candidate - ranking->candidates), ms);
  ranking->measured_at = 1;
  g_assert_true (odl_choice_cache_save (path, ranking, NULL));
}

// What gl-compute shows of a picture where its frames take `ms`; new reference.
static OdlFrame *
show_on_card (const char *gpu, double ms)
{
  g_autoptr (OdlSession) session = odl_session_new ();

  odl_session_set_gpu (session, gpu);
  odl_session_set_canvas (session, ODL_GL_SOFTWARE, 4096, true);
  odl_session_set_engine (session, "cpu");
  open_with (session, OTHER, "gaussian");
  await (session, is_done);
  keep_time (session, gpu, ms);
  // The times are read when the plan is met anew.
  g_clear_object (&session);
  session = odl_session_new ();
  odl_session_set_gpu (session, gpu);
  odl_session_set_canvas (session, ODL_GL_SOFTWARE, 4096, true);
  odl_session_set_engine (session, "gl-compute");
  open_with (session, OTHER, "gaussian");
  await (session, is_done);
  return odl_frame_ref (odl_session_frame (session));
}

// The canvas can neither paint nor answer while it runs an engine.
static void
test_slow_on_card (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);

  if (!headless) {
    g_test_skip (error->message);
    return;
  }
  g_autofree char *gpu = g_strdup (odl_gl_headless_gpu (headless));
  g_clear_pointer (&headless, odl_gl_headless_free);
  OdlFrame *fast = show_on_card (gpu, 20);
  g_assert_cmpstr (fast->engine->name, ==, "gl-compute");
  g_assert_true (odl_frame_is_for_canvas (fast));
  g_assert_null (fast->result);
  OdlFrame *slow = show_on_card (gpu, 400);
  g_assert_cmpstr (slow->engine->name, ==, "gl-compute");
  g_assert_false (odl_frame_is_for_canvas (slow));
  g_assert_nonnull (slow->result);
  g_assert_nonnull (slow->renderer);
  g_assert_true (odl_recipe_equal (&slow->recipe, &fast->recipe));
  odl_frame_unref (fast);
  odl_frame_unref (slow);
}

int
main (int argc, char **argv)
{
  // Not what other programs measured. GLib's own folders for each test leak their names.
  char *folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/computing/the-original-is-shown-meanwhile", test_original_meanwhile);
  g_test_add_func ("/computing/results-take-its-place", test_results_take_its_place);
  g_test_add_data_func ("/computing/bm3d-tells-how-far-it-is", "bm3d:sigma=0.1",
                        test_progress_within);
  g_test_add_func ("/computing/slow-on-the-card-is-not-the-canvas-s", test_slow_on_card);
  return odl_test_run_in (folder);
}
