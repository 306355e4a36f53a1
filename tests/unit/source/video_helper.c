// SPDX-License-Identifier: MIT
// The video decoder as a process of its own: bombs, crashes, hangs, too much memory and
// the parent's death are a sentence or an end, and what was shown stays.
#include <glib/gstdio.h>
#include <gst/gst.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "base/error.h"
#include "source/gst_frame.h"
#include "source/video/blocks.h"
#include "support.h"
#include "video_maker.h"

#define FRAMES 60

static char *folder;
static char *own_program;

// The decoder that works for process `parent`; 0: none.
static pid_t
helper_of (pid_t parent)
{
  pid_t pid = 0;

  return odl_test_children (parent, &pid, 1) == 1 && odl_test_process_state (pid) != 'Z'
             ? pid
             : 0;
}

static char *
make_video (const char *name)
{
  return odl_test_make_moving (
      folder, name, "vp8enc deadline=1 keyframe-max-dist=20 ! webmmux", 160, 120, FRAMES);
}

// ---- Faults --------------------------------------------------------------------------

typedef struct {
  const char *name;
  int signal;
  OdlErrorCode code;
  const char *phrase;
} Death;

static const Death deaths[] = {
  // The address sanitizer makes an end of its own of others.
  { "a-crash-gives-a-message", SIGABRT, ODL_ERROR_IO, "is damaged, or of a kind" },
  { "being-killed-gives-a-message", SIGKILL, ODL_ERROR_TOO_LARGE, "was killed" },
};

// Reads on after something happened to the helper: a sentence, once, then the same frames
// as ever. What was held stays as it was.
static void
check_recovery (OdlSource *source, const Death *death, const guint64 *sums)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = NULL;
  int index = 10;

  // Some frames may be there already.
  for (; index < FRAMES && error == NULL; index++) {
    g_clear_pointer (&image, odl_image_unref);
    image = odl_source_read_frame (source, index, NULL, &error);
  }
  g_assert_error (error, ODL_ERROR, (int) death->code);
  odl_test_contains (source->info.name, error->message, death->phrase);
  g_assert_cmpint (helper_of (getpid ()), ==, 0);
  g_assert_cmpuint (odl_test_frame_checksum (source, 30), ==, sums[30]);
  g_assert_cmpuint (odl_test_frame_checksum (source, 3), ==, sums[3]);
  g_assert_cmpint (helper_of (getpid ()), >, 0);
}

static void
test_signalled (const void *data)
{
  const Death *death = data;
  g_autofree char *path = make_video ("signalled.webm");
  guint64 sums[FRAMES];

  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  for (int i = 0; i < FRAMES; i++)
    sums[i] = odl_test_frame_checksum (source, i);
  g_autoptr (OdlImage) held = odl_source_read_frame (source, 9, NULL, NULL);
  const int pid = helper_of (getpid ());
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (kill (pid, death->signal), ==, 0);
  check_recovery (source, death, sums);
  g_assert_cmpuint (odl_test_checksum (held), ==, sums[9]);
  g_clear_pointer (&source, odl_source_unref);
  g_assert_cmpuint (odl_test_checksum (held), ==, sums[9]);
  g_assert_cmpint (helper_of (getpid ()), ==, 0);
}

// As another process, since one counts what its parent had: how much the helper took, in
// kB, and what became of the file.
static int
refuse (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_CHILDREN, &usage), ==, 0);
  printf ("%ld %s\n", usage.ru_maxrss, error != NULL ? error->message : "it is taken");
  return 0;
}

static void
check_bomb (char *path, long most_mb)
{
  char *argv[] = { own_program, (char *) "--refuse", path, NULL };
  g_autofree char *out = NULL;

  g_assert_true (g_spawn_sync (NULL, argv, NULL, 0, NULL, NULL, &out, NULL, NULL, NULL));
  g_test_message ("%s: %s", path, out);
  odl_test_contains (path, out, "16000 × 8000");
  odl_test_contains (path, out, "8192 × 4320");
  g_assert_cmpint (atol (out), >, 0);
  g_assert_cmpint (atol (out), <, most_mb << 10);
}

// Each two bytes that say `from`, big endian, say `to`.
static void
replace_numbers (char *bytes, gsize size, int from, int to)
{
  for (gsize i = 0; i + 1 < size; i++)
    if ((guint8) bytes[i] == from >> 8 && (guint8) bytes[i + 1] == (from & 0xff)) {
      bytes[i] = (char) (to >> 8);
      bytes[i + 1] = (char) to;
    }
}

// A frame of 128 million pixels, which takes 192 MB; and one whose container says that it
// is small, so that only its decoder finds out, with one frame at hand.
static void
test_bomb (void)
{
  g_autofree char *path
      = odl_test_make_moving (folder, "bomb.mov", "jpegenc ! qtmux", 16000, 8000, 1);
  g_autofree char *bytes = NULL;
  gsize size = 0;

  if (path == NULL)
    return;
  check_bomb (path, 150);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  char *index = g_strrstr_len (bytes, (gssize) size, "moov");
  if (index == NULL)
    for (index = bytes; memcmp (index, "moov", 4) != 0;)
      index++;
  replace_numbers (index, size - (gsize) (index - bytes), 16000, 160);
  replace_numbers (index, size - (gsize) (index - bytes), 8000, 80);
  g_autofree char *liar = odl_test_write (folder, "liar.mov", bytes, size);
  check_bomb (liar, 400);
}

// The helper under a limit that its work does not fit into.
static void
test_memory (void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("memory is not limited under sanitizers");
  return;
#endif
  g_autofree char *path = odl_test_make_moving (
      folder, "large.webm", "vp8enc deadline=1 ! webmmux", 1920, 1080, 3);
  g_autofree char *script = g_strdup_printf (
      "#!/bin/sh\nexec %s/src/video_decoder/ondelette-video-decoder $1 "
      "16000000 $3\n",
      ODL_BUILD_ROOT);
  g_autofree char *wrapper = odl_test_write_program (folder, "small.sh", script);
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return;
  g_setenv ("ODL_VIDEO_DECODER", wrapper, TRUE);
  g_assert_null (odl_source_open (path, NULL, &error));
  g_unsetenv ("ODL_VIDEO_DECODER");
  g_test_message ("%s", error->message);
  odl_test_contains (path, error->message, "large.webm");
  g_autoptr (OdlSource) source = odl_test_open_video (path);
}

static void
test_no_program (void)
{
  g_autofree char *path = make_video ("none.webm");

  if (path == NULL)
    return;
  g_setenv ("ODL_VIDEO_DECODER", "/nonexistent/decoder", TRUE);
  g_autofree char *refusal = odl_test_refusal (path);
  g_unsetenv ("ODL_VIDEO_DECODER");
  odl_test_contains (path, refusal, "install Ondelette again");
}

// A helper that says anything but what it should.
static void
test_invalid_answers (void)
{
  static const char *const scripts[] = {
    "#!/bin/sh\nexit 0\n",
    "#!/bin/sh\nexit 3\n",
    "#!/bin/sh\nkill -SEGV $$\n",
    "#!/usr/bin/python3\nimport os\nos.write(4, b'nonsense')\nos.read(4, 1)\n",
    "#!/usr/bin/python3\nimport os\nos.write(4, b'VLDO\\1\\0\\0\\0' + bytes(8000))\n"
    "os.read(4, 1)\n",
  };
  g_autofree char *path = make_video ("nonsense.webm");

  if (path == NULL)
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (scripts); i++) {
    g_autofree char *program = odl_test_write_program (folder, "nonsense.sh", scripts[i]);
    g_setenv ("ODL_VIDEO_DECODER", program, TRUE);
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_source_open (path, NULL, &error));
    g_unsetenv ("ODL_VIDEO_DECODER");
    odl_test_contains (path, error->message, "the decoder");
    // The file is to blame, not the disk.
    g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  }
}

// ---- Time ----------------------------------------------------------------------------

// Seconds of CPU time that the process may use; −1: as much as it wants.
static gint64
limit_of (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/limits", (int) pid);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  const char *line = strstr (text, "Max cpu time");
  g_assert_nonnull (line);
  return g_ascii_isdigit (line[26]) ? g_ascii_strtoll (line + 26, NULL, 10) : -1;
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (200000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

// A helper that is stopped does not work, and whoever waits for it may give up. It goes
// on where it was.
static void
test_stopped (void)
{
  g_autofree char *path = make_video ("stopped.webm");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  const pid_t pid = helper_of (getpid ());
  const guint64 sum = odl_test_frame_checksum (source, 40);
  // Back, so that the helper has to seek.
  g_assert_cmpuint (odl_test_frame_checksum (source, 2), !=, sum);
  g_assert_cmpint (kill (pid, SIGSTOP), ==, 0);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  for (int i = 3; i < FRAMES && error == NULL; i++)
    odl_image_unref (odl_source_read_frame (source, i, cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  g_assert_cmpint (kill (pid, SIGCONT), ==, 0);
  g_assert_cmpuint (odl_test_frame_checksum (source, 40), ==, sum);
}

// What GStreamer does before the file is opened, as looking through its plugins the first
// time, is not the file's time.
static void
test_limits (void)
{
  g_autofree char *path = make_video ("limits.webm");
  g_autofree char *begun = g_build_filename (folder, "begun", NULL);
  g_autofree char *script = g_strdup_printf (
      "#!/bin/sh\nsleep 0.5; ulimit -t > '%s.part'; mv '%s.part' '%s'; exit 3\n", begun,
      begun, begun);
  g_autofree char *program = odl_test_write_program (folder, "starts.sh", script);
  g_autofree char *limit = NULL;

  if (path == NULL)
    return;
  g_setenv ("ODL_VIDEO_DECODER", program, TRUE);
  g_assert_null (odl_source_open (path, NULL, NULL));
  g_unsetenv ("ODL_VIDEO_DECODER");
  g_assert_true (g_file_get_contents (begun, &limit, NULL, NULL));
  g_test_message ("before it is ready: %s", limit);
  g_assert_true (g_str_has_prefix (limit, "unlimited")
                 || g_ascii_strtoll (limit, NULL, 10) > 1000000);
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  const gint64 seconds = limit_of (helper_of (getpid ()));
  g_assert_cmpint (seconds, >, 0);
  g_assert_cmpint (seconds, <, 1000);
}

// ---- The parent's death --------------------------------------------------------------

// As another process: opens, says which helper it has, and waits to be killed.
static G_NORETURN void
hold (const char *path)
{
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, NULL);

  g_print ("%d\n", source != NULL ? helper_of (getpid ()) : -1);
  fflush (stdout);
  for (;;)
    pause ();
}

static void
test_parent_dies (void)
{
  g_autofree char *path = make_video ("held.webm");
  char *argv[] = { own_program, (char *) "--hold", path, NULL };
  GPid pid = 0;
  int out = -1, helper = 0;
  char line[32] = "";

  if (path == NULL)
    return;
  g_assert_true (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD,
                                           NULL, NULL, &pid, NULL, &out, NULL, NULL));
  g_assert_cmpint (read (out, line, sizeof line - 1), >, 0);
  helper = atoi (line);
  g_assert_cmpint (helper, >, 0);
  g_assert_cmpint (odl_test_process_state (helper), !=, '\0');
  // Also one that does nothing any more.
  g_assert_cmpint (kill (helper, SIGSTOP), ==, 0);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  // Waits for it; the time is the test's own limit.
  for (char state = 'S'; state != '\0' && state != 'Z';) {
    g_usleep (1000);
    state = odl_test_process_state (helper);
  }
  close (out);
}

// ---- Memory that is lent -------------------------------------------------------------

static void
test_blocks (void)
{
  OdlVideoBlocks *blocks = odl_video_blocks_new ();
  OdlVideoBlock *held[200];
  uint32_t recalled[16];
  const int fds = odl_test_count_fds ();

  for (int i = 0; i < 200; i++) {
    held[i] = odl_video_blocks_take (blocks, 100000, NULL);
    g_assert_nonnull (held[i]);
    const int fd = odl_video_blocks_new_fd (blocks, held[i]);
    g_assert_true (fd < 0 || lseek (fd, 0, SEEK_END) == (off_t) held[i]->chunk_bytes);
    for (int k = 0; k < i; k++)
      g_assert_true (held[k]->data != held[i]->data);
  }
  // Few descriptors, whatever the number of frames.
  g_assert_cmpint (odl_test_count_fds () - fds, <=, 200 / 64 + 1);
  for (int i = 0; i < 200; i++)
    odl_video_block_give (held[i]);
  g_assert_cmpint (odl_test_count_fds () - fds, <=, 1);
  g_assert_cmpuint (odl_video_blocks_recall (blocks, recalled, 16), ==, 3);
  g_assert_cmpuint (odl_video_blocks_recall (blocks, recalled, 16), ==, 0);
  OdlVideoBlock *last = odl_video_blocks_take (blocks, 5 << 20, NULL);
  odl_video_blocks_free (blocks);
  g_assert_cmpint (last->data[(5 << 20) - 1], ==, 0);
  odl_video_block_give (last);
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--hold"))
    hold (argv[2]);
  if (argc == 3 && g_str_equal (argv[1], "--refuse"))
    return refuse (argv[2]);
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  own_program = argv[0];
  folder = odl_test_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (deaths); i++) {
    g_autofree char *name = g_strconcat ("/helper/", deaths[i].name, NULL);
    g_test_add_data_func (name, &deaths[i], test_signalled);
  }
  g_test_add_func ("/helper/too-large-frames-are-refused", test_bomb);
  g_test_add_func ("/helper/too-much-memory-is-refused", test_memory);
  g_test_add_func ("/helper/a-missing-program-is-told", test_no_program);
  g_test_add_func ("/helper/invalid-answers-give-a-message", test_invalid_answers);
  g_test_add_func ("/helper/one-that-is-stopped-goes-on", test_stopped);
  g_test_add_func ("/helper/its-time-begins-with-the-file", test_limits);
  g_test_add_func ("/helper/it-ends-with-its-parent", test_parent_dies);
  g_test_add_func ("/helper/blocks-are-lent-and-come-back", test_blocks);
  int result = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return result;
}
