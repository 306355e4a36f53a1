// SPDX-License-Identifier: MIT
// The helper process as an adversary: it crashes, hangs, lies and says nothing; and files
// that are no files.
#include <glib/gstdio.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../helpers/bar.h"
#include "base/error.h"
#include "decoder/protocol.h"
#include "image/number.h"
#include "source/helper/process.h"
#include "support.h"

// Enough of a PNG to be sent to the helper.
static const char png_head[] = "\x89PNG\r\n\x1a\n and nothing more";

// The system's own: others may be scripts, whose helper waits for a program of theirs.
#define PYTHON "/usr/bin/python3"

// The most patient wait for a busy helper (source/helper/decoder_process.c), and a file
// that is looked at.
#define HELPER_US (16 * G_USEC_PER_SEC)
#define LOOK_US (2 * G_USEC_PER_SEC)
// From a cancel to the end of the helper.
#define CANCEL_US (G_USEC_PER_SEC / 2)

typedef struct {
  char *folder;
  char *picture;
  char *real_decoder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = odl_test_folder ();
  fixture->picture
      = odl_test_write (fixture->folder, "victim.png", png_head, sizeof png_head);
  fixture->real_decoder = g_strdup (g_getenv ("ODL_DECODER"));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->real_decoder != NULL)
    g_setenv ("ODL_DECODER", fixture->real_decoder, TRUE);
  else
    g_unsetenv ("ODL_DECODER");
  odl_test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->picture);
  g_free (fixture->real_decoder);
}

static void
use_script (Fixture *fixture, const char *body)
{
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\n%s\n", body);
  g_autofree char *path = odl_test_write_program (fixture->folder, "decoder.sh", text);

  g_setenv ("ODL_DECODER", path, TRUE);
}

// Makes the helper answer with `bytes`.
static void
use_answer (Fixture *fixture, const void *bytes, size_t size)
{
  g_autofree char *path = odl_test_write (fixture->folder, "answer", bytes, size);
  g_autofree char *script = g_strdup_printf ("exec dd if='%s' bs=65536 >&4", path);
  use_script (fixture, script);
}

static void
expect (Fixture *fixture, const char *phrase)
{
  gint64 start = g_get_monotonic_time ();
  int fds = odl_test_count_fds ();
  g_autofree char *message = odl_test_refusal (fixture->picture);

  odl_test_contains (fixture->picture, message, "victim.png");
  odl_test_contains (fixture->picture, message, phrase);
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  odl_test_took (phrase, g_get_monotonic_time () - start, HELPER_US);
}

static void
test_ends (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *script;
    const char *phrase;
  } cases[] = {
    { "kill -SEGV $$", "crashed" },
    { "kill -ABRT $$", "crashed" },
    { "kill -KILL $$", "was killed" },
    { "kill -XCPU $$", "too long" },
    { "exit 0", "without an answer (status 0)" },
    { "exit 3", "without an answer (status 3)" },
    { "printf garbage >&4", "invalid answer" },
    { "exec head -c 300 /dev/urandom >&4", "invalid answer" },
    { "exec head -c 65000 /dev/zero >&4", "invalid answer" },
    { "exec 4>&-; sleep 0.1", "without an answer" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("%s", cases[i].script);
    use_script (fixture, cases[i].script);
    expect (fixture, cases[i].phrase);
  }
}

static void
test_hang (Fixture *fixture, gconstpointer data)
{
  use_script (fixture, "while :; do :; done");
  expect (fixture, "too long");
}

static GCancellable *waiting;

static void
tell_idle_cb (void)
{
  g_assert_false (g_cancellable_is_cancelled (waiting));
  g_cancellable_cancel (waiting);
}

// One that does nothing, as one that waits for a disk, has no limit: it is told, once,
// and who waits may end it.
static void
test_idle (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  waiting = g_cancellable_new ();
  odl_helper_process_tell_idle (tell_idle_cb);
  use_script (fixture, "exec sleep 6000");
  g_assert_null (odl_source_open (fixture->picture, waiting, &error));
  odl_helper_process_tell_idle (NULL);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  g_assert_true (g_cancellable_is_cancelled (waiting));
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_clear_object (&waiting);
}

static void
test_missing_program (Fixture *fixture, gconstpointer data)
{
  g_setenv ("ODL_DECODER", "/nonexistent/decoder", TRUE);
  expect (fixture, "does not start");
}

typedef struct {
  GCancellable *cancellable;
  const char *begun; // a file that the helper makes
  int64_t at_us; // when it was cancelled
} Cancel;

static gpointer
cancel_once_begun (gpointer data)
{
  Cancel *cancel = data;

  while (!g_file_test (cancel->begun, G_FILE_TEST_EXISTS))
    g_usleep (1000);
  cancel->at_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancel->cancellable);
  return NULL;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  int fds;

  // A file so large that its decoding may take minutes.
  g_assert_no_errno (truncate (fixture->picture, (off_t) 1 << 30));
  g_autofree char *begun = g_build_filename (fixture->folder, "begun", NULL);
  g_autofree char *script = g_strdup_printf (": >'%s'; exec sleep 600", begun);
  use_script (fixture, script);
  Cancel cancel = { cancellable, begun, 0 };
  GThread *thread = g_thread_new ("cancel", cancel_once_begun, &cancel);
  g_assert_null (odl_source_open (fixture->picture, cancellable, &error));
  g_thread_join (thread);
  odl_test_took ("a cancel", g_get_monotonic_time () - cancel.at_us, CANCEL_US);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);

  // Cancelled before it began.
  g_clear_error (&error);
  fds = odl_test_count_fds ();
  g_assert_null (odl_source_open (fixture->picture, cancellable, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
}

// An answer that would be believed, with 16 bytes of pixels.
static OdlDecoderReply
plausible_answer (void)
{
  return (OdlDecoderReply){
    .magic = ODL_DECODER_MAGIC,
    .version = ODL_DECODER_VERSION,
    .status = ODL_DECODER_OK,
    .text_bytes = ODL_DECODER_N_TEXTS,
    .width = 4,
    .height = 4,
    .channels = 1,
    .n_frames = 1,
    .declared_frames = 1,
    .data_bytes = 16,
    .stored_max = 255,
    .slope = 1,
    .pixel_aspect = 1,
  };
}

// Sends an answer that would be believed, with a memory file that deserves less or more.
static const char sender[]
    = "import array, fcntl, os, socket, sys\n"
      "answer, file_bytes, seals, kind = sys.argv[1], *map(int, sys.argv[2:4]), "
      "sys.argv[4]\n"
      "if kind == 'memory':\n"
      "    fd = os.memfd_create('x', os.MFD_ALLOW_SEALING)\n"
      "else:\n"
      "    fd = os.open(answer, os.O_RDONLY)\n"
      "if kind == 'memory':\n"
      "    os.write(fd, bytes(i % 256 for i in range(file_bytes)))\n"
      "    fcntl.fcntl(fd, 1033, seals)\n"
      "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=4)\n"
      "s.sendmsg([open(answer, 'rb').read()],\n"
      "          [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd] * 2))])\n";

static void
use_sender (Fixture *fixture, const OdlDecoderReply *reply, const char *arguments)
{
  char bytes[sizeof *reply + ODL_DECODER_N_TEXTS] = { 0 };

  memcpy (bytes, reply, sizeof *reply);
  g_autofree char *answer
      = odl_test_write (fixture->folder, "answer", bytes, sizeof bytes);
  g_autofree char *program
      = odl_test_write (fixture->folder, "sender.py", sender, strlen (sender));
  g_autofree char *script
      = g_strdup_printf ("exec " PYTHON " '%s' '%s' %s", program, answer, arguments);
  use_script (fixture, script);
}

static void
test_absurd_answers (Fixture *fixture, gconstpointer data)
{
  OdlDecoderReply replies[49];
  const char *files[G_N_ELEMENTS (replies)] = { NULL };
  size_t n = 0;

  if (!g_file_test (PYTHON, G_FILE_TEST_IS_EXECUTABLE)) {
    g_test_skip (PYTHON " is absent");
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (replies); i++)
    replies[i] = plausible_answer ();
  replies[n++].width = G_MAXUINT32;
  replies[n++].width = 2;
  replies[n++].height = 5;
  replies[n].width = replies[n].height = 65536;
  replies[n++].data_bytes = (uint64_t) 1 << 32;
  replies[n].width = 2;
  replies[n++].channels = 2;
  replies[n++].sample_type = 77;
  replies[n++].number_type = ODL_N_NUMBERS;
  replies[n++].number_type = ODL_NUMBER_F64; // bytes hold none
  replies[n++].number_bytes = 16; // of no type
  replies[n].number_type = ODL_NUMBER_S32; // only beside floats
  replies[n++].number_bytes = 64;
  replies[n++].has_padding = 2;
  replies[n].has_padding = 1;
  replies[n++].padding[0] = 1;
  replies[n].has_padding = 1;
  replies[n++].padding[1] = __builtin_nan ("");
  replies[n++].has_found = 2;
  replies[n].has_found = 1;
  replies[n++].found[0] = 1;
  replies[n++].stored_max = -1;
  replies[n++].stored_min = __builtin_nan ("");
  replies[n++].slope = __builtin_nan ("");
  replies[n++].slope = 0;
  replies[n++].intercept = __builtin_inf ();
  replies[n++].pixel_aspect = 0;
  replies[n++].spacing_mm[1] = -1;
  replies[n++].spacing_place = ODL_N_SPACING_PLACES;
  replies[n++].n_frames = 0;
  replies[n++].n_frames = G_MAXUINT32;
  replies[n++].n_details = 1000000;
  replies[n++].n_details = 1;
  replies[n++].text_bytes = 60000;
  replies[n++].version = 99;
  replies[n++].magic = 99;
  replies[n++].status = 12345;
  replies[n++].frame_rate = __builtin_inf ();
  replies[n++].has_window = 1; // of width 0
  replies[n++].voi_function = ODL_N_VOI_FUNCTIONS;
  replies[n++].has_overlay = 2;
  replies[n++].has_overlay = 1; // of which there are no bits
  replies[n++].n_levels = 2; // which are not there
  // These are there: 16 bytes of samples, 4 of each level.
  files[n] = "20 14 memory";
  replies[n].levels_last = 1;
  replies[n++].n_levels = 1;
  files[n] = "24 14 memory";
  replies[n++].n_levels = 2; // from 0 to 0
  files[n] = "24 14 memory";
  replies[n].n_levels = 2;
  replies[n++].levels_last = __builtin_inf ();
  files[n] = "262164 14 memory";
  replies[n].levels_last = 1;
  replies[n++].n_levels = ODL_CURVE_MAX_LEVELS + 1;
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (replies));
  for (size_t i = 0; i < n; i++) {
    g_test_message ("answer %zu", i);
    use_sender (fixture, &replies[i], files[i] != NULL ? files[i] : "16 14 memory");
    expect (fixture, "invalid answer");
  }
}

// Levels and an overlay that make sense are believed: so it is no other reason that the
// ones above are not. Here the levels are tiny and the overlay has byte after byte.
static void
test_levels_and_overlay (Fixture *fixture, gconstpointer data)
{
  OdlDecoderReply reply = plausible_answer ();
  g_autoptr (OdlSource) source = NULL;

  if (!g_file_test (PYTHON, G_FILE_TEST_IS_EXECUTABLE)) {
    g_test_skip (PYTHON " is absent");
    return;
  }
  reply.voi_function = ODL_VOI_SIGMOID;
  reply.n_levels = 3;
  reply.levels_first = -5;
  reply.levels_last = 5;
  reply.has_overlay = 1;
  use_sender (fixture, &reply, "32 14 memory");
  g_autoptr (OdlImage) image = odl_test_open (fixture->picture, &source);
  const OdlImageInfo *info = odl_image_info (image);
  g_assert_cmpint (info->value_map.function, ==, ODL_VOI_SIGMOID);
  g_assert_cmpint (info->value_map.curve->n, ==, 3);
  g_assert_cmpfloat (info->value_map.curve_first, ==, -5);
  g_assert_cmpfloat (info->value_map.curve_last, ==, 5);
  for (int y = 0; y < 4; y++)
    g_assert_cmpint (info->overlay->bits[y], ==, 16 + 3 * 4 + y);
}

// Whole and sealed pixels are of no use without their description, nor that alone.
static void
test_answer_without_pixels (Fixture *fixture, gconstpointer data)
{
  OdlDecoderReply reply = plausible_answer ();
  char bytes[sizeof reply + ODL_DECODER_N_TEXTS] = { 0 };

  memcpy (bytes, &reply, sizeof reply);
  for (size_t size = 1; size <= sizeof bytes; size += 23) {
    use_answer (fixture, bytes, size);
    expect (fixture, "invalid answer");
  }
  use_answer (fixture, bytes, sizeof bytes);
  expect (fixture, "invalid answer");
}

// Answers with what is in a file, and says how much processor time it has once it was
// answered itself.
static const char asker[]
    = "import os, resource, sys\n"
      "os.write(4, open(sys.argv[1], 'rb').read())\n"
      "os.read(4, 100)\n"
      "print(resource.getrlimit(resource.RLIMIT_CPU)[0], file=open(sys.argv[2], 'w'))\n";

// A file that a helper asks for may be much larger than that which it was started for.
static void
test_time_for_another_file (Fixture *fixture, gconstpointer data)
{
  static const char header[] = "ObjectType = Image\nNDims = 2\n";
  static const char name[] = "samples.raw";
  OdlDecoderReply reply = plausible_answer ();
  char bytes[sizeof reply + sizeof name];
  g_autofree char *report = g_build_filename (fixture->folder, "report", NULL);
  g_autofree char *text = NULL;

  if (!g_file_test (PYTHON, G_FILE_TEST_IS_EXECUTABLE)) {
    g_test_skip (PYTHON " is absent");
    return;
  }
  reply.status = ODL_DECODER_WANTS_FILE;
  reply.text_bytes = sizeof name;
  memcpy (bytes, &reply, sizeof reply);
  memcpy (bytes + sizeof reply, name, sizeof name);
  g_autofree char *picture
      = odl_test_write (fixture->folder, "victim.mhd", header, strlen (header));
  g_autofree char *samples = odl_test_write (fixture->folder, name, "", 0);
  g_assert_no_errno (truncate (samples, (off_t) 1 << 30));
  g_autofree char *answer
      = odl_test_write (fixture->folder, "answer", bytes, sizeof bytes);
  g_autofree char *program
      = odl_test_write (fixture->folder, "asker.py", asker, strlen (asker));
  g_autofree char *script
      = g_strdup_printf ("exec " PYTHON " '%s' '%s' '%s'", program, answer, report);
  use_script (fixture, script);
  g_free (odl_test_refusal (picture));
  g_assert_true (g_file_get_contents (report, &text, NULL, NULL));
  // 500 ns for each byte.
  g_assert_cmpint (atoi (text), >=, 536);
}

static void
test_refusal_is_passed_on (Fixture *fixture, gconstpointer data)
{
  static const char sentence[] = "it is Tuesday";
  OdlDecoderReply reply = plausible_answer ();
  char bytes[sizeof reply + sizeof sentence + ODL_DECODER_N_TEXTS - 1] = { 0 };

  reply.status = ODL_ERROR_UNSUPPORTED;
  reply.text_bytes = sizeof bytes - sizeof reply;
  memcpy (bytes, &reply, sizeof reply);
  memcpy (bytes + sizeof reply, sentence, sizeof sentence);
  use_answer (fixture, bytes, sizeof bytes);
  expect (fixture, "Cannot open victim.png: it is Tuesday");
}

static void
expect_refused (const char *path, const char *phrase)
{
  int fds = odl_test_count_fds ();
  gint64 start = g_get_monotonic_time ();
  g_autofree char *message = odl_test_refusal (path);

  odl_test_contains (path, message, phrase);
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
  odl_test_took (phrase, g_get_monotonic_time () - start, LOOK_US);
}

static void
test_no_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *fifo = g_build_filename (fixture->folder, "pipe.png", NULL);
  g_autofree char *hidden = g_build_filename (fixture->folder, "hidden.png", NULL);
  g_autofree char *absent = g_build_filename (fixture->folder, "absent.png", NULL);
  g_autofree char *place = g_build_filename (fixture->folder, "socket.png", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_strlcpy (address.sun_path, place, sizeof address.sun_path);
  g_assert_no_errno (bind (listener, (struct sockaddr *) &address, sizeof address));
  g_assert_no_errno (mkfifo (fifo, 0600));
  expect_refused (fifo, "pipe");
  expect_refused (place, "socket");
  expect_refused ("/dev/zero", "device");
  expect_refused (fixture->folder, "folder");
  expect_refused (absent, "absent.png: No such file");
  close (listener);

  g_assert_true (g_file_set_contents (hidden, png_head, sizeof png_head, NULL));
  g_assert_no_errno (g_chmod (hidden, 0));
  if (access (hidden, R_OK) != 0)
    expect_refused (hidden, "Permission denied");
}

static void
test_odd_names (Fixture *fixture, gconstpointer data)
{
  static const char *const names[]
      = { "new\nline.png", "\xff\xfe not UTF-8.png", "<b>markup<b> %s %n.png",
          "-o --help.png", "phantom.png" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = odl_test_write (fixture->folder, names[i], "no picture", 10);
    expect_refused (path, "known format");
  }
}

typedef struct {
  const char *path;
  int failures;
} Load;

static gpointer
open_many (gpointer data)
{
  Load *load = data;

  for (int i = 0; i < 4; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = odl_source_open (load->path, NULL, &error);
    load->failures += source == NULL && error != NULL;
  }
  return NULL;
}

static void
test_many_threads (Fixture *fixture, gconstpointer data)
{
  GThread *threads[4];
  Load loads[G_N_ELEMENTS (threads)];
  int fds = odl_test_count_fds ();

  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++) {
    loads[i] = (Load){ .path = fixture->picture };
    threads[i] = g_thread_new ("open", open_many, &loads[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++) {
    g_thread_join (threads[i]);
    g_assert_cmpint (loads[i].failures, ==, 4);
  }
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
}

// The helper sees its file, its socket and nothing else of ours.
static void
test_inherits_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *report = g_build_filename (fixture->folder, "report", NULL);
  g_autofree char *script = g_strdup_printf ("echo /proc/$$/fd/* > '%s'", report);
  g_autofree char *text = NULL;
  int stray = fcntl (STDIN_FILENO, F_DUPFD, 7); // without close-on-exec

  g_assert_cmpint (stray, ==, 7);
  use_script (fixture, script);
  g_free (odl_test_refusal (fixture->picture));
  close (stray);
  g_assert_true (g_file_get_contents (report, &text, NULL, NULL));
  g_test_message ("open in the helper: %s", text);
  // The shell opens some of its own to look.
  g_assert_nonnull (strstr (text, "/fd/4"));
  g_assert_null (strstr (text, "/fd/7"));
}

static void
test_memory_file (Fixture *fixture, gconstpointer data)
{
  // Size, seals (all that matter: 14), kind.
  static const char *const refused[]
      = { "16 0 memory",  "16 6 memory",  "16 10 memory", "16 12 memory",
          "15 14 memory", "17 14 memory", "16 14 file" };
  int fds = odl_test_count_fds ();
  OdlDecoderReply reply = plausible_answer ();

  if (!g_file_test (PYTHON, G_FILE_TEST_IS_EXECUTABLE)) {
    g_test_skip (PYTHON " is absent");
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_test_message ("%s", refused[i]);
    use_sender (fixture, &reply, refused[i]);
    expect (fixture, "invalid answer");
  }
  use_sender (fixture, &reply, "16 14 memory");
  g_autoptr (OdlSource) source = NULL;
  g_autoptr (OdlImage) image = odl_test_open (fixture->picture, &source);
  g_assert_cmpfloat (odl_test_sample (image, 0, 3, 3), ==, 15);
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
}

static const struct {
  const char *name;
  void (*run) (Fixture *fixture, gconstpointer data);
} cases[] = {
  { "every-end-of-the-helper-gives-a-message", test_ends },
  { "a-helper-that-computes-without-end-is-stopped", test_hang },
  { "a-helper-that-waits-is-told-and-can-be-ended", test_idle },
  { "a-missing-helper-gives-a-message", test_missing_program },
  { "cancelling-stops-the-helper-at-once", test_cancel },
  { "absurd-answers-are-refused", test_absurd_answers },
  { "levels-and-an-overlay-are-believed", test_levels_and_overlay },
  { "an-answer-without-pixels-is-refused", test_answer_without_pixels },
  { "a-file-that-is-asked-for-has-its-time", test_time_for_another_file },
  { "a-refusal-names-the-file", test_refusal_is_passed_on },
  { "what-is-no-file-never-blocks", test_no_files },
  { "odd-names-are-shown-in-one-line", test_odd_names },
  { "many-threads-may-open-at-once", test_many_threads },
  { "pixels-come-only-in-a-sealed-file-of-right-size", test_memory_file },
  { "the-helper-inherits-two-descriptors", test_inherits_nothing },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strconcat ("/process/", cases[i].name, NULL);
    g_test_add (name, Fixture, NULL, set_up, cases[i].run, tear_down);
  }
  return g_test_run ();
}
