// SPDX-License-Identifier: MIT
// Workspaces in the real window: what it shows is saved, and comes back.
#include <glib/gstdio.h>
#include <string.h>

#include "session/save/workspace.h"
#include "support/chooser.h"
#include "support/panes.h"
#include "../helpers/folder.h"
#include "widgets/viewport/private.h"

#define CHOOSE_AGAIN_US (3 * G_USEC_PER_SEC)

// A chooser that still lists another folder forgets what it is told to choose.
static bool
chooses (Fixture *fixture, const void *path)
{
  static int64_t told_us;
  const int64_t now = g_get_monotonic_time ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  if (has_chosen (fixture, path))
    return true;
  if (now - told_us > CHOOSE_AGAIN_US) {
    told_us = now;
    gtk_file_chooser_set_file (open_chooser (), file, NULL);
  }
  return false;
}

static void
answer (Fixture *fixture, const char *action, const char *path)
{
  activate (fixture, action, NULL);
  wait_until (fixture, has_chooser, "");
  GtkFileChooser *chooser = open_chooser ();
  if (gtk_file_chooser_get_action (chooser) == GTK_FILE_CHOOSER_ACTION_SAVE) {
    gtk_file_chooser_set_current_name (chooser, path);
  } else {
    wait_until (fixture, chooses, path);
  }
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
  wait_until (fixture, has_chooser, NULL);
}

static bool
shows (Fixture *fixture, const void *location)
{
  OdlSession *session = fixture->session;
  const OdlFrame *frame = odl_session_frame (session);
  return has_location (fixture, location) && !odl_session_opening (session) && frame
         && odl_session_is_of_source (session, frame);
}

static bool
is_at (Fixture *fixture, const void *position)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == GPOINTER_TO_INT (position);
}

static const Series head = { "head", PATIENT_FRAME, .step = 3, .n = 7, .spacing = 0.5 };

// Two panes, the first with a slice, a zoom, grey levels and both recipes.
static void
show_two (Fixture *fixture, const char *series, const char *picture)
{
  open_and_wait (fixture, series);
  lay_out (fixture, "1x2");
  go_to (fixture, 0);
  activate (fixture, "see-volume", "'slice'");
  settle (fixture);
  odl_playback_seek (odl_session_playback (fixture->session), 5);
  wait_until (fixture, is_at, GINT_TO_POINTER (5));
  set_filters (fixture, "gaussian:sigma=3");
  activate_and_settle (fixture, "recipe", "'B'");
  set_filters (fixture, "median:size=5");
  activate_and_settle (fixture, "rotate", "1");
  activate_and_settle (fixture, "actual-size", NULL);
  odl_viewport_set_window (fixture->viewport, 40, 80);
  activate_and_settle (fixture, "invert", NULL);
  open_in (fixture, 1, picture);
  set_filters (fixture, "sobel");
  activate (fixture, "link-window", NULL);
}

static void
assert_two (Fixture *fixture, const char *series, const char *picture)
{
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 1)));
  g_assert_true (is_on (fixture, "link-window"));
  g_assert_false (is_on (fixture, "link-view"));
  look_at (fixture, 1);
  wait_until (fixture, shows, picture);
  settle (fixture);
  g_autofree char *second = odl_recipe_to_text (recipe_of (fixture), " ");
  g_assert_true (g_str_has_prefix (second, "sobel:"));
  go_to (fixture, 0);
  wait_until (fixture, shows, series);
  wait_until (fixture, is_at, GINT_TO_POINTER (5));
  settle (fixture);
  g_autofree char *first = odl_recipe_to_text (recipe_of (fixture), " ");
  g_assert_true (g_str_has_prefix (first, "median:size=5"));
  double centre, width;
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  g_assert_cmpfloat (centre, ==, 40);
  g_assert_cmpfloat (width, ==, 80);
  g_assert_true (odl_viewport_invert (fixture->viewport));
  g_assert_cmpint (odl_viewport_view (fixture->viewport)->quarter_turns, ==, 1);
  g_assert_cmpfloat (odl_viewport_zoom (fixture->viewport), ==, 1);
  activate_and_settle (fixture, "recipe", "'A'");
  g_autofree char *other = odl_recipe_to_text (recipe_of (fixture), " ");
  g_assert_true (g_str_has_prefix (other, "gaussian:sigma=3"));
}

static void
test_saved (Fixture *fixture, const void *data)
{
  g_autofree char *series = write_series (fixture, &head);
  g_autofree char *picture = write_png (fixture, "b.png", 53, 59, false);
  g_autofree char *path = path_in (fixture, "a" ODL_WORKSPACE_ENDING);
  show_two (fixture, series, picture);
  answer (fixture, "save-workspace", path);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  // Something else, in more panes.
  lay_out (fixture, "2x2");
  open_in (fixture, 0, picture);
  activate (fixture, "link-window", NULL);
  activate (fixture, "link-view", NULL);
  answer (fixture, "open-workspace", path);
  assert_two (fixture, series, picture);
}

// What stands in the window stays where a workspace is none, and where a file of it has
// gone the others come.
static void
test_faults (Fixture *fixture, const void *data)
{
  g_autofree char *series = write_series (fixture, &head);
  g_autofree char *picture = write_png (fixture, "b.png", 53, 59, false);
  g_autofree char *path = path_in (fixture, "a" ODL_WORKSPACE_ENDING);
  g_autofree char *bad = path_in (fixture, "bad" ODL_WORKSPACE_ENDING);
  show_two (fixture, series, picture);
  answer (fixture, "save-workspace", path);
  g_assert_true (g_file_set_contents (bad, "nothing", -1, NULL));
  answer (fixture, "open-workspace", bad);
  g_assert_true (has_toast (fixture, "is no workspace"));
  g_assert_cmpint (n_panes (fixture), ==, 2);
  lay_out (fixture, "1x1");
  g_unlink (picture);
  answer (fixture, "open-workspace", path);
  g_assert_cmpint (n_panes (fixture), ==, 2);
  look_at (fixture, 0);
  wait_until (fixture, shows, series);
  wait_until (fixture, is_at, GINT_TO_POINTER (5));
  wait_until (fixture, has_toast, "b.png");
}

static bool
is_kept (Fixture *fixture, const void *data)
{
  g_autofree char *path = odl_workspace_current_path ();
  return g_file_test (path, G_FILE_TEST_EXISTS) == (data != NULL);
}

// Kept as it changes, so that it outlives a kill; not while names are hidden, nor where
// nobody wants recent files remembered.
static void
test_kept (Fixture *fixture, const void *data)
{
  g_autofree char *picture = write_png (fixture, "b.png", 53, 59, false);
  odl_workspace_forget ();
  open_and_wait (fixture, picture);
  let_pass (6000);
  g_assert_true (is_kept (fixture, NULL));
  odl_settings_set_boolean (fixture->settings, "remember-recent", TRUE);
  activate (fixture, "mask-names", NULL);
  let_pass (6000);
  g_assert_true (is_kept (fixture, NULL));
  activate (fixture, "mask-names", NULL);
  wait_until (fixture, is_kept, "");
  odl_settings_set_boolean (fixture->settings, "remember-recent", FALSE);
  wait_until (fixture, is_kept, NULL);
}

// A second window, as the next start of the program.
static void
test_after_a_kill (Fixture *fixture, const void *data)
{
  g_autofree char *series = write_series (fixture, &head);
  g_autofree char *picture = write_png (fixture, "b.png", 53, 59, false);
  g_autofree char *path = path_in (fixture, "a" ODL_WORKSPACE_ENDING);
  show_two (fixture, series, picture);
  answer (fixture, "save-workspace", path);
  g_autoptr (OdlWorkspace) workspace = odl_workspace_load (path, NULL);
  workspace->ended = false;
  workspace->process = 0x7ffffff0; // nobody's
  g_autofree char *text = odl_workspace_to_text (workspace);
  odl_workspace_keep (text);
  odl_settings_set_boolean (fixture->settings, "remember-recent", TRUE);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  fixture->window = ODL_MAIN_WINDOW (
      odl_main_window_new (GTK_APPLICATION (fixture->application), fixture->settings));
  fixture->session = odl_main_window_parts (fixture->window)->session;
  fixture->viewport = odl_main_window_parts (fixture->window)->viewport;
  gtk_window_present (GTK_WINDOW (fixture->window));
  wait_until (fixture, has_toast, "before its window was closed");
  activate_with_text (fixture, "reopen-workspace", "");
  assert_two (fixture, series, picture);
  odl_workspace_forget ();
}

static bool
presents (Fixture *fixture, const void *filter)
{
  const OdlRecipe *recipe = recipe_of (fixture);
  return parts_of (fixture)->state->presenting && recipe->n_items == 1
         && g_str_equal (recipe->items[0].filter->name, filter);
}

// F5 goes on with the list that was left then, not with the one that was left since.
static void
test_list_of_presentation (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  g_autofree char *path = path_in (fixture, "a" ODL_WORKSPACE_ENDING);
  const char *const list[] = { a, NULL }, *const other[] = { b, NULL };
  open_and_wait (fixture, b);
  present (fixture, list, "gaussian:sigma=2", 3600);
  wait_until (fixture, presents, "gaussian");
  activate (fixture, "present", NULL);
  settle (fixture);
  answer (fixture, "save-workspace", path);
  present (fixture, other, "sobel", 3600);
  wait_until (fixture, presents, "sobel");
  activate (fixture, "present", NULL);
  settle (fixture);
  answer (fixture, "open-workspace", path);
  wait_until (fixture, shows, b);
  activate (fixture, "present", NULL);
  wait_until (fixture, presents, "gaussian");
  wait_until (fixture, shows, a);
  activate (fixture, "present", NULL);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  need_display (&argc, &argv);
  ADD ("/workspaces/saved", test_saved);
  ADD ("/workspaces/faults", test_faults);
  ADD ("/workspaces/kept", test_kept);
  ADD ("/workspaces/after-a-kill", test_after_a_kill);
  ADD ("/workspaces/list-of-a-presentation", test_list_of_presentation);
  const int status = g_test_run ();
  odl_test_remove_tree (state);
  return status;
}
