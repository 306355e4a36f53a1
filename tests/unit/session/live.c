// SPDX-License-Identifier: MIT
// Playing against a known clock: each frame says itself which one it is.
#include "output/movie.h"
#include "watcher.h"

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
  int number; // as the frame says
} Seen;

static void
see (Watcher *watcher, OdlFrame *frame)
{
  const Seen seen = { g_get_monotonic_time (), frame->index, number_of (frame->result) };

  g_array_append_val ((GArray *) watcher->data, seen);
  // As the canvas does: what the renderer leaves out counts as dropped, too.
  odl_session_painted (watcher->session, frame);
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
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Seen));
  Watcher watcher = { .see = see, .data = all };

  watch (&watcher, path, NULL, "cpu", ODL_GL_NONE);
  odl_session_set_playing (watcher.session, true);
  run_until (&watcher, 10, TIMEOUT_US);
  const guint first = all->len - 1;
  const guint64 dropped = odl_session_dropped (watcher.session);
  for (int i = 0; i < 4; i++) {
    run_until (&watcher, G_MAXUINT, G_USEC_PER_SEC / 2);
    // A main thread that is busy loses frames, and says so.
    if (stall_ms > 0)
      g_usleep ((gulong) stall_ms * 1000);
  }
  odl_session_set_playing (watcher.session, false);
  run_until (&watcher, G_MAXUINT, G_USEC_PER_SEC / 5);
  const Seen *last = &g_array_index (all, Seen, all->len - 1);
  const Seen *start = &g_array_index (all, Seen, first);
  const double rate = (double) (last->index - start->index) * G_USEC_PER_SEC
                      / (double) (last->at_us - start->at_us);
  g_test_message ("true rate %.2f of %d frames per second", rate, COUNTER_RATE);
  const guint64 lost = odl_session_dropped (watcher.session) - dropped;
  check_against_clock (all, first, lost, (stall_ms + 150) * 1000);
  g_assert_cmpfloat_with_epsilon (rate, COUNTER_RATE, 0.06 * COUNTER_RATE);
  if (stall_ms > 0)
    g_assert_cmpuint (lost, >=, 4 * stall_ms * COUNTER_RATE / 1000 / 2);
  g_assert_finalize_object (watcher.session);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("ondelette-live-XXXXXX", NULL);
  g_test_add_func ("/live/frames-come-when-the-clock-says", test_rate);
  g_test_add_func ("/live/what-a-busy-window-misses-is-counted", test_drops);
  const int status = g_test_run ();
  remove_folder (folder);
  g_free (folder);
  return status;
}
