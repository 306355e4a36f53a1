// SPDX-License-Identifier: MIT
// Playing against a known clock, and against the command line: what is shown says itself
// which frame it is, when it was due and what it should look like.
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/gl/headless.h"
#include "image/display.h"
#include "output/movie.h"
#include "session/session.h"
#include "source/frame_reader.h"

#define TIMEOUT_US (60 * G_USEC_PER_SEC)
#define RECIPE "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"

// A counter: bit i of the number is the i-th of 16 bars, 8 pixels wide.
#define BITS 16
#define BAR 8
#define COUNTER_RATE 50
#define COUNTER_FRAMES 400

static char *folder;

// ---- A video whose frames say their number -------------------------------------------

static OdlImage *
counter_image (int number)
{
  const OdlImageInfo info = { .extent = { BITS * BAR, 24, 1, 1 }, .channels = 1 };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  g_assert_nonnull (image);
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < BITS * BAR; x++)
      ((uint8_t *) samples)[y * BITS * BAR + x] = number >> (x / BAR) & 1 ? 235 : 20;
  return image;
}

static int
number_of (const OdlImage *image)
{
  g_autofree float *row = g_new (float, odl_image_info (image)->extent.x);
  int number = 0;

  odl_image_scaled_row (image, 0, 12, 0, 0, row);
  for (int i = 0; i < BITS; i++)
    number |= (row[i * BAR + BAR / 2] > 0.5f) << i;
  return number;
}

static char *
make_counter (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, "counter.mkv", NULL);
  OdlMovieParams params
      = { .quality = ODL_QUALITY_LOSSLESS, .frame_rate = COUNTER_RATE, .replace = true };

  params.codec = odl_codec_find (NULL, params.quality, &error);
  if (params.codec == NULL) {
    g_test_skip (error->message);
    g_free (path);
    return NULL;
  }
  OdlMovie *movie = odl_movie_new (path, &params, &error);
  g_assert_no_error (error);
  for (int i = 0; i < COUNTER_FRAMES; i++) {
    g_autoptr (OdlImage) image = counter_image (i);
    const int64_t frame_ns = 1000000000 / COUNTER_RATE;
    odl_movie_write (movie, image, i * frame_ns, frame_ns, &error);
    g_assert_no_error (error);
  }
  odl_movie_finish (movie, &error);
  g_assert_no_error (error);
  return path;
}

// ---- Watching ------------------------------------------------------------------------

typedef struct {
  int64_t at_us;
  int64_t index;
  int number;
} Seen;

typedef struct {
  OdlSession *session;
  GArray *seen; // Seen
  bool counts; // frames say their number
  GPtrArray *pictures; // by index, U8; NULL: not seen
  OdlEngine *engine; // of the canvas, which this test stands for; may be NULL
} Watcher;

static void
keep_picture (Watcher *watcher, const OdlFrame *frame)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) result = NULL;
  const OdlWindow window = { .mode = ODL_WINDOW_FILE };

  if (g_ptr_array_index (watcher->pictures, frame->index) != NULL)
    return;
  if (frame->result != NULL)
    result = odl_image_ref (frame->result);
  else
    result = odl_engine_process (watcher->engine, frame->plan, frame->input, &error);
  g_assert_no_error (error);
  const OdlDisplay display
      = odl_display_make (odl_image_info (frame->input), &window,
                          frame->plan->approx_width, frame->plan->approx_height);
  g_ptr_array_index (watcher->pictures, frame->index)
      = odl_display_render (result, &display, 8, &error);
  g_assert_no_error (error);
}

static void
frame_cb (OdlSession *session, Watcher *watcher)
{
  OdlFrame *frame = odl_session_frame (session);
  Seen seen = { g_get_monotonic_time (), frame->index, -1 };

  if (watcher->counts)
    seen.number = number_of (frame->result);
  g_array_append_val (watcher->seen, seen);
  if (watcher->pictures != NULL && !odl_recipe_is_identity (&frame->recipe))
    keep_picture (watcher, frame);
}

static void
failed_cb (OdlSession *session, const char *location, const GError *error, void *data)
{
  g_error ("%s: %s", location, error->message);
}

static void
watch (Watcher *watcher, const char *path, const char *recipe_text)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  if (recipe_text != NULL)
    g_assert_true (odl_recipe_parse (&recipe, recipe_text, NULL));
  watcher->seen = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_signal_connect (watcher->session, "frame-ready", G_CALLBACK (frame_cb), watcher);
  g_signal_connect (watcher->session, "open-failed", G_CALLBACK (failed_cb), NULL);
  odl_session_open (watcher->session, path, &recipe);
}

static void
run_until (Watcher *watcher, guint frames, int64_t time_us)
{
  const int64_t end = g_get_monotonic_time () + time_us;

  while (watcher->seen->len < frames && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

static void
watcher_clear (Watcher *watcher)
{
  g_assert_finalize_object (watcher->session);
  g_array_unref (watcher->seen);
}

// ---- Rates and drops -----------------------------------------------------------------

// Every frame is the one that it claims to be, none is shown twice or out of order, none
// early, and what is missing was counted as dropped.
static void
check_against_clock (const GArray *seen, guint first, guint64 dropped, int64_t late_us)
{
  const Seen *start = &g_array_index (seen, Seen, first);
  guint64 missing = 0;
  int64_t worst_us = 0;

  for (guint i = first; i < seen->len; i++) {
    const Seen *now = &g_array_index (seen, Seen, i);
    g_assert_cmpint (now->number, ==, now->index);
    if (i == first)
      continue;
    g_assert_cmpint (now->index, >, now[-1].index);
    missing += (guint64) (now->index - now[-1].index - 1);
    const int64_t due_us = (now->index - start->index) * G_USEC_PER_SEC / COUNTER_RATE;
    const int64_t lag_us = now->at_us - start->at_us - due_us;
    worst_us = MAX (worst_us, lag_us);
    // The first one may itself have been late by as much.
    g_assert_cmpint (lag_us, >=, -late_us);
    g_assert_cmpint (lag_us, <=, late_us);
  }
  g_test_message ("%u frames shown, %" G_GUINT64_FORMAT " missing, %" G_GUINT64_FORMAT
                  " dropped, at most %d ms late",
                  seen->len - first, missing, dropped, (int) (worst_us / 1000));
  g_assert_cmpuint (missing, ==, dropped);
}

static void
play (int stall_ms)
{
  g_autofree char *path = make_counter ();
  if (path == NULL)
    return;
  Watcher watcher = { .session = odl_session_new (), .counts = true };

  odl_session_set_canvas (watcher.session, ODL_GL_NONE, 0, false);
  odl_session_set_engine (watcher.session, "cpu");
  watch (&watcher, path, NULL);
  run_until (&watcher, 1, TIMEOUT_US);
  odl_session_set_playing (watcher.session, true);
  run_until (&watcher, 10, TIMEOUT_US);
  const guint first = watcher.seen->len - 1;
  const guint64 dropped = odl_session_dropped (watcher.session);
  for (int i = 0; i < 4; i++) {
    run_until (&watcher, G_MAXUINT, G_USEC_PER_SEC / 2);
    // A main thread that is busy loses frames, and says so.
    if (stall_ms > 0)
      g_usleep ((gulong) stall_ms * 1000);
  }
  odl_session_set_playing (watcher.session, false);
  run_until (&watcher, G_MAXUINT, G_USEC_PER_SEC / 5);
  const Seen *last = &g_array_index (watcher.seen, Seen, watcher.seen->len - 1);
  const Seen *start = &g_array_index (watcher.seen, Seen, first);
  const double rate = (double) (last->index - start->index) * G_USEC_PER_SEC
                      / (double) (last->at_us - start->at_us);
  g_test_message ("true rate %.2f of %d frames per second", rate, COUNTER_RATE);
  const guint64 lost = odl_session_dropped (watcher.session) - dropped;
  check_against_clock (watcher.seen, first, lost, (stall_ms + 150) * 1000);
  g_assert_cmpfloat_with_epsilon (rate, COUNTER_RATE, 0.06 * COUNTER_RATE);
  if (stall_ms > 0)
    g_assert_cmpuint (lost, >=, 4 * stall_ms * COUNTER_RATE / 1000 / 2);
  watcher_clear (&watcher);
}

static void
test_rate (void)
{
  play (0);
}

static void
test_drops (void)
{
  play (200);
}

// ---- The same picture as on the command line -----------------------------------------

static char *
process (const char *path, const char *engine)
{
  char *out = g_dir_make_tmp ("ondelette-live-XXXXXX", NULL);
  g_autofree char *pattern = g_build_filename (out, "%d.png", NULL);
  g_autofree char *messages = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = {
    g_getenv ("ODL_CLI"), "process", path, "-o", pattern, "-f", RECIPE, "-e", engine, NULL
  };
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, &messages, &status,
                &error);
  g_assert_no_error (error);
  g_test_message ("%s: %s", engine, messages);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  return out;
}

static void
assert_same (const OdlImage *a, const OdlImage *b, int64_t index)
{
  const OdlImageInfo *x = odl_image_info (a), *y = odl_image_info (b);
  const int n = x->extent.x;
  g_autofree float *rows = g_new (float, (size_t) 2 * n);

  g_assert_cmpint (n, ==, y->extent.x);
  g_assert_cmpint (x->extent.y, ==, y->extent.y);
  g_assert_cmpint (x->channels, ==, y->channels);
  for (int c = 0; c < x->channels; c++)
    for (int line = 0; line < x->extent.y; line++) {
      odl_image_scaled_row (a, c, line, 0, 0, rows);
      odl_image_scaled_row (b, c, line, 0, 0, rows + n);
      if (memcmp (rows, rows + n, sizeof (float) * (size_t) n) != 0)
        g_error ("frame %d differs in line %d", (int) index, line);
    }
}

// How many of the pictures were seen; each equals its file.
static int
compare_all (const Watcher *watcher, const char *out)
{
  int n = 0;

  for (guint i = 0; i < watcher->pictures->len; i++) {
    const OdlImage *shown = watcher->pictures->pdata[i];
    if (shown == NULL)
      continue;
    g_autofree char *name = g_strdup_printf ("%u.png", i);
    g_autofree char *path = g_build_filename (out, name, NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, &error);
    g_assert_no_error (error);
    assert_same (shown, image, i);
    n++;
  }
  return n;
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);
    g_unlink (file);
  }
  g_rmdir (path);
}

static void
image_free (void *image)
{
  odl_image_unref (image);
}

static void
test_same_picture (const void *data)
{
  g_auto (GStrv) words = g_strsplit (data, " ", 2); // engine, file
  g_autofree char *path = g_build_filename (g_getenv ("ODL_TESTDATA"), words[1], NULL);
  g_autoptr (GError) error = NULL;
  OdlGlHeadless *headless = NULL;
  const OdlEngineClass *klass = odl_engine_find (words[0]);

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("shared/testdata is not at hand");
    return;
  }
  if (klass->needs_gl && (headless = odl_gl_headless_new (&error)) == NULL) {
    g_test_skip (error->message);
    return;
  }
  Watcher watcher = { .session = odl_session_new (),
                      .pictures = g_ptr_array_new_full (200, image_free) };
  g_ptr_array_set_size (watcher.pictures, 200);
  if (headless != NULL)
    watcher.engine = odl_engine_open (klass, &error);
  g_assert_no_error (error);
  odl_session_set_canvas (watcher.session, headless ? ODL_GL_SOFTWARE : ODL_GL_NONE,
                          headless ? 4096 : 0, false);
  odl_session_set_engine (watcher.session, words[0]);
  watch (&watcher, path, RECIPE);
  run_until (&watcher, 1, TIMEOUT_US);
  odl_session_set_playing (watcher.session, true);
  run_until (&watcher, 20, TIMEOUT_US);
  // Backwards too: another way to the same frame.
  odl_session_set_playing (watcher.session, false);
  odl_session_step (watcher.session, -3);
  run_until (&watcher, watcher.seen->len + 1, G_USEC_PER_SEC);
  g_autofree char *out = process (path, words[0]);
  const int n = compare_all (&watcher, out);
  g_test_message ("%s: %d frames of the live picture compared", words[0], n);
  g_assert_cmpint (n, >=, 10);
  remove_folder (out);
  watcher_clear (&watcher);
  g_clear_pointer (&watcher.engine, odl_engine_close);
  g_clear_pointer (&headless, odl_gl_headless_free);
  g_ptr_array_unref (watcher.pictures);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  folder = g_dir_make_tmp ("ondelette-live-XXXXXX", NULL);
  g_test_add_func ("/live/frames-come-when-the-clock-says", test_rate);
  g_test_add_func ("/live/what-a-busy-window-misses-is-counted", test_drops);
  g_test_add_data_func ("/live/a-cine-is-the-same-picture-on-the-command-line/cpu",
                        "cpu fo-dicom/HasFragmentSequence.dcm", test_same_picture);
  g_test_add_data_func ("/live/a-video-is-the-same-picture-on-the-command-line/cpu",
                        "cpu imageio-binaries/realshort.mp4", test_same_picture);
  g_test_add_data_func ("/live/a-cine-is-the-same-picture-on-the-command-line/gl",
                        "gl-fragment fo-dicom/HasFragmentSequence.dcm",
                        test_same_picture);
  g_test_add_data_func ("/live/a-video-is-the-same-picture-on-the-command-line/gl",
                        "gl-fragment imageio-binaries/realshort.mp4", test_same_picture);
  const int status = g_test_run ();
  remove_folder (folder);
  g_free (folder);
  return status;
}
