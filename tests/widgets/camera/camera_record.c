// SPDX-License-Identifier: MIT
// A camera of a real PipeWire server is recorded: its processed frames in the window, and
// on the command line.
#include <adwaita.h>

#include "base/error.h"
#include "source/frame_reader.h"
#include "camera_window.h"

static bool
has_frames (Fixture *fixture, const void *data)
{
  return odl_session_info (fixture->session)->capture
         && odl_session_n_painted (fixture->session) > 3;
}

static bool
has_trouble (Fixture *fixture, const void *data)
{
  return (odl_session_trouble (fixture->session) != NULL) == (data != NULL);
}

// Counts the pictures of a video, with a strip below or without, and those of them whose
// middle is not red.
static void
count_frames (const char *path, bool strip, int *n, int *others)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (OdlFrameReader) reader = odl_frame_reader_new (source, 0, -1, &error);
  g_assert_no_error (error);
  OdlReadFrame *frame;
  *n = *others = 0;
  while ((frame = odl_frame_reader_next (reader, NULL, &error)) != NULL) {
    const OdlExtent extent = odl_image_info (frame->image)->extent;
    float reds[320], greens[320];
    g_assert_cmpint (extent.x, ==, 320);
    g_assert_true (strip ? extent.y > 240 : extent.y == 240);
    odl_image_scaled_row (frame->image, 0, 120, 0, 0, reds);
    odl_image_scaled_row (frame->image, 1, 120, 0, 0, greens);
    *n += !frame->again;
    *others += !frame->again && (reds[160] < 0.95 || greens[160] > 0.05);
    odl_read_frame_free (frame);
  }
  g_assert_no_error (error);
  g_test_message ("%s: %d pictures, %d of them not red", path, *n, *others);
}

static bool
can_record (Fixture *fixture, const void *data)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window),
                                            "record-to");
}

static void
count_cb (int *n)
{
  (*n)++;
}

static void
test_window (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  int n, others;
  g_autofree char *path = g_build_filename (fixture->folder, "live.mkv", NULL);
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  odl_settings_set_string (fixture->settings, "record-frames", "processed");
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, "gaussian:sigma=1", &error);
  g_assert_no_error (error);
  odl_main_window_open (fixture->window, "webcam:red-camera", &recipe);
  wait_until (fixture, has_frames, NULL);
  activate_with_text (fixture, "wipe", NULL);
  // On a machine that stands still the camera seems lost, and that is recorded.
  int troubles = 0;
  gulong handler = g_signal_connect_swapped (fixture->session, "trouble-changed",
                                             G_CALLBACK (count_cb), &troubles);
  for (int i = 0; i < 5 && (i == 0 || troubles > 0); i++) {
    wait_until (fixture, has_trouble, NULL);
    troubles = 0;
    activate_with_text (fixture, "record-to", path);
    wait_for_frames (fixture, 20);
    activate_with_text (fixture, "record", NULL);
    wait_until (fixture, can_record, NULL);
    count_frames (path, true, &n, &others);
    g_assert_cmpint (n, >=, 5);
    if (troubles == 0)
      g_assert_cmpint (others, ==, 0);
  }
  g_signal_handler_disconnect (fixture->session, handler);

  // A lost signal is a cross over the last picture, and then it goes on.
  activate_with_text (fixture, "record-to", path);
  wait_for_frames (fixture, 6);
  camera_freeze (&camera);
  wait_until (fixture, has_trouble, "");
  let_pass (1000); // the encoder has nothing else to do
  camera_thaw (&camera);
  wait_until (fixture, has_trouble, NULL);
  wait_for_frames (fixture, 6);
  activate_with_text (fixture, "record", NULL);
  wait_until (fixture, can_record, NULL);
  count_frames (path, true, &n, &others);
  g_assert_cmpint (others, >=, 1);
  g_assert_cmpint (others, <, n);
  camera_unplug (&camera);
}

static int
run_once (Fixture *fixture, const char *const *options, char **said)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_ptr_array_add (words, (char *) g_getenv ("ODL_CLI"));
  g_ptr_array_add (words, (char *) "process");
  g_ptr_array_add (words, (char *) "webcam:red-camera");
  g_ptr_array_add (words, (char *) "--force"); // what was tried before may lie there
  for (int i = 0; options[i]; i++)
    g_ptr_array_add (words, (char *) options[i]);
  g_ptr_array_add (words, NULL);
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_cwd (launcher, fixture->folder);
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (
      launcher, (const char *const *) words->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, said, &error);
  g_assert_no_error (error);
  g_test_message ("%s", *said);
  return g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process)
                                              : -1;
}

// A machine that stands still lets the time go by in which a camera must answer: that is
// said, and tried again.
static int
run_cli (Fixture *fixture, const char *const *options, char **said)
{
  int status = run_once (fixture, options, said);
  for (int i = 0;
       i < 10
       && (strstr (*said, "No camera was found") || strstr (*said, "sends no pictures")
           || strstr (*said, "does not answer"));
       i++) {
    g_free (*said);
    status = run_once (fixture, options, said);
  }
  return status;
}

static void
test_command_line (Fixture *fixture, const void *data)
{
  static const char *const video[]
      = { "-o", "a.mkv", "--frames", "1-20", "--filter", "gaussian", NULL };
  static const char *const numbered[] = { "-o", "a-%02d.png", "--frames", "1-5", NULL };
  static const char *const endless[] = { "-o", "b.mkv", NULL };
  static const char *const timed[] = { "-o", "c.mkv", "--duration", "1", NULL };
  Camera camera = { 0 };
  int n, others;
  char *said = NULL;
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  g_autofree char *a = g_build_filename (fixture->folder, "a.mkv", NULL);
  g_assert_cmpint (run_cli (fixture, video, &said), ==, 0);
  g_clear_pointer (&said, g_free);
  count_frames (a, true, &n, &others);
  // Of pictures that came at once, as they do when a machine was busy, a player shows
  // one.
  g_assert_cmpint (n, >=, 1);
  g_assert_cmpint (n, <=, 20);
  g_assert_cmpint (others, ==, 0);

  g_autofree char *last = g_build_filename (fixture->folder, "a-05.png", NULL);
  g_autofree char *none = g_build_filename (fixture->folder, "a-06.png", NULL);
  g_assert_cmpint (run_cli (fixture, numbered, &said), ==, 0);
  g_clear_pointer (&said, g_free);
  g_assert_true (g_file_test (last, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS));

  g_autofree char *b = g_build_filename (fixture->folder, "b.mkv", NULL);
  g_assert_cmpint (run_cli (fixture, endless, &said), !=, 0);
  g_assert_nonnull (strstr (said, "--duration"));
  g_clear_pointer (&said, g_free);
  g_assert_false (g_file_test (b, G_FILE_TEST_EXISTS));

  g_autofree char *c = g_build_filename (fixture->folder, "c.mkv", NULL);
  g_assert_cmpint (run_cli (fixture, timed, &said), ==, 0);
  g_clear_pointer (&said, g_free);
  count_frames (c, false, &n, &others);
  g_assert_cmpint (n, >=, 1);
  g_assert_cmpint (n, <=, 31);
  camera_unplug (&camera);
}

int
main (int argc, char **argv)
{
  need_camera_window (&argc, &argv);
  ADD ("/camera-record/processed frames, with the signal lost in between", test_window);
  ADD ("/camera-record/frames and seconds on the command line", test_command_line);
  return g_test_run ();
}
