// SPDX-License-Identifier: MIT
// Filters over time in the window's session: stepping forward is playing, everything else
// begins anew, and what is computed twice is the same.
#include <string.h>

#include "engine/takes.h"
#include "settle.h"
#include "source/source.h"

#define LOCATION "phantom:67x43,seed=5"
#define RECIPE "sliding-median:frames=3 persistence:level=5,threshold=0.02"
#define FRAMES 8

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

// The frames as an engine makes them that is given one after the other.
static void
make_truth (OdlImage *truth[FRAMES], int first)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (LOCATION, NULL, &error);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("cpu"), &error);
  OdlTakes takes = { 0 };
  OdlRecipe recipe;

  parse (&recipe, RECIPE);
  for (int i = 0; i < FRAMES; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, first + i, NULL, &error);
    g_assert_no_error (error);
    const OdlGeometry geometry = odl_geometry_of (image);
    g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
    engine->moment = odl_takes_next (&takes, image, i > 0, true);
    truth[i] = odl_engine_process (engine, plan, image, &error);
    g_assert_no_error (error);
  }
}

static void
drop_truth (OdlImage *truth[FRAMES])
{
  for (int i = 0; i < FRAMES; i++)
    odl_image_unref (truth[i]);
}

static OdlFrame *
seek (Fixture *fixture, int64_t index)
{
  const int before = fixture->frames;

  odl_session_seek (fixture->session, index);
  return wait_frame (fixture, before, index);
}

static OdlFrame *
step (Fixture *fixture, int64_t from, int frames)
{
  const int before = fixture->frames;

  odl_session_step (fixture->session, frames);
  return wait_frame (fixture, before, from + frames);
}

static void
test_steps_are_playing (void)
{
  Fixture fixture;
  OdlImage *truth[FRAMES];

  make_truth (truth, 30);
  setup (&fixture);
  assert_same (seek (&fixture, 30)->result, truth[0]);
  for (int i = 1; i < FRAMES; i++)
    assert_same (step (&fixture, 30 + i - 1, 1)->result, truth[i]);
  drop_truth (truth);
  g_assert_finalize_object (fixture.session);
}

static void
test_going_back_begins_anew (void)
{
  Fixture fixture;
  OdlImage *truth[FRAMES];

  make_truth (truth, 40);
  setup (&fixture);
  seek (&fixture, 38);
  step (&fixture, 38, 1);
  step (&fixture, 39, 1);
  step (&fixture, 40, 1);
  assert_same (step (&fixture, 41, -1)->result, truth[0]);
  assert_same (step (&fixture, 40, 1)->result, truth[1]);
  seek (&fixture, 10);
  assert_same (seek (&fixture, 40)->result, truth[0]);
  drop_truth (truth);
  g_assert_finalize_object (fixture.session);
}

// A slider that moves while the picture stands still, and comes back.
static void
test_sliders_do_not_move_time (void)
{
  Fixture fixture;
  OdlImage *truth[FRAMES];
  OdlRecipe recipe, moved;

  parse (&recipe, RECIPE);
  parse (&moved, "sliding-median:frames=3 persistence:level=1,threshold=0.1");
  make_truth (truth, 30);
  setup (&fixture);
  seek (&fixture, 30);
  step (&fixture, 30, 1);
  for (int i = 2; i < FRAMES; i++) {
    step (&fixture, 30 + i - 1, 1);
    for (int turn = 0; turn < 3; turn++) {
      const int before = fixture.frames;
      odl_session_set_recipe (fixture.session, turn % 2 == 0 ? &moved : &recipe, NULL);
      wait_frame (&fixture, before, 30 + i);
    }
    const int before = fixture.frames;
    odl_session_set_recipe (fixture.session, &recipe, NULL);
    assert_same (wait_frame (&fixture, before, 30 + i)->result, truth[i]);
  }
  drop_truth (truth);
  g_assert_finalize_object (fixture.session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/time/steps-forward-are-playing", test_steps_are_playing);
  g_test_add_func ("/session/time/going-back-begins-anew", test_going_back_begins_anew);
  g_test_add_func ("/session/time/sliders-do-not-move-time",
                   test_sliders_do_not_move_time);
  return g_test_run ();
}
