// SPDX-License-Identifier: MIT
// Gains of details in the real window: held while it plays, and the same in files that
// were asked for before they were measured.
#include "../support/numbered.h"
#include "../support/support.h"

#define FILTERS "shrinkage:levels=3,thresholds=0.02"
#define LEVELS 3

static OdlDetailReach
reach_of (Fixture *fixture)
{
  return odl_viewport_window (fixture->viewport).reach;
}

static bool
has_reach (Fixture *fixture, const void *data)
{
  return reach_of (fixture).levels > 0;
}

static bool
has_file (Fixture *fixture, const void *name)
{
  g_autofree char *path = path_in (fixture, name);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static bool
frame_reaches_elsewhere (Fixture *fixture, const void *data)
{
  const OdlDetailReach *held = data;
  OdlFrame *frame = odl_session_frame (fixture->session);
  g_autoptr (GError) error = NULL;
  OdlDetailReach reach;
  OdlRecipe measured;
  g_assert_true (odl_detail_reach_recipe (&frame->recipe, &measured));
  g_assert_true (
      odl_detail_reach_measure (&measured, frame->input, NULL, &reach, &error));
  return memcmp (&reach, held, sizeof reach) != 0;
}

static void
test_held (Fixture *fixture, const void *data)
{
  odl_main_window_open (fixture->window, "phantom:128x96", NULL);
  wait_for_frames (fixture, 1);
  set_filters (fixture, FILTERS " view=coefficients");
  wait_until (fixture, has_reach, NULL);
  const OdlDetailReach held = reach_of (fixture);
  odl_session_set_playing (fixture->session, true);
  wait_for_frames (fixture, 3);
  wait_until (fixture, frame_reaches_elsewhere, &held);
  wait_for_frames (fixture, 5);
  const OdlDetailReach later = reach_of (fixture);
  g_assert_cmpmem (&later, sizeof later, &held, sizeof held);
}

// The view is entered, and nothing of it is seen yet.
static void
enter (Fixture *fixture)
{
  odl_main_window_open (fixture->window, "phantom:128x96", NULL);
  wait_for_frames (fixture, 1);
  odl_session_set_playing (fixture->session, false);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, FILTERS);
  if (is_on (fixture, "show-corners"))
    activate_and_settle (fixture, "show-corners", NULL);
  g_assert_false (has_reach (fixture, NULL));
  OdlRecipe recipe = *recipe_of (fixture);
  recipe.view = ODL_VIEW_ANALYSIS;
  odl_session_set_recipe (fixture->session, &recipe, NULL);
}

// A file against the canvas, once that has its gains, which are not the usual ones.
static void
assert_is_shown (Fixture *fixture, const char *start, int number)
{
  wait_until (fixture, has_reach, NULL);
  settle (fixture);
  run_cycles (fixture, 3);
  const OdlDetailReach reach = reach_of (fixture);
  bool usual = true;
  for (int level = 1; level <= LEVELS; level++)
    usual = usual && odl_detail_gain (&reach, level, 1) == odl_usual_detail_gain (level);
  g_assert_false (usual);
  g_autoptr (GdkPixbuf) written = numbered_picture (fixture->folder, start, number);
  g_assert_nonnull (written);
  assert_canvas_shows (fixture, written);
}

static void
test_exported (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "f.png");
  enter (fixture);
  activate_with_text (fixture, "export-to", path);
  wait_until (fixture, has_toast, "Exported “f-00001.png”");
  assert_is_shown (fixture, "f", (int) odl_session_frame (fixture->session)->index);
}

// The first picture may be that before the view was entered.
static void
test_recorded (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "r.png");
  odl_settings_set_string (fixture->settings, "record-frames", "processed");
  enter (fixture);
  activate_with_text (fixture, "record-to", path);
  settle (fixture);
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_toast, "r-00001.png");
  assert_is_shown (fixture, "r", has_file (fixture, "r-00002.png") ? 1 : 0);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/gains/are-held-while-it-plays", test_held);
  ADD ("/gains/are-those-of-what-is-exported", test_exported);
  ADD ("/gains/are-those-of-what-is-recorded", test_recorded);
  return g_test_run ();
}
