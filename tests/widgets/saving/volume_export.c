// SPDX-License-Identifier: MIT
// A volume is exported from the real window, as a person does it.
#include "../support/support.h"

#include <string.h>

#include "image/compare.h"
#include "source/volume.h"
#include "../support/chooser.h"
#include "../support/saved_video.h"
#include "widgets/window/parts.h"

#define SLICES 8

static bool
has_frames (Fixture *fixture, const void *number)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame
         && odl_playback_n_frames (odl_session_playback (fixture->session))
                == GPOINTER_TO_INT (number);
}

static void
show_volume (Fixture *fixture, const char *location, int n, const char *format)
{
  odl_settings_set_string (fixture->settings, "save-format", format);
  odl_main_window_open (fixture->window, location, NULL);
  wait_until (fixture, has_frames, GINT_TO_POINTER (n));
  odl_session_set_playing (fixture->session, false);
  set_filters (fixture, "gaussian:sigma=1");
}

static void
accept (Fixture *fixture, const char *path)
{
  gtk_file_chooser_set_current_name (open_chooser (), path);
  wait_until (fixture, has_chosen, path); // it looks the folder up
  gtk_dialog_response (GTK_DIALOG (open_chooser ()), GTK_RESPONSE_ACCEPT);
}

static OdlImage *
read_volume (const char *location)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (location, NULL, &error);
  g_assert_no_error (error);
  OdlImage *volume
      = odl_source_read_volume (source, 0, ODL_VOLUME_FILTERED_WHOLE, NULL, &error);
  g_assert_no_error (error);
  return volume;
}

// What the command line writes, which unit tests hold against it byte by byte on one
// engine; this one may be another.
static void
assert_is_filtered (Fixture *fixture, const char *input, const char *path)
{
  g_autofree char *truth = path_in (fixture, "cli.nii.gz");
  const char *words[]
      = { g_getenv ("ODL_CLI"), "process",          input,      "-o",  truth,
          "--filter",           "gaussian:sigma=1", "--engine", "cpu", NULL };
  int status;
  g_assert_true (g_spawn_sync (NULL, (char **) words, NULL, 0, NULL, NULL, NULL, NULL,
                               &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  g_autoptr (OdlImage) got = read_volume (path), wanted = read_volume (truth);
  const OdlImageInfo *a = odl_image_info (got), *b = odl_image_info (wanted);
  OdlComparison found;
  g_assert_cmpint (a->extent.z, ==, SLICES);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpfloat_with_epsilon (a->spacing_mm[axis], b->spacing_mm[axis], 1e-5);
  g_assert_true (odl_compare (got, wanted, &found, NULL));
  g_test_message ("largest difference %g of full scale", found.max_abs);
  g_assert_cmpfloat (found.max_abs, <, 1e-5);
}

// The name that is suggested ends as the last choice did; another format goes before it.
static void
test_by_the_dialog (Fixture *fixture, const void *data)
{
  static const char input[] = "phantom:32x24x8";
  g_autofree char *suggested = path_in (fixture, "body.mkv");
  g_autofree char *path = path_in (fixture, "body.nii.gz");
  show_volume (fixture, input, SLICES, "high");
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  g_autofree char *offered = gtk_file_chooser_get_current_name (open_chooser ());
  const char *dot = strrchr (offered, '.');
  strcpy (strrchr (suggested, '.'), dot); // of as many characters: .mp4 or .mkv
  choose (GTK_WIDGET (open_chooser ()), "NIfTI volume, packed (.nii.gz)");
  accept (fixture, suggested);
  wait_until (fixture, has_toast, "Exported “body.nii.gz”");
  assert_is_filtered (fixture, input, path);
  g_assert_false (g_file_test (suggested, G_FILE_TEST_EXISTS));
  // It is remembered, and suggested.
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  g_autofree char *again = gtk_file_chooser_get_current_name (open_chooser ());
  g_assert_true (g_str_has_suffix (again, ".nii.gz"));
  gtk_dialog_response (GTK_DIALOG (open_chooser ()), GTK_RESPONSE_CANCEL);
  wait_until (fixture, has_chooser, NULL);
  // Recordings are no volumes.
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_chooser, "");
  g_assert_null (
      strstr (gtk_file_chooser_get_choice (open_chooser (), "save-format"), "nii"));
  gtk_dialog_response (GTK_DIALOG (open_chooser ()), GTK_RESPONSE_CANCEL);
  wait_until (fixture, has_chooser, NULL);
}

static void
test_names_and_refusals (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "a.nii", "a.mha", "a.tif" };
  g_autofree char *path = path_in (fixture, "r.nii");
  show_volume (fixture, "phantom:32x24x8x3", 3 * SLICES, "high");
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *named = path_in (fixture, names[i]);
    g_autofree char *says = g_strdup_printf ("Exported “%s”", names[i]);
    activate_with_text (fixture, "export-to", named);
    wait_until (fixture, has_toast, says);
  }
  g_autofree char *nii = path_in (fixture, "a.nii");
  g_autoptr (OdlSource) source = odl_source_open (nii, NULL, NULL);
  g_assert_cmpint (source->info.n_slices, ==, SLICES);
  g_assert_cmpint (source->info.n_frames, ==, 3 * SLICES);
  // From the second volume to the third: both are whole.
  g_autofree char *part = path_in (fixture, "p.nii");
  odl_playback_set_range (odl_session_playback (fixture->session), SLICES + 3,
                          2 * SLICES + 3);
  activate_with_text (fixture, "export-range-to", part);
  wait_until (fixture, has_toast, "Exported “p.nii”");
  g_autoptr (OdlSource) two = odl_source_open (part, NULL, NULL);
  g_assert_cmpint (two->info.n_frames, ==, 2 * SLICES);
  activate_with_text (fixture, "record-to", path);
  wait_until (fixture, has_toast, "A recording is a video");
  odl_main_window_open (fixture->window, "phantom:32x24", NULL);
  wait_until (fixture, has_frames, GINT_TO_POINTER (50));
  activate_with_text (fixture, "export-to", path);
  wait_until (fixture, has_toast, "is no volume");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static bool
is_rendered (Fixture *fixture, const void *data)
{
  OdlRenderScene scene;
  return odl_viewport_rendered (fixture->viewport, &scene);
}

static bool
exists (Fixture *fixture, const void *name)
{
  g_autofree char *path = path_in (fixture, name);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

// Slices are what is written unless somebody chooses otherwise.
static void
test_the_rendered_view (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "turn.png");
  g_autofree char *first = path_in (fixture, "turn-00001.png");
  show_volume (fixture, "phantom:32x24x8", SLICES, "png");
  odl_viewport_set_rendering (fixture->viewport, "maximum");
  wait_until (fixture, is_rendered, NULL);
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  g_assert_cmpstr (gtk_file_chooser_get_choice (open_chooser (), "export-pictures"), ==,
                   "slices");
  choose (GTK_WIDGET (open_chooser ()), "Rendered view, one turn");
  accept (fixture, path);
  wait_until (fixture, exists, "turn-00002.png");
  activate_with_text (fixture, "cancel-export", NULL);
  wait_until (fixture, has_toast, "Export cancelled");
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new_from_file (first, NULL);
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, 1080);
  g_assert_cmpint (gdk_pixbuf_get_height (picture), ==, 1080);
  // What is no longer shown is not exported, nor anything in its place.
  g_autofree char *late = path_in (fixture, "late.png");
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  choose (GTK_WIDGET (open_chooser ()), "Rendered view, one turn");
  odl_viewport_set_rendering (fixture->viewport, "none");
  accept (fixture, late);
  wait_until (fixture, has_toast, "The rendered view is no longer shown");
  g_assert_false (exists (fixture, "late-00001.png"));
  settle (fixture);
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  g_assert_null (gtk_file_chooser_get_choice (open_chooser (), "export-pictures"));
  gtk_dialog_response (GTK_DIALOG (open_chooser ()), GTK_RESPONSE_CANCEL);
  wait_until (fixture, has_chooser, NULL);
}

// Below a video stands that it is a rendered view, without filters, too.
static void
test_a_rendered_video (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "turn.mkv");
  show_volume (fixture, "phantom:32x24x8x3", 3 * SLICES, "high");
  set_filters (fixture, "");
  odl_viewport_set_rendering (fixture->viewport, "maximum");
  wait_until (fixture, is_rendered, NULL);
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  choose (GTK_WIDGET (open_chooser ()), "Rendered view, volume after volume");
  accept (fixture, path);
  wait_until (fixture, has_toast, "Exported “turn.mkv”");
  g_autoptr (OdlSource) video = open_video (path);
  g_autoptr (OdlImage) frame = odl_source_read_first (video, NULL, NULL);
  g_assert_cmpint (odl_image_info (frame)->extent.y, >, 1080);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/volume-export/by-the-dialog", test_by_the_dialog);
  ADD ("/volume-export/names-and-refusals", test_names_and_refusals);
  ADD ("/volume-export/the-rendered-view", test_the_rendered_view);
  ADD ("/volume-export/a-rendered-video-says-so", test_a_rendered_video);
  return g_test_run ();
}
