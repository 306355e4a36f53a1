// SPDX-License-Identifier: MIT
// The session on real sources: the phantom, and files that are none.
#include <glib/gstdio.h>
#include <string.h>

#include "../../helpers/bar.h"
#include "../../helpers/folder.h"
#include "base/error.h"
#include "engine/choice_cache.h"
#include "settle.h"

// Closing a session in the middle of a measurement.
#define CLOSE_US (3 * G_USEC_PER_SEC)

typedef struct {
  int opened;
  int failed;
  int frames;
  GError *error;
} Heard;

static void
opened_cb (OdlSession *session, Heard *heard)
{
  heard->opened++;
}

static void
failed_cb (OdlSession *session, const char *location, const GError *error, Heard *heard)
{
  heard->failed++;
  g_clear_error (&heard->error);
  heard->error = g_error_copy (error);
}

static void
frame_cb (OdlSession *session, Heard *heard)
{
  heard->frames++;
}

static OdlSession *
listen (Heard *heard)
{
  OdlSession *session = odl_session_new ();
  g_signal_connect (session, "opened", G_CALLBACK (opened_cb), heard);
  g_signal_connect (session, "open-failed", G_CALLBACK (failed_cb), heard);
  g_signal_connect (session, "frame-ready", G_CALLBACK (frame_cb), heard);
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  return session;
}

// Runs the main context until *number reaches `wanted`.
static void
wait_for (const int *number, int wanted)
{
  int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (*number < wanted && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpint (*number, >=, wanted);
}

static void
let_pass (int milliseconds)
{
  int64_t end = g_get_monotonic_time () + milliseconds * 1000;
  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static void
finish (OdlSession *session, Heard *heard)
{
  g_clear_error (&heard->error);
  g_assert_finalize_object (session);
}

static void
test_starts_unprocessed (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_open (session, "phantom:64x64", NULL);
  g_assert_cmpstr (odl_session_opening (session), ==, "phantom:64x64");
  wait_for (&heard.frames, 1);
  OdlFrame *frame = odl_session_frame (session);
  g_assert_nonnull (frame->result);
  g_assert_nonnull (frame->original);
  g_assert_true (odl_recipe_is_identity (&frame->recipe));
  g_assert_null (odl_session_opening (session));
  g_assert_true (odl_playback_is_moving (odl_session_playback (session)));
  finish (session, &heard);
}

static void
test_recipe_changes_picture (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_open (session, "phantom:64x64", NULL);
  wait_for (&heard.frames, 1);
  odl_session_set_playing (session, false);
  settle (session);
  int before = heard.frames;
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "gaussian:sigma=2", NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  wait_for (&heard.frames, before + 1);
  OdlFrame *frame = odl_session_frame (session);
  g_assert_true (odl_recipe_equal (&frame->recipe, &recipe));
  double difference = 0;
  for (int y = 0; y < 64; y++) {
    float original[64], result[64];
    odl_image_scaled_row (frame->original, 0, y, 0, 0, original);
    odl_image_scaled_row (frame->result, 0, y, 0, 0, result);
    for (int x = 0; x < 64; x++)
      difference += ABS (original[x] - result[x]);
  }
  g_assert_cmpfloat (difference, >, 1);
  finish (session, &heard);
}

static void
test_last_open_wins (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_open (session, "phantom:512x512,seed=1", NULL);
  odl_session_open (session, "phantom:256x256,seed=2", NULL);
  odl_session_open (session, "phantom:40x30,seed=3", NULL);
  wait_for (&heard.opened, 1);
  wait_for (&heard.frames, 1);
  let_pass (400);
  g_assert_cmpint (heard.opened, ==, 1);
  g_assert_cmpint (heard.failed, ==, 0);
  g_assert_cmpstr (odl_session_info (session)->location, ==, "phantom:40x30,seed=3");
  g_assert_cmpint (odl_session_frame (session)->plan->geometry.width, ==, 40);
  finish (session, &heard);
}

static void
test_cancel (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_open (session, "phantom:1024x1024", NULL);
  odl_session_cancel_open (session);
  g_assert_null (odl_session_opening (session));
  let_pass (600);
  g_assert_cmpint (heard.opened + heard.failed + heard.frames, ==, 0);
  finish (session, &heard);
}

static void
test_previous_stays (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_open (session, "phantom:64x64", NULL);
  wait_for (&heard.frames, 1);
  odl_session_open (session, "/nonexistent/picture.png", NULL);
  wait_for (&heard.failed, 1);
  g_assert_nonnull (strstr (heard.error->message, "picture.png"));
  g_assert_cmpstr (odl_session_info (session)->location, ==, "phantom:64x64");
  g_assert_nonnull (odl_session_frame (session));
  g_assert_null (odl_session_opening (session));
  int before = heard.frames;
  wait_for (&heard.frames, before + 2); // it even goes on playing
  finish (session, &heard);
}

static void
test_filter_is_not_kept (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "gaussian", NULL));
  odl_session_open (session, "phantom:64x64", &recipe);
  wait_for (&heard.opened, 1);
  g_assert_true (odl_recipe_equal (odl_session_recipe (session), &recipe));
  odl_session_open (session, "phantom:64x64,seed=2", NULL);
  wait_for (&heard.opened, 2);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (session)));
  g_assert_false (odl_history_can_undo (odl_session_history (session)));

  odl_session_set_recipe (session, &recipe, NULL);
  odl_session_set_keep_recipe (session, true);
  odl_session_open (session, "phantom:64x64,seed=3", NULL);
  wait_for (&heard.opened, 3);
  g_assert_true (odl_recipe_equal (odl_session_recipe (session), &recipe));
  finish (session, &heard);
}

static void
test_quit_while_decoding (void)
{
  for (int i = 0; i < 5; i++) {
    Heard heard = { 0 };
    OdlSession *session = listen (&heard);
    odl_session_open (session, i % 2 ? "phantom:512x512" : "/nonexistent", NULL);
    if (i > 2)
      let_pass (30 * i);
    finish (session, &heard);
    let_pass (50);
  }
}

static void
test_view_needs_wavelet (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "soft-threshold view=analysis", NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  g_assert_cmpint (odl_session_recipe (session)->view, ==, ODL_VIEW_ANALYSIS);
  recipe.n_items = 0;
  odl_session_set_recipe (session, &recipe, NULL);
  g_assert_cmpint (odl_session_recipe (session)->view, ==, ODL_VIEW_SYNTHESIS);
  finish (session, &heard);
}

static void
test_failed_engine_gives_way (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_set_canvas (session, ODL_GL_HARDWARE, 4096, true);
  odl_session_open (session, "phantom:64x64", NULL);
  wait_for (&heard.frames, 1);
  odl_session_set_playing (session, false);
  g_assert_cmpstr (odl_session_frame (session)->engine->name, ==, "gl-fragment");
  g_assert_null (odl_session_frame (session)->result); // the canvas would compute it
  g_autoptr (GError) error
      = g_error_new_literal (ODL_ERROR, ODL_ERROR_GPU, "the shader did not compile");
  int before = heard.frames;
  OdlEngineChoice failed = { odl_engine_find ("gl-fragment"), NULL };
  odl_session_engine_failed (session, failed, error);
  wait_for (&heard.frames, before + 1);
  g_assert_cmpstr (odl_session_frame (session)->engine->name, ==, "cpu");
  // The canvas painted its last frame once more meanwhile: that is no failure of the cpu.
  odl_session_engine_failed (session, failed, error);
  for (int i = 0; i < 20; i++) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (10000);
  }
  g_assert_cmpstr (odl_session_frame (session)->engine->name, ==, "cpu");
  g_assert_nonnull (odl_session_frame (session)->result);
  finish (session, &heard);
}

static void
set_recipe (OdlSession *session, Heard *heard, const char *text)
{
  int before = heard->frames;
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  wait_for (&heard->frames, before + 1);
}

static void
message_cb (OdlSession *session, const char *text, char **last)
{
  g_free (*last);
  *last = g_strdup (text);
}

static OdlSession *
open_still (Heard *heard, OdlGlLevel level, const char *engine)
{
  OdlSession *session = listen (heard);
  odl_session_set_canvas (session, level, 4096, true);
  odl_session_set_engine (session, engine);
  odl_session_open (session, "phantom:64x64", NULL);
  wait_for (&heard->frames, 1);
  odl_session_set_playing (session, false);
  settle (session);
  return session;
}

static double
threshold_of (OdlSession *session)
{
  return odl_recipe_get (odl_session_recipe (session), 0, "thresholds", 0);
}

// What waits for a picture is measured in the one that is here, as one step of the
// history, and stays what it is; what is asked for anew is measured anew.
static void
test_thresholds_are_measured (void)
{
  Heard heard = { 0 };
  OdlSession *session = open_still (&heard, ODL_GL_NONE, "cpu");
  set_recipe (session, &heard, "shrinkage");
  const double found = threshold_of (session);
  g_assert_cmpfloat (found, >, 0.001);
  g_autofree char *text = NULL;
  g_object_get (session, "recipe", &text, NULL);
  // Along z they follow those until they are set.
  g_assert_null (strstr (text, ",thresholds=auto"));
  g_assert_true (odl_recipe_equal (&odl_session_frame (session)->recipe,
                                   odl_session_recipe (session)));

  OdlRecipe moved = *odl_session_recipe (session);
  odl_recipe_set (&moved, 0, "thresholds", 0, 0.5);
  odl_session_set_recipe (session, &moved, NULL);
  odl_recipe_set (&moved, 0, "thresholds", 0, ODL_VALUE_AUTO);
  odl_session_set_recipe (session, &moved, NULL);
  g_assert_cmpfloat (threshold_of (session), ==, found);
  odl_session_undo (session);
  g_assert_cmpfloat (threshold_of (session), ==, 0.5);
  odl_session_undo (session);
  g_assert_cmpfloat (threshold_of (session), ==, found);
  odl_session_undo (session);
  g_assert_false (odl_history_can_undo (odl_session_history (session)));

  // The next source with a recipe that waits, and with one that was kept.
  odl_recipe_init (&moved);
  g_assert_true (odl_recipe_parse (&moved, "shrinkage", NULL));
  int before = heard.opened;
  odl_session_open (session, "phantom:64x64,clean", &moved);
  wait_for (&heard.opened, before + 1);
  const double clean = threshold_of (session);
  g_assert_cmpfloat (clean, >=, 0);
  g_assert_cmpfloat (clean, <, found / 2);
  odl_session_set_keep_recipe (session, true);
  before = heard.opened;
  odl_session_open (session, "phantom:64x64", NULL);
  wait_for (&heard.opened, before + 1);
  g_assert_cmpfloat (threshold_of (session), ==, clean);
  finish (session, &heard);
}

static void
assert_engine (OdlSession *session, const char *expected)
{
  OdlFrame *frame = odl_session_frame (session);
  g_autofree char *text
      = odl_engine_choice_to_text ((OdlEngineChoice){ frame->engine, frame->variant });
  g_assert_cmpstr (text, ==, expected);
}

static void
test_plan_decides (void)
{
  Heard heard = { 0 };
  g_autofree char *message = NULL;
  OdlSession *session = open_still (&heard, ODL_GL_HARDWARE, "gl-lookup");
  g_signal_connect (session, "message", G_CALLBACK (message_cb), &message);
  assert_engine (session, "gl-lookup");
  g_assert_null (odl_session_fallback_reason (session));
  set_recipe (session, &heard, "soft-threshold:wavelet=int53,levels=2");
  g_assert_cmpstr (odl_session_frame (session)->engine->name, !=, "gl-lookup");
  g_assert_nonnull (strstr (odl_session_fallback_reason (session), "gl-lookup"));
  g_assert_nonnull (strstr (message, "gl-lookup"));
  g_assert_cmpstr (odl_session_engine (session), ==, "gl-lookup");
  // Told once, not for every frame.
  g_clear_pointer (&message, g_free);
  set_recipe (session, &heard, "soft-threshold:wavelet=int53,levels=2,threshold=0.2");
  g_assert_null (message);
  set_recipe (session, &heard, "soft-threshold:wavelet=cdf97,levels=2");
  assert_engine (session, "gl-lookup");
  g_assert_null (odl_session_fallback_reason (session));
  g_signal_handlers_disconnect_by_data (session, &message);
  finish (session, &heard);
}

static void
test_memory_may_come_back (void)
{
  Heard heard = { 0 };
  OdlSession *session = open_still (&heard, ODL_GL_HARDWARE, "gl-fragment");
  OdlEngineChoice failed = { odl_engine_find ("gl-fragment"), NULL };
  g_autoptr (GError) error
      = g_error_new_literal (ODL_ERROR, ODL_ERROR_TOO_LARGE, "no memory");
  set_recipe (session, &heard, "soft-threshold:levels=2");
  assert_engine (session, "gl-fragment");
  int before = heard.frames;
  odl_session_engine_failed (session, failed, error);
  wait_for (&heard.frames, before + 1);
  assert_engine (session, "cpu");
  g_assert_cmpstr (odl_session_fallback_reason (session), ==, "no memory");
  set_recipe (session, &heard, "soft-threshold:levels=2,threshold=0.3");
  assert_engine (session, "cpu");
  set_recipe (session, &heard, "soft-threshold:levels=1");
  assert_engine (session, "gl-fragment");
  finish (session, &heard);
}

static void
test_missing_instructions (void)
{
  const OdlEngineVariant *variant = odl_engine_find ("cpu")->variants;
  OdlEngineChoice choice = { odl_engine_find ("cpu"), NULL };
  for (; variant->name; variant++) {
    choice.variant = variant->name;
    OdlEngine *engine = odl_engine_open_choice (choice, NULL);
    if (!engine)
      break;
    odl_engine_close (engine);
  }
  if (!variant->name) {
    g_test_skip ("this machine has every instruction set");
    return;
  }
  Heard heard = { 0 };
  g_autofree char *name = odl_engine_choice_to_text (choice);
  OdlSession *session = open_still (&heard, ODL_GL_NONE, name);
  assert_engine (session, "cpu");
  g_assert_nonnull (odl_session_fallback_reason (session));
  finish (session, &heard);
}

static void
test_every_engine_broken (void)
{
  Heard heard = { 0 };
  g_autofree char *message = NULL;
  OdlSession *session = open_still (&heard, ODL_GL_NONE, "auto");
  g_signal_connect (session, "message", G_CALLBACK (message_cb), &message);
  OdlFrame *shown = odl_session_frame (session);
  g_setenv ("ODL_FAULT", "cpu/run,reference/prepare", TRUE);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "gaussian:sigma=2", NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while ((message == NULL || strstr (message, "reference failed: ") == NULL)
         && g_get_monotonic_time () < end)
    let_pass (1);
  g_unsetenv ("ODL_FAULT");
  // The last picture stays, and a sentence says why.
  g_assert_true (odl_session_frame (session) == shown);
  g_assert_nonnull (strstr (message, "reference failed: "));
  // Asking again tries again.
  int before = heard.frames;
  odl_session_set_engine (session, "cpu");
  wait_for (&heard.frames, before + 1);
  assert_engine (session, "cpu");
  g_signal_handlers_disconnect_by_data (session, &message);
  finish (session, &heard);
}

static void
changed_cb (OdlSession *session, int *changes)
{
  ++*changes;
}

static bool
is_measured (OdlSession *session, const char *name)
{
  const OdlRanking *ranking = odl_session_ranking (session);
  OdlEngineChoice choice = { odl_engine_find (name), NULL };
  return ranking && odl_ranking_find (ranking, choice)->state == ODL_CANDIDATE_MEASURED;
}

static void
test_measures_in_the_background (void)
{
  Heard heard = { 0 };
  int changes = 0;
  OdlSession *session = open_still (&heard, ODL_GL_NONE, "auto");
  g_signal_connect (session, "choice-changed", G_CALLBACK (changed_cb), &changes);
  g_assert_false (odl_session_measure_engines (session)); // nothing to measure by
  g_assert_null (odl_session_ranking (session));
  set_recipe (session, &heard, "soft-threshold:levels=2");
  g_assert_nonnull (odl_session_ranking (session));
  g_assert_true (odl_session_measure_engines (session));
  // On a busy machine it may have begun by itself, which ends with this one.
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while ((changes < 2 || odl_session_is_measuring (session)
          || odl_session_ranking (session)->measured_at == 0)
         && g_get_monotonic_time () < end)
    let_pass (1);
  g_assert_false (odl_session_is_measuring (session));
  g_assert_cmpint (odl_session_ranking (session)->measured_at, >, 0);
  g_assert_cmpint (changes, >=, 2);
  // Other Programs may keep it from being measured.
  g_test_message ("cpu measured: %d", is_measured (session, "cpu"));
  assert_engine (session, "cpu");
  g_autofree char *cache = odl_choice_cache_path ();
  g_assert_true (g_file_test (cache, G_FILE_TEST_EXISTS));
  // Closing in the middle of a measurement is quick.
  g_assert_true (odl_session_measure_engines (session));
  let_pass (20);
  int64_t begin = g_get_monotonic_time ();
  finish (session, &heard);
  odl_test_took ("closing a session that measures", g_get_monotonic_time () - begin,
                 CLOSE_US);
}

static void
test_forced_engines_are_not_measured (void)
{
  Heard heard = { 0 };
  int changes = 0;
  OdlSession *session = open_still (&heard, ODL_GL_NONE, "cpu:scalar");
  g_signal_connect (session, "choice-changed", G_CALLBACK (changed_cb), &changes);
  set_recipe (session, &heard, "soft-threshold:levels=2");
  let_pass (1000);
  g_assert_cmpint (changes, ==, 0);
  assert_engine (session, "cpu:scalar");
  finish (session, &heard);
}

static void
test_texture_limit (void)
{
  Heard heard = { 0 };
  OdlSession *session = listen (&heard);
  odl_session_set_canvas (session, ODL_GL_HARDWARE, 63, true);
  odl_session_open (session, "phantom:64x64", NULL);
  wait_for (&heard.frames, 1);
  g_assert_cmpstr (odl_session_frame (session)->engine->name, ==, "cpu");
  finish (session, &heard);
}

int
main (int argc, char **argv)
{
  // Not what other programs measured: which engine is next would depend on it. GLib's own
  // folders for each test leak their names.
  char *folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/a-new-picture-starts-unprocessed", test_starts_unprocessed);
  g_test_add_func ("/session/a-recipe-changes-the-picture", test_recipe_changes_picture);
  g_test_add_func ("/session/the-last-open-wins", test_last_open_wins);
  g_test_add_func ("/session/opening-can-be-cancelled", test_cancel);
  g_test_add_func ("/session/a-failed-open-keeps-the-previous-picture",
                   test_previous_stays);
  g_test_add_func ("/session/a-filter-is-not-kept-unless-asked", test_filter_is_not_kept);
  g_test_add_func ("/session/it-can-end-while-decoding", test_quit_while_decoding);
  g_test_add_func ("/session/thresholds-are-measured", test_thresholds_are_measured);
  g_test_add_func ("/session/an-analysis-view-needs-a-wavelet", test_view_needs_wavelet);
  g_test_add_func ("/session/a-failed-engine-gives-way", test_failed_engine_gives_way);
  g_test_add_func ("/session/the-plan-decides-and-the-chosen-engine-comes-back",
                   test_plan_decides);
  g_test_add_func ("/session/memory-may-come-back", test_memory_may_come_back);
  g_test_add_func ("/session/missing-instructions-mean-other-instructions",
                   test_missing_instructions);
  g_test_add_func ("/session/with-every-engine-broken-the-picture-stays",
                   test_every_engine_broken);
  g_test_add_func ("/session/engines-are-measured-in-the-background",
                   test_measures_in_the_background);
  g_test_add_func ("/session/forced-engines-are-not-measured",
                   test_forced_engines_are_not_measured);
  g_test_add_func ("/session/beyond-the-texture-limit-the-cpu-computes",
                   test_texture_limit);
  return odl_test_run_in (folder);
}
