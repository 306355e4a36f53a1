// SPDX-License-Identifier: MIT
// A slice whose series cannot be seen, as in a sandbox: its folder is offered, once.
#include "support/support.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "../helpers/folder.h"
#include "support/chooser.h"
#include "support/panes.h"
#include "support/patient.h"

// A copy of a file as the document portal shows it to a program in a sandbox. Transfer
// full path.
static char *
give (const char *path, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize size;
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *folder
      = g_build_filename (g_getenv ("XDG_RUNTIME_DIR"), "doc", id, NULL);
  char *given = g_build_filename (folder, name, NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);
  g_file_set_contents (given, contents, (gssize) size, &error);
  g_assert_no_error (error);
  return given;
}

// A folder of four slices, of which “slice4.dcm” is the third one. Transfer full.
static char *
write_folder (Fixture *fixture)
{
  char *folder = path_in (fixture, "ct");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (int place = 1; place <= 4; place++)
    write_slice (folder, place);
  odl_settings_set_boolean (fixture->settings, "list-studies", TRUE);
  return folder;
}

static GtkWidget *
offer (Fixture *fixture)
{
  return odl_window_child (parts_of (fixture), "folder_offer");
}

static bool
is_offered (Fixture *fixture, const void *data)
{
  return gtk_widget_get_mapped (offer (fixture));
}

static bool
is_not_offered (Fixture *fixture, const void *data)
{
  return !is_offered (fixture, data);
}

static bool
is_at (Fixture *fixture, const void *place)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && odl_session_info (fixture->session)->is_stack
         && odl_session_is_of_source (fixture->session, frame)
         && frame->index == GPOINTER_TO_INT (place);
}

static void
click (GtkWidget *button)
{
  g_assert_true (GTK_IS_BUTTON (button));
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

// Opens it, after which nothing is offered.
static void
assert_not_offered (Fixture *fixture, const char *path)
{
  odl_main_window_open (fixture->window, path, NULL);
  wait_until (fixture, has_location, path);
  settle (fixture);
  let_pass (300);
  g_assert_true (is_not_offered (fixture, NULL));
}

// The folder that was asked for takes the series to the slice that was there.
static void
test_folder (Fixture *fixture, const void *data)
{
  g_autofree char *folder = write_folder (fixture);
  g_autofree char *slice = g_build_filename (folder, "slice4.dcm", NULL);
  g_autofree char *other = g_build_filename (folder, "slice2.dcm", NULL);
  g_autofree char *stack = g_strconcat ("series:", slice, NULL);
  g_autofree char *given = give (slice, "1a");
  g_autofree char *given_later = give (other, "1b");
  g_autoptr (GFile) chosen = g_file_new_for_path (folder);
  odl_main_window_open (fixture->window, given, NULL);
  wait_until (fixture, is_offered, NULL);
  g_assert_true (has_location (fixture, given));
  g_assert_true (has_label (offer (fixture), "Only this picture of its series"));
  set_filters (fixture, "gaussian:sigma=2");
  click (find_widget (offer (fixture), GTK_TYPE_BUTTON));
  wait_until (fixture, has_chooser, "");
  gtk_file_chooser_set_file (open_chooser (), chosen, NULL);
  wait_until (fixture, has_chosen, folder);
  gtk_dialog_response (GTK_DIALOG (open_chooser ()), GTK_RESPONSE_ACCEPT);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  settle (fixture);
  g_assert_true (has_location (fixture, stack));
  g_assert_true (is_at (fixture, GINT_TO_POINTER (2)));
  g_assert_true (is_not_offered (fixture, NULL));
  g_assert_cmpint (odl_playback_n_frames (odl_session_playback (fixture->session)), ==,
                   4);
  // What was set meanwhile stays.
  g_autofree char *filters = odl_recipe_to_text (recipe_of (fixture), " ");
  g_assert_nonnull (strstr (filters, "gaussian"));
  g_assert_nonnull (odl_source_panel_studies (parts_of (fixture)->source_panel));
  assert_not_offered (fixture, given_later);
}

// Whose answer is no is not asked again, not about another slice of the series either.
static void
test_refused (Fixture *fixture, const void *data)
{
  g_autofree char *folder = write_folder (fixture);
  g_autofree char *slice = g_build_filename (folder, "slice4.dcm", NULL);
  g_autofree char *other = g_build_filename (folder, "slice2.dcm", NULL);
  g_autofree char *given = give (slice, "2a");
  g_autofree char *given_later = give (other, "2b");
  g_autofree char *photograph = write_png (fixture, "a.png", 30, 20, false);
  odl_main_window_open (fixture->window, given, NULL);
  wait_until (fixture, is_offered, NULL);
  settle (fixture);
  // It is about the picture that is shown.
  activate (fixture, "full-screen", NULL);
  g_assert_true (is_not_offered (fixture, NULL));
  activate (fixture, "full-screen", NULL);
  wait_until (fixture, is_offered, NULL);
  lay_out (fixture, "1x2");
  go_to (fixture, 1);
  g_assert_true (is_not_offered (fixture, NULL));
  go_to (fixture, 0);
  wait_until (fixture, is_offered, NULL);
  odl_main_window_open (fixture->window, photograph, NULL);
  wait_until (fixture, has_location, photograph);
  wait_until (fixture, is_not_offered, NULL);
  odl_main_window_open (fixture->window, given, NULL);
  wait_until (fixture, is_offered, NULL); // nobody has answered
  click (odl_window_child (parts_of (fixture), "folder_refusal"));
  g_assert_true (is_not_offered (fixture, NULL));
  assert_not_offered (fixture, photograph);
  assert_not_offered (fixture, given);
  assert_not_offered (fixture, given_later);
}

// Nor where there is nothing to be seen besides, where files are what people want, or
// where a picture says of no series.
static void
test_ordinary (Fixture *fixture, const void *data)
{
  g_autofree char *folder = write_folder (fixture);
  g_autofree char *slice = g_build_filename (folder, "slice4.dcm", NULL);
  g_autofree char *stack = g_strconcat ("series:", slice, NULL);
  g_autofree char *alone = path_in (fixture, "alone");
  g_autofree char *only = g_build_filename (alone, "slice3.dcm", NULL);
  g_autofree char *alpha = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *photograph = write_png (fixture, "a.png", 30, 20, false);
  g_autofree char *given_alpha = give (alpha, "3a");
  g_autofree char *given_photograph = give (photograph, "3b");
  g_autofree char *given = give (slice, "3c");
  g_autofree char *given_folder = give (slice, "3d/ct");
  g_assert_cmpint (g_mkdir (alone, 0700), ==, 0);
  write_slice (alone, 1);
  odl_main_window_open (fixture->window, slice, NULL);
  wait_until (fixture, has_location, stack);
  settle (fixture);
  g_assert_true (is_not_offered (fixture, NULL));
  assert_not_offered (fixture, only);
  assert_not_offered (fixture, given_alpha);
  assert_not_offered (fixture, given_photograph);
  assert_not_offered (fixture, given_folder);
  odl_settings_set_boolean (fixture->settings, "list-studies", FALSE);
  assert_not_offered (fixture, given);
}

// A folder without that slice opens as it does, which is said.
static void
test_other_folder (Fixture *fixture, const void *data)
{
  g_autofree char *folder = write_folder (fixture);
  g_autofree char *slice = g_build_filename (folder, "slice2.dcm", NULL);
  g_autofree char *given = give (slice, "4a");
  g_autofree char *first = g_build_filename (folder, "slice1.dcm", NULL);
  g_autofree char *stack = g_strconcat ("series:", first, NULL);
  g_assert_cmpint (g_unlink (slice), ==, 0);
  odl_main_window_open (fixture->window, given, NULL);
  wait_until (fixture, is_offered, NULL);
  odl_main_window_open (fixture->window, folder, NULL);
  g_assert_true (is_not_offered (fixture, NULL));
  wait_until (fixture, has_location, stack);
  wait_until (fixture, has_toast, "is not in this folder");
  settle (fixture);
  g_assert_true (is_not_offered (fixture, NULL));
}

// Its files can be read by their names, but not listed.
static void
test_unlistable (Fixture *fixture, const void *data)
{
  g_autofree char *folder = write_folder (fixture);
  g_autofree char *slice = g_build_filename (folder, "slice4.dcm", NULL);
  g_autofree char *stack = g_strconcat ("series:", slice, NULL);
  g_assert_cmpint (g_chmod (folder, 0300), ==, 0);
  if (access (folder, R_OK) == 0) {
    g_test_skip ("who runs this may list every folder");
    return;
  }
  odl_main_window_open (fixture->window, slice, NULL);
  wait_until (fixture, is_offered, NULL);
  g_assert_true (has_location (fixture, slice));
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  odl_main_window_open (fixture->window, folder, NULL);
  wait_until (fixture, has_location, stack);
  wait_until (fixture, is_at, GINT_TO_POINTER (2));
  settle (fixture);
  g_assert_true (is_not_offered (fixture, NULL));
}

int
main (int argc, char **argv)
{
  g_autofree char *runtime = g_dir_make_tmp ("odl-runtime-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  need_display (&argc, &argv);
  ADD ("/folder-offer/its-series-hangs-at-that-slice", test_folder);
  ADD ("/folder-offer/a-no-is-for-good", test_refused);
  ADD ("/folder-offer/others-are-not-asked", test_ordinary);
  ADD ("/folder-offer/a-folder-without-that-slice", test_other_folder);
  ADD ("/folder-offer/a-folder-that-nobody-may-list", test_unlistable);
  const int result = g_test_run ();
  odl_test_remove_tree (runtime);
  return result;
}
