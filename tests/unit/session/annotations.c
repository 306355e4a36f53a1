// SPDX-License-Identifier: MIT
// What people draw over a source: beside the recipe, undone with it.
#include "settle.h"

static void
count_cb (int *number)
{
  ++*number;
}

static void
open_phantom (OdlSession *session, const char *location)
{
  odl_session_open (session, location, NULL);
  while (odl_session_opening (session))
    g_main_context_iteration (NULL, TRUE);
  odl_session_set_playing (session, false);
  settle (session);
  g_assert_cmpstr (odl_session_info (session)->location, ==, location);
}

static int
count (OdlSession *session)
{
  return odl_annotations_count (odl_session_annotations (session));
}

static const OdlAnnotation line = { .points = { { 1, 2 }, { 30, 40 } } };

static void
test_steps (void)
{
  int told = 0;
  g_autoptr (OdlSession) session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  g_signal_connect_swapped (session, "annotations-changed", G_CALLBACK (count_cb), &told);
  odl_session_annotate (session, &line, NULL); // over nothing
  g_assert_null (odl_session_annotations (session));
  open_phantom (session, "phantom:64x64");
  told = 0;
  odl_session_annotate (session, &line, NULL);
  OdlRecipe recipe = *odl_session_recipe (session);
  g_assert_true (odl_recipe_parse (&recipe, "gaussian:sigma=2", NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  odl_session_annotate (session, &line, NULL);
  odl_session_remove_annotation (session, 1);
  odl_session_remove_annotation (session, 77);
  g_assert_cmpint (told, ==, 3);
  g_assert_cmpint (count (session), ==, 1);
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 2);
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 1);
  g_assert_cmpint (told, ==, 5);
  g_assert_false (odl_recipe_is_identity (odl_session_recipe (session)));
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 1);
  g_assert_cmpint (told, ==, 5);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (session)));
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 0);
  odl_session_redo (session);
  g_assert_cmpint (count (session), ==, 1);
  settle (session);
}

// They go with their source, and come back with it.
static void
test_sources (void)
{
  g_autoptr (OdlSession) session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  open_phantom (session, "phantom:64x64");
  odl_session_annotate (session, &line, NULL);
  open_phantom (session, "phantom:80x64");
  g_assert_null (odl_session_annotations (session));
  g_assert_false (odl_history_can_undo (odl_session_history (session)));
  open_phantom (session, "phantom:64x64");
  g_assert_cmpint (count (session), ==, 1);
  g_assert_true (odl_annotations_fit (odl_session_annotations (session), 64, 64));
  g_assert_false (odl_history_can_undo (odl_session_history (session)));
  // Without them nothing comes back.
  odl_session_remove_annotation (session, 1);
  open_phantom (session, "phantom:80x64");
  open_phantom (session, "phantom:64x64");
  g_assert_cmpint (count (session), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotations/are-undone-in-turn-with-recipes", test_steps);
  g_test_add_func ("/annotations/come-back-with-their-source", test_sources);
  return g_test_run ();
}
