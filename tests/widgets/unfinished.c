// SPDX-License-Identifier: MIT
// What the real window writes and does not write: what a killed program left of its
// recordings, and pictures under names that say something else.
#include "support/support.h"
#include "../helpers/folder.h"

#include <glib/gstdio.h>
#include <string.h>

#include "output/note.h"
#include "output/unfinished.h"
#include "source/frame_reader.h"

static void
play_phantom (Fixture *fixture)
{
  odl_settings_set_string (fixture->settings, "record-frames", "shown");
  odl_settings_set_string (fixture->settings, "save-format", "");
  odl_main_window_open (fixture->window, "phantom:128x96", NULL);
  settle (fixture);
  odl_session_set_playing (fixture->session, true);
  wait_for_frames (fixture, 3);
}

// What a program leaves that is killed now.
static void
leave_part (Fixture *fixture, const char *written, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *part = g_strconcat (written, ".part", NULL);
  g_autofree char *target = path_in (fixture, name);
  g_autofree char *left = g_strconcat (target, ".part", NULL);
  g_autofree char *bytes = NULL;
  gsize n = 0;
  g_file_get_contents (part, &bytes, &n, &error);
  g_assert_no_error (error);
  g_file_set_contents (left, bytes, (gssize) n, &error);
  g_assert_no_error (error);
  g_free (odl_note_write (left, target));
}

static bool
part_has (Fixture *fixture, const void *path)
{
  GStatBuf status;
  return g_stat (path, &status) == 0 && status.st_size > 100000;
}

static bool
has_question (Fixture *fixture, const void *data)
{
  return (find_dialog () != NULL) == (data != NULL);
}

static void
answer (Fixture *fixture, const char *word)
{
  wait_until (fixture, has_question, "yes");
  AdwMessageDialog *dialog = find_dialog ();
  adw_message_dialog_response (dialog, word);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static int
count_frames (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (OdlFrameReader) reader = odl_frame_reader_new (source, 0, -1, &error);
  OdlReadFrame *frame;
  int n = 0;
  for (; (frame = odl_frame_reader_next (reader, NULL, &error)) != NULL; n++)
    odl_read_frame_free (frame);
  // How many there should be is a guess where so few come at unequal distances.
  if (error)
    g_test_message ("%s", error->message);
  return n;
}

// Each is asked about; what is kept gets its name or a free one, and nothing else stays.
static void
test_unfinished_are_offered (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "a.mkv", "b.mp4", "c.mkv" };
  g_autofree char *path = path_in (fixture, "live.mkv");
  g_autofree char *part = g_strconcat (path, ".part", NULL);
  g_autofree char *taken = path_in (fixture, "a.mkv");
  g_autofree char *nothing = path_in (fixture, "empty.mkv");
  g_autofree char *empty = g_strconcat (nothing, ".part", NULL);
  play_phantom (fixture);
  activate_with_text (fixture, "record-to", path);
  wait_until (fixture, part_has, part);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    leave_part (fixture, path, names[i]);
  g_assert_true (g_file_set_contents (taken, "taken", -1, NULL));
  // One without a byte is not offered, and goes.
  g_assert_true (g_file_set_contents (empty, "", 0, NULL));
  g_free (odl_note_write (empty, nothing));
  // The one that is being written is not offered.
  activate_with_text (fixture, "offer-unfinished", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    wait_until (fixture, has_question, "yes");
    const char *body = adw_message_dialog_get_body (find_dialog ());
    g_test_message ("%s", body);
    g_assert_null (strstr (body, "live.mkv"));
    g_assert_null (strstr (body, "empty.mkv"));
    const bool unwanted = strstr (body, "c.mkv") != NULL;
    const char *made = strstr (body, "b.mp4") ? "b.mp4" : "a-2.mkv";
    answer (fixture, unwanted ? "discard" : "finish");
    if (!unwanted)
      wait_until (fixture, has_toast, made);
  }
  wait_until (fixture, has_question, NULL);
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_toast, "live.mkv");
  static const char *const kept[] = { "a-2.mkv", "b.mp4" };
  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++) {
    g_autofree char *made = path_in (fixture, kept[i]);
    g_assert_cmpint (count_frames (made), >=, 3);
  }
  // a.mkv, a-2.mkv, b.mp4, live.mkv, and no part
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  int n = 0;
  for (; g_dir_read_name (dir); n++)
    continue;
  g_assert_cmpint (n, ==, 4);
  g_autofree char *contents = NULL;
  g_assert_true (g_file_get_contents (taken, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "taken");
  g_autoptr (GPtrArray) left = odl_unfinished_list ();
  g_assert_cmpuint (left->len, ==, 0);
}

// A name that says another format gets no PNG; what a header names is not written over.
static void
test_pictures_keep_to_their_names (Fixture *fixture, const void *data)
{
  static const char header[] = "ObjectType = Image\nNDims = 2\nDimSize = 4 4\n"
                               "ElementType = MET_UCHAR\nElementDataFile = d.png\n";
  g_autofree char *samples = path_in (fixture, "d.png");
  g_autofree char *volume = path_in (fixture, "v.mhd");
  g_autofree char *bitmap = path_in (fixture, "win.bmp");
  g_autofree char *png = path_in (fixture, "win.PNG");
  g_autofree char *dated = path_in (fixture, "visit.2026");
  g_assert_true (g_file_set_contents (samples, "0123456789abcdef", 16, NULL));
  g_assert_true (g_file_set_contents (volume, header, -1, NULL));
  open_and_wait (fixture, volume);
  activate_with_text (fixture, "save-to", bitmap);
  wait_until (fixture, has_toast, "win.bmp");
  g_assert_false (g_file_test (bitmap, G_FILE_TEST_EXISTS));
  activate_with_text (fixture, "save-to", samples);
  wait_until (fixture, has_toast, "belongs to what is shown");
  activate_with_text (fixture, "save-to", png);
  wait_until (fixture, has_toast, "win.PNG");
  g_autofree char *contents = NULL;
  g_assert_true (g_file_get_contents (samples, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "0123456789abcdef");
  g_assert_true (g_file_test (png, G_FILE_TEST_EXISTS));
  // A number is no ending.
  activate_with_text (fixture, "save-to", dated);
  wait_until (fixture, has_toast, "visit.2026.png");
}

int
main (int argc, char **argv)
{
  // What other tests left is not to be asked about.
  char *state = g_dir_make_tmp ("ondelette-state-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  need_display (&argc, &argv);
  ADD ("/unfinished/pictures-keep-to-their-names", test_pictures_keep_to_their_names);
  ADD ("/unfinished/what-a-kill-left-is-offered", test_unfinished_are_offered);
  return odl_test_run_in (state);
}
