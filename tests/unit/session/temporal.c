// SPDX-License-Identifier: MIT
// Filters over time in the window's session: a picture that rests has had its lead-in,
// wherever somebody came from; until then, and while it plays without one, it says so.
#include <string.h>

#include "engine/takes.h"
#include "settle.h"
#include "source/source.h"

#define LOCATION "phantom:67x43,seed=5"
#define RECIPE "sliding-median:frames=3 persistence:level=5,threshold=0.02"
#define LEAD_IN 37 // of RECIPE: 2 of the median, 35 of (5 / 6)ⁿ < 0.5 / 255

typedef struct {
  OdlSession *session;
  int frames;
} Fixture;

static void
frame_cb (OdlSession *session, Fixture *fixture)
{
  fixture->frames++;
}

static void
parse (OdlRecipe *recipe, const char *text)
{
  odl_recipe_init (recipe);
  g_assert_true (odl_recipe_parse (recipe, text, NULL));
}

static void
pump (int64_t until_us)
{
  while (g_get_monotonic_time () < until_us)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

// Waits for a frame of that number that was computed after `before` others.
static OdlFrame *
wait_frame (Fixture *fixture, int before, int64_t index)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  OdlFrame *frame;

  do {
    pump (g_get_monotonic_time () + 1000);
    frame = odl_session_frame (fixture->session);
  } while ((fixture->frames <= before || frame->index != index)
           && g_get_monotonic_time () < end);
  g_assert_cmpint (fixture->frames, >, before);
  g_assert_cmpint (frame->index, ==, index);
  return frame;
}

static void
setup (Fixture *fixture)
{
  OdlRecipe recipe;

  parse (&recipe, RECIPE);
  *fixture = (Fixture){ .session = odl_session_new () };
  g_signal_connect (fixture->session, "frame-ready", G_CALLBACK (frame_cb), fixture);
  odl_session_set_canvas (fixture->session, ODL_GL_NONE, 0, true);
  odl_session_set_engine (fixture->session, "cpu");
  odl_session_open (fixture->session, LOCATION, &recipe);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (fixture->frames < 1 && g_get_monotonic_time () < end)
    pump (g_get_monotonic_time () + 1000);
  odl_session_set_playing (fixture->session, false);
  settle (fixture->session);
}

static void
assert_same (const OdlImage *a, const OdlImage *b)
{
  const OdlExtent extent = odl_image_info (a)->extent;
  g_autofree float *x = g_new (float, extent.x);
  g_autofree float *y = g_new (float, extent.x);

  for (int row = 0; row < extent.y; row++) {
    odl_image_scaled_row (a, 0, row, 0, 0, x);
    odl_image_scaled_row (b, 0, row, 0, 0, y);
    g_assert_cmpmem (x, extent.x * sizeof *x, y, extent.x * sizeof *y);
  }
}

// The frame as an engine makes it that is given its lead-in, and nothing before.
static OdlImage *
make_truth (int index, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (LOCATION, NULL, &error);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("cpu"), &error);
  OdlTakes takes = { 0 };
  OdlRecipe recipe;
  OdlImage *result = NULL;

  parse (&recipe, text);
  g_autoptr (OdlImage) like = odl_source_read_frame (source, index, NULL, &error);
  const OdlGeometry shape = odl_geometry_of (like);
  const int lead_in = index - (int) odl_lead_in_begin (&recipe, &shape, index);

  for (int i = index - lead_in; i <= index; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    g_assert_no_error (error);
    const OdlGeometry geometry = odl_geometry_of (image);
    g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
    engine->moment = odl_takes_next (&takes, image, i > index - lead_in, true);
    odl_image_unref (result);
    result = odl_engine_process (engine, plan, image, &error);
    g_assert_no_error (error);
  }
  return result;
}

// What rests on the canvas is the frame with its lead-in, and says nothing else.
static void
assert_rests (Fixture *fixture, int index, const char *recipe)
{
  settle (fixture->session);
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_cmpint (frame->index, ==, index);
  g_assert_cmpint (frame->past, ==, ODL_PAST_KNOWN);
  g_autoptr (OdlImage) truth = make_truth (index, recipe);
  g_test_message ("frame %d, %s", index, recipe);
  assert_same (frame->result, truth);
}

static OdlFrame *
seek (Fixture *fixture, int64_t index)
{
  const int before = fixture->frames;

  odl_playback_seek (odl_session_playback (fixture->session), index);
  return wait_frame (fixture, before, index);
}

static OdlFrame *
step (Fixture *fixture, int64_t from, int frames)
{
  const int before = fixture->frames;

  odl_playback_step (odl_session_playback (fixture->session), frames);
  return wait_frame (fixture, before, from + frames);
}

static void
set_recipe (Fixture *fixture, const char *text)
{
  OdlRecipe recipe;

  parse (&recipe, text);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
}

static void
test_number_of_frames (void)
{
  static const struct {
    const char *recipe;
    OdlGeometry geometry;
    int frames;
  } cases[] = {
    { "gaussian", { 8, 8, 1, 8, .steps = 255 }, 0 },
    { "sliding-mean:frames=5", { 8, 8, 1, 8, .steps = 255 }, 4 },
    { "sliding-mean:frames=5 sliding-median:frames=3", { 8, 8, 1, 8, .steps = 255 }, 6 },
    { "recursive-average:weight=0.5", { 8, 8, 1, 8, .steps = 255 }, 9 }, // 2⁻⁹ < 1 / 510
    { "recursive-average:weight=0.5", { 8, 8, 1, 16, .steps = 4095 }, 13 },
    { "recursive-average:weight=0.5", { 8, 8, 3, 8 }, 9 },
    { "recursive-average:weight=0.5", { 8, 8, 1, 32 }, 17 },
    { "recursive-average:weight=1", { 8, 8, 1, 8, .steps = 255 }, 0 },
    { "persistence:level=1", { 8, 8, 1, 8, .steps = 255 }, 9 },
    { "persistence:level=0", { 8, 8, 1, 8, .steps = 255 }, 0 },
    // Each may leave a quarter of a level: 2⁻¹⁰ < 1 / 1020.
    { "recursive-average:weight=0.5 persistence:level=1 sliding-mean:frames=3",
      { 8, 8, 1, 8, .steps = 255 },
      22 },
    { RECIPE, { 8, 8, 1, 8, .steps = 255 }, LEAD_IN },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlRecipe recipe;
    parse (&recipe, cases[i].recipe);
    g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &cases[i].geometry, NULL);
    g_assert_cmpint (odl_plan_lead_in (plan), ==, cases[i].frames);
    g_assert_cmpint (odl_lead_in_begin (&recipe, &cases[i].geometry, 7), ==,
                     MAX (7 - cases[i].frames, 0));
  }
}

static void
test_what_rests_had_its_lead_in (void)
{
  Fixture fixture;

  setup (&fixture);
  assert_rests (&fixture,
                (int) odl_playback_position (odl_session_playback (fixture.session)),
                RECIPE);
  seek (&fixture, 60);
  assert_rests (&fixture, 60, RECIPE);
  step (&fixture, 60, 1);
  assert_rests (&fixture, 61, RECIPE);
  step (&fixture, 61, -1);
  assert_rests (&fixture, 60, RECIPE);
  step (&fixture, 60, 3);
  assert_rests (&fixture, 63, RECIPE);
  seek (&fixture, 5);
  assert_rests (&fixture, 5, RECIPE);
  seek (&fixture, 0);
  assert_rests (&fixture, 0, RECIPE);
  g_assert_finalize_object (fixture.session);
}

// A slider that moves while the picture stands still, a filter more, one less.
static void
test_another_recipe_has_its_own (void)
{
  static const char *const recipes[]
      = { "sliding-median:frames=3 persistence:level=1,threshold=0.1", RECIPE,
          "sliding-median:frames=7", "gaussian",
          "recursive-average:weight=0.1 gaussian" };
  Fixture fixture;

  setup (&fixture);
  seek (&fixture, 60);
  for (size_t i = 0; i < G_N_ELEMENTS (recipes); i++) {
    set_recipe (&fixture, recipes[i]);
    assert_rests (&fixture, 60, recipes[i]);
  }
  g_assert_finalize_object (fixture.session);
}

static void
test_it_says_so_until_then (void)
{
  Fixture fixture;

  setup (&fixture);
  g_assert_cmpint (seek (&fixture, 60)->past, ==, ODL_PAST_COMING);
  g_assert_true (odl_session_leads_in (fixture.session));
  assert_rests (&fixture, 60, RECIPE);
  // The next one has enough before it, and is run anew only for its last bits.
  g_assert_cmpint (step (&fixture, 60, 1)->past, ==, ODL_PAST_KNOWN);
  assert_rests (&fixture, 61, RECIPE);
  g_assert_cmpint (step (&fixture, 61, -1)->past, ==, ODL_PAST_COMING);
  assert_rests (&fixture, 60, RECIPE);
  const int before = fixture.frames;
  set_recipe (&fixture, "sliding-mean:frames=7");
  g_assert_cmpint (wait_frame (&fixture, before, 60)->past, ==, ODL_PAST_COMING);
  settle (fixture.session);
  g_assert_cmpint (odl_session_frame (fixture.session)->past, ==, ODL_PAST_KNOWN);
  g_assert_finalize_object (fixture.session);
}

static void
test_what_is_newer_cancels_it (void)
{
  Fixture fixture;

  setup (&fixture);
  for (int turn = 0; turn < 5; turn++) {
    seek (&fixture, 60);
    pump (g_get_monotonic_time () + 15000 * turn);
    seek (&fixture, 50 + turn);
    pump (g_get_monotonic_time () + 15000 * turn);
    set_recipe (&fixture, "recursive-average:weight=0.03");
    pump (g_get_monotonic_time () + 15000 * turn);
    set_recipe (&fixture, RECIPE);
    assert_rests (&fixture, 50 + turn, RECIPE);
  }
  g_assert_finalize_object (fixture.session);
}

// Playing does not wait: the first frames after a seek say that they know too little.
static void
test_playing_has_none (void)
{
  Fixture fixture;
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  bool missing = false;

  setup (&fixture);
  seek (&fixture, 60);
  settle (fixture.session);
  odl_session_set_playing (fixture.session, true);
  const OdlFrame *frame = seek (&fixture, 90);
  while (frame->index < 91 + LEAD_IN && g_get_monotonic_time () < end) {
    g_assert_false (odl_session_leads_in (fixture.session));
    if (frame->index >= 90 && frame->index < 90 + LEAD_IN / 2) {
      g_assert_cmpint (frame->past, ==, ODL_PAST_MISSING);
      missing = true;
    }
    pump (g_get_monotonic_time () + 1000);
    frame = odl_session_frame (fixture.session);
  }
  g_assert_true (missing);
  while (odl_session_frame (fixture.session)->past != ODL_PAST_KNOWN
         && g_get_monotonic_time () < end)
    pump (g_get_monotonic_time () + 1000);
  odl_session_set_playing (fixture.session, false);
  settle (fixture.session);
  assert_rests (&fixture, (int) odl_session_frame (fixture.session)->index, RECIPE);
  g_assert_finalize_object (fixture.session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/time/lead-in-is-derived-from-parameters",
                   test_number_of_frames);
  g_test_add_func ("/session/time/what-rests-had-its-lead-in",
                   test_what_rests_had_its_lead_in);
  g_test_add_func ("/session/time/another-recipe-has-its-own",
                   test_another_recipe_has_its_own);
  g_test_add_func ("/session/time/it-says-so-until-then", test_it_says_so_until_then);
  g_test_add_func ("/session/time/what-is-newer-cancels-it",
                   test_what_is_newer_cancels_it);
  g_test_add_func ("/session/time/playing-has-none", test_playing_has_none);
  return g_test_run ();
}
