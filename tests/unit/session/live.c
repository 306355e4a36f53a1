// SPDX-License-Identifier: MIT
// Playing against a known clock: each frame says itself which one it is.
#include "../../helpers/bar.h"
#include "../../helpers/images.h"
#include "base/error.h"
#include "filter/own/own.h"
#include "output/movie/movie.h"
#include "watcher.h"
#include "work/python.h"

// A counter: bit i of the number is the i-th of 16 bars, 8 pixels wide.
#define BITS 16
#define BAR 8
#define COUNTER_RATE 50
#define COUNTER_FRAMES 400

// From the time at which a frame is due to the computed picture, also after a stall.
#define LATE_US 150000

static char *folder;

// ---- A video whose frames say their number -------------------------------------------

static OdlImage *
counter_image (int number)
{
  void *samples;
  OdlImage *image = odl_test_image (BITS * BAR, 24, 1, ODL_SAMPLE_U8, &samples);

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

  params.codec = odl_codec_find (NULL, params.quality, params.container, &error);
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
  int64_t due_us;
  int64_t index;
  int number; // as the frame says
} Seen;

static void
see (Watcher *watcher, OdlFrame *frame)
{
  const Seen seen = { g_get_monotonic_time (), frame->due_us, frame->index,
                      number_of (frame->result) };

  g_array_append_val ((GArray *) watcher->data, seen);
  // As the canvas does: what the renderer leaves out counts as dropped, too.
  odl_session_painted (watcher->session, frame);
}

// ---- Rates and drops -----------------------------------------------------------------

// However busy the machine is: every frame is the one that it claims to be and the one
// that was due at its time of the clock, which never slips; none is shown twice, out of
// order or early; and what is missing was counted as dropped. The clock was at frame
// `index` at `base_us`.
static void
check_against_clock (const GArray *seen, int64_t index, int64_t base_us, guint64 dropped)
{
  const int64_t period_us = G_USEC_PER_SEC / COUNTER_RATE;
  int64_t place = 0, worst_us = 0;

  for (guint i = 0; i < seen->len; i++) {
    const Seen *now = &g_array_index (seen, Seen, i);
    const int64_t before = place, since_us = now->due_us - base_us;
    place = (since_us + period_us / 2) / period_us;
    g_assert_cmpint (now->number, ==, now->index);
    g_assert_cmpint (now->index, ==, (index + place) % COUNTER_FRAMES);
    g_assert_cmpint (ABS (since_us - place * period_us), <=, 2);
    g_assert_cmpint (place, >, before);
    g_assert_cmpint (now->at_us, >=, now->due_us);
    worst_us = MAX (worst_us, now->at_us - now->due_us);
  }
  const guint64 missing = (guint64) (place - seen->len);
  g_test_message ("%u frames shown, %" G_GUINT64_FORMAT " missing, %" G_GUINT64_FORMAT
                  " dropped",
                  seen->len, missing, dropped);
  g_assert_cmpuint (missing, ==, dropped);
  odl_test_took ("the latest frame of 80", worst_us, LATE_US);
}

// So that the frame that a pause finds chosen need not be waited for.
static void
wait_until_cached (Watcher *watcher)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;

  odl_session_set_playing (watcher->session, false);
  while (odl_playback_stats (odl_session_playback (watcher->session)).cached_frames
             < COUNTER_FRAMES
         && g_get_monotonic_time () < end)
    run_until (watcher, G_MAXUINT, 1000);
  g_assert_cmpint (
      odl_playback_stats (odl_session_playback (watcher->session)).cached_frames, ==,
      COUNTER_FRAMES);
  settle (watcher->session);
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
  wait_until_cached (&watcher);
  const int64_t index = odl_playback_position (odl_session_playback (watcher.session));
  const guint64 dropped = odl_session_dropped (watcher.session);
  g_array_set_size (all, 0);
  odl_session_set_playing (watcher.session, true);
  const int64_t base_us
      = player_base_us (odl_playback_player (odl_session_playback (watcher.session)));
  for (int i = 0; i < 4; i++) {
    run_until (&watcher, watcher.n_seen + 20, TIMEOUT_US);
    // A main thread that is busy loses frames, and says so.
    if (stall_ms > 0)
      g_usleep ((gulong) stall_ms * 1000);
  }
  odl_session_set_playing (watcher.session, false);
  settle (watcher.session);
  const guint64 lost = odl_session_dropped (watcher.session) - dropped;
  check_against_clock (all, index, base_us, lost);
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

// ---- Code that takes its time ---------------------------------------------------------

// It leaves the picture as it is, after a tenth of a second: five periods.
#define SLOW_PERIODS 5
#define SLOW_FRAMES 20

static const char slow[] = "import time\n"
                           "def filter(picture):\n"
                           "    end = time.perf_counter() + 0.1\n"
                           "    while time.perf_counter() < end:\n"
                           "        pass\n"
                           "    return picture\n";

static bool
runs_code (OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);

  for (int i = 0; frame != NULL && frame->plan != NULL && i < frame->plan->n_steps; i++)
    if (frame->plan->steps[i].code != NULL)
      return true;
  return false;
}

// False: this system has no sandbox for it, or Python no NumPy, so that nothing runs.
static bool
set_slow_code (Watcher *watcher)
{
  g_autoptr (GError) error = NULL;
  const OdlOwnCode *code = odl_own_code_new ("slow.py", slow, sizeof slow - 1, &error);
  const double none[ODL_OWN_MOST_PARAMETERS] = { 0 };
  OdlRecipe recipe;

  g_assert_no_error (error);
  odl_python_offer ();
  if (!odl_python_rehearse (code, none, false, &error)) {
    g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
    g_test_skip (error->message);
    return false;
  }
  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, &code->filter);
  odl_session_set_recipe (watcher->session, &recipe, NULL);
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (!runs_code (watcher->session) && g_get_monotonic_time () < end)
    run_until (watcher, G_MAXUINT, 1000);
  g_assert_true (runs_code (watcher->session));
  return true;
}

// The clock goes on: frames that are late are passed over and counted, and what is shown
// is filtered.
static void
test_slow_code (void)
{
  g_autofree char *path = make_counter ();
  if (path == NULL)
    return;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Seen));
  Watcher watcher = { .see = see, .data = all };

  watch (&watcher, path, NULL, "cpu", ODL_GL_NONE);
  wait_until_cached (&watcher);
  if (!set_slow_code (&watcher)) {
    g_assert_finalize_object (watcher.session);
    return;
  }
  settle (watcher.session);
  const int64_t index = odl_playback_position (odl_session_playback (watcher.session));
  const guint64 dropped = odl_session_dropped (watcher.session);
  g_array_set_size (all, 0);
  odl_session_set_playing (watcher.session, true);
  const int64_t base_us
      = player_base_us (odl_playback_player (odl_session_playback (watcher.session)));
  run_until (&watcher, watcher.n_seen + SLOW_FRAMES, TIMEOUT_US);
  g_assert_true (runs_code (watcher.session));
  odl_session_set_playing (watcher.session, false);
  settle (watcher.session);
  const guint64 lost = odl_session_dropped (watcher.session) - dropped;
  check_against_clock (all, index, base_us, lost);
  g_assert_cmpuint (lost, >=, (SLOW_PERIODS - 1) * (SLOW_FRAMES - 2));
  g_assert_finalize_object (watcher.session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("ondelette-live-XXXXXX", NULL);
  g_test_add_func ("/live/frames-come-when-the-clock-says", test_rate);
  g_test_add_func ("/live/what-a-busy-window-misses-is-counted", test_drops);
  g_test_add_func ("/live/what-slow-code-misses-is-counted", test_slow_code);
  const int status = g_test_run ();
  remove_folder (folder);
  g_free (folder);
  return status;
}
