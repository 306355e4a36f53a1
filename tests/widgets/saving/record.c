// SPDX-License-Identifier: MIT
// Recording and exporting from the real window: what lies in the file afterwards.
#include "../support/support.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "../support/chooser.h"
#include "../support/numbered.h"
#include "../support/saved_video.h"
#include "source/frame_reader.h"
#include "widgets/window/parts.h"

static bool
is_enabled (Fixture *fixture, const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), name);
}

static bool
has_painted (Fixture *fixture, const void *number)
{
  return odl_viewport_painted (fixture->viewport) >= (guint64) GPOINTER_TO_INT (number);
}

static bool
exists (Fixture *fixture, const void *name)
{
  g_autofree char *path = path_in (fixture, name);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

// Other tests of this run may have chosen something.
static void
forget_choices (Fixture *fixture)
{
  odl_settings_set_string (fixture->settings, "record-frames", "shown");
  odl_settings_set_string (fixture->settings, "save-format", "");
}

static void
blur (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, "gaussian:sigma=1", &error);
  g_assert_no_error (error);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
}

static void
play (Fixture *fixture, const char *location)
{
  forget_choices (fixture);
  odl_main_window_open (fixture->window, location, NULL);
  wait_until (fixture, has_painted, GINT_TO_POINTER (1));
  // Nothing settles while it plays.
  blur (fixture);
  odl_session_set_playing (fixture->session, true);
  // The transport bar takes height from the canvas.
  settle (fixture);
  wait_for_frames (fixture, 3);
  settle (fixture);
}

static void
play_phantom (Fixture *fixture)
{
  play (fixture, "phantom:128x96");
}

static void
assert_no_parts (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_suffix (name, ".part"));
}

// The last frame of the file against the canvas, which has stood still since; a bound for
// the encoder.
static void
assert_ends_with_canvas (Fixture *fixture, const char *path)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  const uint8_t *rgba = g_bytes_get_data (bytes, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = open_video (path);
  g_autoptr (OdlFrameReader) reader = odl_frame_reader_new (source, 0, -1, &error);
  g_autoptr (OdlImage) last = NULL;
  int64_t end_ns = 0;
  OdlReadFrame *frame;
  while ((frame = odl_frame_reader_next (reader, NULL, &error)) != NULL) {
    odl_image_unref (last);
    last = odl_image_ref (frame->image);
    end_ns = frame->time_ns + frame->duration_ns;
    odl_read_frame_free (frame);
  }
  g_assert_no_error (error);
  g_assert_nonnull (last);
  // Some encoders take even sizes only: the last column or row is there twice then.
  const OdlExtent *extent = &odl_image_info (last)->extent;
  g_assert_true (extent->x == width || extent->x == width + width % 2);
  g_assert_true (extent->y == height || extent->y == height + height % 2);
  const double mean = mean_difference (last, rgba, width, height);
  g_test_message ("%d × %d, %.2f s, mean difference %.2f of 255", width, height,
                  (double) end_ns / 1e9, mean);
  g_assert_cmpfloat (mean, <, 2);
  assert_has_wipe (last, rgba, width, height);
}

static double
now_s (void)
{
  return (double) g_get_monotonic_time () / G_USEC_PER_SEC;
}

static void
test_records_the_canvas (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "canvas.mkv");
  play_phantom (fixture);
  const double begin = now_s ();
  activate_with_text (fixture, "record-to", path);
  g_assert_false (is_enabled (fixture, "record-to"));
  // Sliders move meanwhile, and the wipe.
  activate_with_text (fixture, "wipe", NULL);
  wait_for_frames (fixture, 10);
  const double under_way = now_s ();
  odl_session_set_playing (fixture->session, false);
  settle (fixture);
  set_filters (fixture, "gaussian:sigma=2");
  settle (fixture);
  // The last picture stands for as long as it is seen.
  let_pass (500);
  const double before_end = now_s ();
  activate_with_text (fixture, "record", NULL);
  const double end = now_s ();
  wait_until (fixture, has_toast, "canvas.mkv");
  g_assert_true (is_enabled (fixture, "record-to"));
  assert_no_parts (fixture);
  assert_ends_with_canvas (fixture, path);
  g_autoptr (OdlSource) source = open_video (path);
  const char *duration = odl_source_detail (source, "duration-ms");
  g_assert_nonnull (duration);
  const double lasted = g_ascii_strtod (duration, NULL) / 1000;
  g_test_message ("%.3f s, %.3f to %.3f by the clock", lasted, before_end - under_way,
                  end - begin);
  // It begins with the first painting after the beginning, which is past by `under_way`,
  // and ends when it is told to. The last picture is seen for a moment at least.
  g_assert_cmpfloat (lasted, <=, end - begin + 0.05);
  g_assert_cmpfloat (lasted, >=, before_end - under_way);
}

static void
test_closing_completes (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "closed.mkv");
  play_phantom (fixture);
  activate_with_text (fixture, "record-to", path);
  wait_for_frames (fixture, 10);
  gtk_window_close (GTK_WINDOW (fixture->window));
  wait_until (fixture, exists, "closed.mkv");
  assert_no_parts (fixture);
  g_autoptr (OdlSource) source = open_video (path);
  fixture->window = NULL;
}

static void
test_failures_are_told (Fixture *fixture, const void *data)
{
  play_phantom (fixture);
  g_autofree char *nowhere = path_in (fixture, "gone/x.mkv");
  activate_with_text (fixture, "record-to", nowhere);
  wait_until (fixture, has_toast, "Create the folder");
  g_assert_true (is_enabled (fixture, "record-to"));
  // A disk that fills up on the way.
  g_autofree char *path = path_in (fixture, "limited.mkv");
  struct rlimit before, limit;
  getrlimit (RLIMIT_FSIZE, &before);
  limit = (struct rlimit){ 20000, before.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
  activate_with_text (fixture, "record-to", path);
  wait_until (fixture, has_toast, "limited.mkv");
  setrlimit (RLIMIT_FSIZE, &before);
  g_assert_true (has_toast (fixture, "too large"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  assert_no_parts (fixture);
}

static void
test_exports (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "all.mkv");
  g_autofree char *pngs = path_in (fixture, "f.png");
  g_autofree char *last = path_in (fixture, "f-00050.png");
  play_phantom (fixture);
  activate_with_text (fixture, "export-to", path);
  g_assert_true (is_enabled (fixture, "cancel-export"));
  wait_until (fixture, has_toast, "all.mkv");
  g_assert_true (odl_session_playing (fixture->session));
  g_autoptr (OdlSource) source = open_video (path);
  g_assert_cmpint (source->info.n_frames, ==, 50);
  assert_has_strip (source, 96);
  activate_with_text (fixture, "export-to", pngs);
  wait_until (fixture, has_toast, "Exported “f-00001.png”");
  g_assert_true (g_file_test (last, G_FILE_TEST_EXISTS));
  // They are not written over.
  activate_with_text (fixture, "export-to", pngs);
  wait_until (fixture, has_toast, "Choose another name");
  assert_no_parts (fixture);
}

static GdkPixbuf *
numbered (Fixture *fixture, const char *start, int number)
{
  return numbered_picture (fixture->folder, start, number);
}

// Which of the exported frames it is; −1: none.
static int
find_frame (Fixture *fixture, GdkPixbuf *picture)
{
  return numbered_find (fixture->folder, "f", 50, picture);
}

// Pictures that are recorded while it plays against all frames as they are exported: each
// is one of them.
static void
assert_recorded_are_frames (Fixture *fixture)
{
  int n = 0;
  for (;; n++) {
    g_autoptr (GdkPixbuf) picture = numbered (fixture, "r", n);
    if (!picture)
      break;
    g_assert_cmpint (find_frame (fixture, picture), >=, 0);
  }
  g_test_message ("%d pictures", n);
  g_assert_cmpint (n, >=, 8);
}

static bool
shows_frame (Fixture *fixture, const void *index)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == GPOINTER_TO_INT (index);
}

// Frame by frame, each is recorded once and in its place.
static void
record_steps (Fixture *fixture)
{
  g_autofree char *path = path_in (fixture, "s.png");
  odl_session_set_playing (fixture->session, false);
  settle (fixture);
  odl_playback_seek (odl_session_playback (fixture->session), 7);
  wait_until (fixture, shows_frame, GINT_TO_POINTER (7));
  settle (fixture);
  activate_with_text (fixture, "record-to", path);
  for (int i = 0; i < 5; i++) {
    g_autofree char *name = g_strdup_printf ("s-%05d.png", i + 1);
    wait_until (fixture, exists, name);
    if (i < 4)
      activate (fixture, "step-frame", "1");
  }
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_toast, "s-00001.png");
  for (int i = 0; i < 5; i++) {
    g_autoptr (GdkPixbuf) picture = numbered (fixture, "s", i);
    g_assert_cmpint (find_frame (fixture, picture), ==, 7 + i);
  }
}

static void
test_processed_frames (Fixture *fixture, const void *data)
{
  g_autofree char *recorded = path_in (fixture, "r.png");
  g_autofree char *exported = path_in (fixture, "f.png");
  g_autofree char *video = path_in (fixture, "r.mkv");
  g_autofree char *source_path = path_in (fixture, "fifty.mkv");
  // The live phantom never repeats itself: a machine that is slow enough records frames
  // that come after those exported. A file begins again.
  play_phantom (fixture);
  activate_with_text (fixture, "export-to", source_path);
  wait_until (fixture, has_toast, "Exported “fifty.mkv”");
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  g_assert_cmpstr (adw_toast_get_button_label (said->pdata[said->len - 1]), ==,
                   "Open _Folder");
  g_assert_true (
      g_action_group_has_action (G_ACTION_GROUP (fixture->window), "show-folder"));
  play (fixture, source_path);
  odl_settings_set_string (fixture->settings, "record-frames", "processed");
  // Neither changes what is recorded.
  activate_with_text (fixture, "wipe", NULL);
  odl_playback_seek (odl_session_playback (fixture->session), 0);
  wait_for_frames (fixture, 3);
  activate_with_text (fixture, "record-to", recorded);
  wait_until (fixture, exists, "r-00008.png");
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_toast, "r-00001.png");
  activate_with_text (fixture, "export-to", exported);
  wait_until (fixture, has_toast, "Exported “f-00001.png”");
  assert_recorded_are_frames (fixture);
  record_steps (fixture);

  // Another source begins without filters; the strip is there before they are.
  odl_session_set_playing (fixture->session, true);
  activate_with_text (fixture, "record-to", video);
  wait_for_frames (fixture, 2);
  blur (fixture);
  wait_for_frames (fixture, 10);
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_toast, "r.mkv");
  // What was played has a strip already.
  g_autoptr (OdlSource) source = open_video (video);
  const OdlFrame *frame = odl_session_frame (fixture->session);
  assert_has_strip (source, odl_image_info (frame->input)->extent.y);
  assert_no_parts (fixture);
}

// What was chosen is written, and what cannot be is told; a name that is made for the
// person replaces nothing.
static void
test_formats (Fixture *fixture, const void *data)
{
  static const char *const formats[] = { "small:vp8", "small:theora", "png" };
  play_phantom (fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree char *name = g_strdup_printf ("name%zu", i);
    g_autofree char *path = path_in (fixture, name);
    odl_settings_set_string (fixture->settings, "save-format", formats[i]);
    activate_with_text (fixture, "export-to", path);
    wait_until (fixture, has_toast, name);
    g_assert_true (has_toast (fixture, "Exported"));
  }
  static const char *const names[] = { "name0.mkv", "name1.mkv", "name2-00050.png" };
  static const char *const codecs[] = { "VP8", "Theora" };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = path_in (fixture, names[i]);
    g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    if (i >= G_N_ELEMENTS (codecs))
      continue;
    g_autoptr (OdlSource) source = open_video (path);
    g_test_message ("%s: %s", names[i], odl_source_detail (source, "codec"));
    g_assert_nonnull (strstr (odl_source_detail (source, "codec"), codecs[i]));
  }
  g_autofree char *again = path_in (fixture, "name0");
  odl_settings_set_string (fixture->settings, "save-format", "high");
  activate_with_text (fixture, "export-to", again);
  wait_until (fixture, has_toast, "name0.mkv: cannot be written");
  odl_settings_set_string (fixture->settings, "save-format", "lossless:vp8");
  g_autofree char *impossible = path_in (fixture, "impossible.mkv");
  activate_with_text (fixture, "export-to", impossible);
  wait_until (fixture, has_toast, "vp8");
  g_assert_false (g_file_test (impossible, G_FILE_TEST_EXISTS));
}

// Ctrl+R and Ctrl+E: the choices are in the file chooser, and are remembered.
static void
test_chooser (Fixture *fixture, const void *data)
{
  play_phantom (fixture);
  g_autofree char *path = path_in (fixture, "c.mkv");
  activate_with_text (fixture, "record", NULL);
  activate_with_text (fixture, "record", NULL); // twice opens one
  wait_until (fixture, has_chooser, "");
  GtkFileChooser *chooser = open_chooser ();
  g_assert_cmpstr (gtk_file_chooser_get_choice (chooser, "record-frames"), ==, "shown");
  g_assert_nonnull (
      strstr (gtk_file_chooser_get_choice (chooser, "save-format"), "high:"));
  choose (GTK_WIDGET (chooser), "Processed frames");
  choose (GTK_WIDGET (chooser), "Numbered PNG pictures");
  gtk_file_chooser_set_current_name (chooser, path);
  wait_until (fixture, has_chosen, path); // it looks the folder up
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
  wait_until (fixture, exists, "c-00002.png");
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, has_toast, "c-00001.png");
  g_assert_true (has_chooser (fixture, NULL));
  g_autofree char *format = odl_settings_get_string (fixture->settings, "save-format");
  g_assert_cmpstr (format, ==, "png");

  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  chooser = open_chooser ();
  g_assert_cmpstr (gtk_file_chooser_get_choice (chooser, "save-format"), ==, "png");
  g_assert_null (gtk_file_chooser_get_choice (chooser, "export-range"));
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_CANCEL);
  wait_until (fixture, has_chooser, NULL);
}

static bool
has_frames (Fixture *fixture, const void *number)
{
  return odl_playback_n_frames (odl_session_playback (fixture->session))
             == GPOINTER_TO_INT (number)
         && !odl_session_info (fixture->session)->live;
}

// By the dialog, with what it offers first, or what is chosen there.
static void
export_by_dialog (Fixture *fixture, const char *path, const char *title)
{
  activate_with_text (fixture, "export", NULL);
  wait_until (fixture, has_chooser, "");
  GtkFileChooser *chooser = open_chooser ();
  g_assert_cmpstr (gtk_file_chooser_get_choice (chooser, "export-range"), ==, "range");
  if (title)
    choose (GTK_WIDGET (chooser), title);
  gtk_file_chooser_set_current_name (chooser, path);
  wait_until (fixture, has_chosen, path); // it looks the folder up
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
}

// Frames 11 to 20 of 50: their numbers are in the names, their pictures in the files.
static void
test_exports_the_range (Fixture *fixture, const void *data)
{
  g_autofree char *all = path_in (fixture, "a.png");
  g_autofree char *sequence = path_in (fixture, "a-%05d.png");
  g_autofree char *parts = path_in (fixture, "p.png");
  g_autofree char *path = path_in (fixture, "part.mkv");
  play_phantom (fixture);
  activate_with_text (fixture, "export-to", all);
  wait_until (fixture, has_toast, "Exported “a-00001.png”");
  odl_main_window_open (fixture->window, sequence, NULL);
  wait_until (fixture, has_frames, GINT_TO_POINTER (50));
  odl_session_set_playing (fixture->session, false);
  set_filters (fixture, "sliding-mean:frames=5");
  odl_playback_set_range (odl_session_playback (fixture->session), 10, 19);
  odl_settings_set_string (fixture->settings, "save-format", "high");
  export_by_dialog (fixture, path, NULL);
  wait_until (fixture, has_toast, "part.mkv");
  g_autoptr (OdlSource) source = open_video (path);
  g_assert_cmpint (source->info.n_frames, ==, 10);

  set_filters (fixture, "");
  export_by_dialog (fixture, parts, NULL);
  wait_until (fixture, has_toast, "Exported “p-00011.png”");
  for (int i = 0; i < 50; i++) {
    g_autoptr (GdkPixbuf) part = numbered (fixture, "p", i);
    g_autoptr (GdkPixbuf) frame = numbered (fixture, "a", i);
    g_assert_nonnull (frame);
    g_assert_true ((part != NULL) == (i >= 10 && i <= 19));
    g_assert_true (!part || numbered_is_same (part, frame));
  }
  g_autofree char *whole = path_in (fixture, "w.png");
  export_by_dialog (fixture, whole, "All 50");
  wait_until (fixture, has_toast, "Exported “w-00001.png”");
  g_assert_true (exists (fixture, "w-00050.png"));
}

// A file that has no name yet, in the folder.
static bool
is_writing (Fixture *fixture, const void *data)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  bool found = false;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL);
    g_autofree char *target = g_file_read_link (link, NULL);
    found |= target && g_str_has_prefix (target, fixture->folder);
  }
  return found;
}

// So large that it takes longer than a machine stands still.
static void
begin_long_export (Fixture *fixture, const char *path)
{
  forget_choices (fixture);
  odl_main_window_open (fixture->window, "phantom:2048x2048", NULL);
  wait_until (fixture, has_painted, GINT_TO_POINTER (1));
  odl_session_set_playing (fixture->session, false);
  activate_with_text (fixture, "export-to", path);
  wait_until (fixture, is_writing, NULL);
}

static void
test_export_is_cancelled (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "never.mkv");
  begin_long_export (fixture, path);
  activate_with_text (fixture, "cancel-export", NULL);
  wait_until (fixture, has_toast, "cancelled");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  assert_no_parts (fixture);
}

// What took an hour is not thrown away by a slip of the hand.
static void
test_closing_asks (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "never.mkv");
  begin_long_export (fixture, path);
  gtk_window_close (GTK_WINDOW (fixture->window));
  gtk_window_close (GTK_WINDOW (find_dialog ())); // Escape
  let_pass (100);
  g_assert_null (find_dialog ());
  g_assert_true (is_enabled (fixture, "cancel-export"));
  gtk_window_close (GTK_WINDOW (fixture->window));
  adw_message_dialog_response (find_dialog (), "stop");
  gtk_window_close (GTK_WINDOW (find_dialog ())); // as its button does
  let_pass (100);
  fixture->window = NULL;
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  assert_no_parts (fixture);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/record/what-the-canvas-shows-with-its-true-times", test_records_the_canvas);
  ADD ("/record/failures-are-told-and-leave-nothing", test_failures_are_told);
  ADD ("/record/closing-the-window-completes-the-file", test_closing_completes);
  ADD ("/record/all-frames-are-exported-while-it-plays", test_exports);
  ADD ("/record/the-range-alone-is-exported", test_exports_the_range);
  ADD ("/record/processed-frames-while-it-plays", test_processed_frames);
  ADD ("/record/what-was-chosen-is-written", test_formats);
  ADD ("/record/the-choices-are-in-the-file-chooser", test_chooser);
  ADD ("/record/an-export-can-be-cancelled", test_export_is_cancelled);
  ADD ("/record/closing-asks-before-it-stops-an-export", test_closing_asks);
  return g_test_run ();
}
