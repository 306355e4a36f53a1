// SPDX-License-Identifier: MIT
// What the transport bar asks of the session, on a real cine and on the phantom.
#include <math.h>

#include <glib/gstdio.h>

#include "../../helpers/bar.h"
#include "../../helpers/pause.h"
#include "../../helpers/test_data.h"
#include "settle.h"

#define CINE "pydicom/examples_ybr_color.dcm"
#define CINE_FRAMES 30

// From a seek to the picture, with a frame in the cache.
#define SCRUB_US 50000

static bool
until (OdlSession *session,
       bool (*condition) (OdlSession *session, int64_t data),
       int64_t data)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (!condition (session, data) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  return condition (session, data);
}

static bool
shows (OdlSession *session, int64_t index)
{
  OdlFrame *frame = odl_session_frame (session);
  return frame && frame->index == index;
}

static bool
has_cached (OdlSession *session, int64_t frames)
{
  return odl_playback_stats (odl_session_playback (session)).cached_frames >= frames;
}

static bool
has_come_to (OdlSession *session, int64_t index)
{
  OdlFrame *frame = odl_session_frame (session);
  return frame && frame->index >= index;
}

static bool
has_picture (OdlSession *session, int64_t nothing)
{
  return odl_session_frame (session) != NULL;
}

// A session that shows the first frame of `location` and does not play; NULL: skip.
static OdlSession *
paused_session (const char *location)
{
  OdlSession *session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_open (session, location, NULL);
  g_assert_true (until (session, has_picture, 0));
  odl_session_set_playing (session, false);
  odl_playback_seek (odl_session_playback (session), 0);
  g_assert_true (until (session, shows, 0));
  settle (session); // it may have been frame 0 all along, and comes again
  return session;
}

static OdlSession *
cine_session (void)
{
  g_autofree char *path = odl_test_data (CINE);
  if (path == NULL)
    return NULL;
  OdlSession *session = paused_session (path);
  g_assert_cmpint (odl_playback_n_frames (odl_session_playback (session)), ==,
                   CINE_FRAMES);
  return session;
}

// Steps come faster than frames; each counts.
static void
test_steps_count (void)
{
  OdlSession *session = cine_session ();
  if (!session)
    return;
  for (int i = 0; i < 7; i++)
    odl_playback_step (odl_session_playback (session), 1);
  g_assert_cmpint (odl_playback_position (odl_session_playback (session)), ==, 7);
  g_assert_true (until (session, shows, 7));
  odl_playback_step (odl_session_playback (session), -1);
  odl_playback_step (odl_session_playback (session), -1);
  g_assert_true (until (session, shows, 5));
  g_assert_cmpint (odl_playback_position (odl_session_playback (session)), ==, 5);
  // Within the range, from its end to its beginning.
  odl_playback_set_range (odl_session_playback (session), 5, 8);
  for (int i = 0; i < 5; i++)
    odl_playback_step (odl_session_playback (session), 1);
  g_assert_true (until (session, shows, 6));
  g_assert_finalize_object (session);
}

static void
test_scrubbing (void)
{
  OdlSession *session = cine_session ();
  if (!session)
    return;
  g_assert_true (until (session, has_cached, CINE_FRAMES));
  int64_t worst_us = 0;
  for (int i = 1; i < 4 * CINE_FRAMES; i++) {
    const int64_t index = i * 7 % CINE_FRAMES;
    const int64_t begin = g_get_monotonic_time ();
    odl_playback_seek (odl_session_playback (session), index);
    g_assert_true (until (session, shows, index));
    worst_us = MAX (worst_us, g_get_monotonic_time () - begin);
  }
  odl_test_took ("from a seek to a frame that is cached", worst_us, SCRUB_US);
  g_assert_finalize_object (session);
}

// Another frame may be read between the two answers.
static bool
marks_say_what_is_cached (OdlSession *session, int64_t nothing)
{
  uint8_t marks[CINE_FRAMES];
  int marked = 0;

  g_assert_true (odl_playback_mark (odl_session_playback (session), CINE_FRAMES, marks));
  for (int i = 0; i < CINE_FRAMES; i++)
    marked += marks[i] == ODL_MARK_CACHED;
  return marked == odl_playback_stats (odl_session_playback (session)).cached_frames;
}

static void
test_marks_what_is_cached (void)
{
  OdlSession *session = cine_session ();
  uint8_t marks[CINE_FRAMES];
  if (!session)
    return;
  g_assert_true (until (session, has_cached, CINE_FRAMES));
  g_assert_true (odl_playback_mark (odl_session_playback (session), 10, marks));
  for (int i = 0; i < 10; i++)
    g_assert_cmpint (marks[i], ==, ODL_MARK_CACHED);
  // More marks than frames mean nothing.
  g_assert_false (
      odl_playback_mark (odl_session_playback (session), CINE_FRAMES + 1, marks));
  // Room for nothing: what is left are the few around the frame shown.
  odl_playback_set_cache_bytes (odl_session_playback (session), 0);
  g_assert_true (until (session, marks_say_what_is_cached, 0));
  g_assert_cmpint (odl_playback_stats (odl_session_playback (session)).cached_frames, <,
                   8);
  g_assert_finalize_object (session);
}

static void
test_parts_are_whole (void)
{
  const OdlImageInfo plain = { .extent = { 4, 4, 1, 1 }, .channels = 1 };
  OdlImageInfo damaged = plain;
  g_autoptr (OdlFrameCache) cache = odl_frame_cache_new (1 << 20, 2);
  uint8_t marks[3];
  damaged.mark = "damaged";
  for (int64_t i = 0; i < 9; i++) {
    void *samples;
    g_autoptr (OdlImage) image
        = odl_image_alloc (i == 8 ? &damaged : &plain, &samples, NULL);
    if (i != 5)
      odl_frame_cache_put (cache, i, image);
  }
  // Ten frames in three parts: 0 … 3, 4 … 6, 7 … 9. Frames 5 and 9 are missing.
  odl_frame_cache_mark (cache, 10, 3, marks);
  g_assert_cmpint (marks[0], ==, ODL_MARK_CACHED);
  g_assert_cmpint (marks[1], ==, 0);
  g_assert_cmpint (marks[2], ==, ODL_MARK_DAMAGED);
}

// A canvas that paints every third frame has dropped two thirds.
static void
test_unseen_frames_are_dropped (void)
{
  OdlSession *session = paused_session ("phantom:32x32,seed=3");
  const guint64 before = odl_session_dropped (session);
  odl_session_painted (session, odl_session_frame (session));
  const guint64 painted = odl_session_n_painted (session);
  odl_playback_set_frame_rate (odl_session_playback (session), 100);
  odl_session_set_playing (session, true);
  g_assert_true (until (session, has_come_to, 30));
  odl_session_painted (session, odl_session_frame (session));
  odl_session_set_playing (session, false);
  settle (session);
  odl_session_painted (session, odl_session_frame (session));
  odl_session_painted (session, odl_session_frame (session)); // again is not another
  const int64_t index = odl_session_frame (session)->index;
  g_assert_cmpint (odl_session_n_painted (session), ==, painted + 1);
  g_assert_cmpint (odl_session_dropped (session), ==, before + (guint64) index - 1);
  // Nobody misses what a seek jumps over.
  odl_playback_seek (odl_session_playback (session), index + 50);
  g_assert_true (until (session, shows, index + 50));
  odl_session_painted (session, odl_session_frame (session));
  g_assert_cmpint (odl_session_dropped (session), ==, before + (guint64) index - 1);
  g_assert_finalize_object (session);
}

// The clock drives: late or not, so many frames have passed between two of its times.
static void
test_phantom_at_any_rate (void)
{
  static const double rates[] = { 10, 200 };
  OdlSession *session = paused_session ("phantom:32x32");
  for (size_t i = 0; i < G_N_ELEMENTS (rates); i++) {
    odl_playback_set_frame_rate (odl_session_playback (session), rates[i]);
    g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (session)), ==,
                       rates[i]);
    const int64_t from = odl_playback_position (odl_session_playback (session));
    odl_session_set_playing (session, true);
    g_assert_true (until (session, has_come_to, from + 1));
    g_autoptr (OdlFrame) first = odl_frame_ref (odl_session_frame (session));
    g_assert_true (until (session, has_come_to, first->index + (i ? 100 : 6)));
    const OdlFrame *last = odl_session_frame (session);
    const double seconds = (double) (last->due_us - first->due_us) / G_USEC_PER_SEC;
    g_assert_cmpfloat_with_epsilon ((double) (last->index - first->index),
                                    seconds * rates[i], 1e-3);
    g_assert_cmpint (g_get_monotonic_time (), >=, last->due_us);
    odl_session_set_playing (session, false);
    settle (session);
  }
  odl_playback_set_frame_rate (odl_session_playback (session), 1e9);
  g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (session)), ==,
                     ODL_RATE_MAX);
  g_assert_finalize_object (session);
}

static void
test_times (void)
{
  OdlSession *session = cine_session ();
  if (!session)
    return;
  const double rate = odl_playback_frame_rate (odl_session_playback (session));
  g_assert_cmpfloat (rate, >, 0);
  g_assert_nonnull (odl_session_info (session)->timing);
  g_assert_cmpfloat_with_epsilon (
      odl_playback_time_s (odl_session_playback (session), 15), 15 / rate, 1e-3);
  g_assert_cmpfloat_with_epsilon (odl_playback_length_s (odl_session_playback (session)),
                                  CINE_FRAMES / rate, 1e-3);
  g_assert_finalize_object (session);
}

// A canvas that is late with each frame, and what it sees of the clock.
typedef struct {
  int64_t first_due_us; // 0: none yet
  bool set_back; // a frame was due off the beat of the first
} LateCanvas;

#define BEAT_US (1e6 / 60)

static gboolean
paint_cb (void *session)
{
  odl_session_painted (session, odl_session_frame (session));
  return G_SOURCE_REMOVE;
}

static void
frame_ready_cb (OdlSession *session, LateCanvas *canvas)
{
  const OdlFrame *frame = odl_session_frame (session);
  g_timeout_add_full (G_PRIORITY_DEFAULT, 15, paint_cb, g_object_ref (session),
                      g_object_unref);
  if (!odl_session_playing (session) || frame->asked || frame->due_us == 0)
    return;
  if (canvas->first_due_us == 0)
    canvas->first_due_us = frame->due_us;
  const double off = fmod ((double) (frame->due_us - canvas->first_due_us), BEAT_US);
  canvas->set_back |= off > 1000 && off < BEAT_US - 1000;
}

static bool
is_set_back (OdlSession *session, int64_t canvas)
{
  return ((LateCanvas *) (intptr_t) canvas)->set_back;
}

// Where every frame waits for the canvas the clock goes back, once and again.
static void
test_keeps_pace (void)
{
  g_autoptr (OdlSession) session = paused_session ("phantom:32x32,rate=60");
  LateCanvas canvas = { 0 };
  g_signal_connect (session, "frame-ready", G_CALLBACK (frame_ready_cb), &canvas);
  odl_session_set_playing (session, true);
  g_assert_true (until (session, is_set_back, (intptr_t) &canvas));
  odl_session_set_playing (session, false);
  g_signal_handlers_disconnect_by_data (session, &canvas);
}

static void
paint_soon_cb (OdlSession *session)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, paint_cb, g_object_ref (session), g_object_unref);
}

// A frame that stays for an hour is a pause, which can be skipped.
static void
test_pause (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ondelette-pause-XXXXXX", NULL);
  g_autofree char *path = odl_write_pause (folder);
  OdlSession *session = paused_session (path);
  OdlPlayback *playback = odl_session_playback (session);

  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (odl_playback_pause_s (playback, i), i == 1 ? 3600 : 0,
                                    1e-6);
  odl_playback_set_speed (playback, 4);
  g_assert_cmpfloat_with_epsilon (odl_playback_pause_s (playback, 1), 900, 1e-6);
  odl_playback_set_speed (playback, 1);
  g_signal_connect (session, "frame-ready", G_CALLBACK (paint_soon_cb), NULL);
  odl_session_painted (session, odl_session_frame (session));
  odl_session_set_playing (session, true);
  g_assert_true (until (session, shows, 1));
  odl_playback_skip_pause (playback);
  g_assert_true (until (session, has_come_to, 2));
  g_assert_true (odl_session_playing (session));
  odl_playback_set_speed (playback, ODL_SPEED_FAST);
  g_assert_cmpfloat (odl_playback_pause_s (playback, 1), ==, 0);
  g_signal_handlers_disconnect_by_func (session, paint_soon_cb, NULL);
  odl_session_set_playing (session, false);
  settle (session);
  g_signal_handlers_disconnect_by_func (session, paint_soon_cb, NULL);
  while (
      g_main_context_iteration (NULL, FALSE)) // what is to be painted holds the session
    ;
  g_assert_finalize_object (session);
  g_remove (path);
  g_rmdir (folder);
}

static void
paint_and_count_cb (OdlSession *session, int *n_painted)
{
  ++*n_painted;
  odl_session_painted (session, odl_session_frame (session));
}

static bool
has_painted (OdlSession *session, intptr_t data)
{
  return *(const int *) data >= 5;
}

// Frames that wait anywhere when somebody pauses are not shown any more: what was painted
// stays, the very frame where filters look at nothing else, and what follows is the next.
static void
test_pause_keeps_what_is_seen (void)
{
  static const char *const filters[] = { "", "median:size=9", "sliding-mean" };
  for (size_t i = 0; i < G_N_ELEMENTS (filters); i++) {
    OdlSession *session = paused_session ("phantom:160x160,rate=60");
    OdlPlayback *playback = odl_session_playback (session);
    OdlRecipe recipe;
    int n_painted = 0;
    odl_recipe_init (&recipe);
    g_assert_true (odl_recipe_parse (&recipe, filters[i], NULL));
    odl_session_set_recipe (session, &recipe, NULL);
    settle (session);
    g_signal_connect (session, "frame-ready", G_CALLBACK (paint_and_count_cb),
                      &n_painted);
    odl_session_set_playing (session, true);
    g_assert_true (until (session, has_painted, (intptr_t) &n_painted));
    g_autoptr (OdlFrame) seen = odl_frame_ref (odl_session_frame (session));
    const guint64 dropped = odl_session_dropped (session);
    g_usleep (G_USEC_PER_SEC / 2); // nobody takes what comes
    odl_session_set_playing (session, false);
    settle (session);
    g_assert_cmpint (odl_session_frame (session)->index, ==, seen->index);
    g_assert_true (odl_session_frame (session) == seen || *filters[i] == 's');
    g_assert_cmpint (odl_playback_position (playback), ==, seen->index);
    g_assert_cmpuint (odl_session_dropped (session), ==, dropped);
    odl_playback_step (playback, 1);
    settle (session);
    g_assert_cmpint (odl_session_frame (session)->index, ==, seen->index + 1);
    g_signal_handlers_disconnect_by_data (session, &n_painted);
    g_assert_finalize_object (session);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transport/every-step-counts", test_steps_count);
  g_test_add_func ("/transport/scrubbing-shows-each-frame-asked-for", test_scrubbing);
  g_test_add_func ("/transport/what-is-cached-is-marked", test_marks_what_is_cached);
  g_test_add_func ("/transport/a-part-is-marked-when-it-is-whole", test_parts_are_whole);
  g_test_add_func ("/transport/frames-that-nobody-saw-are-dropped",
                   test_unseen_frames_are_dropped);
  g_test_add_func ("/transport/a-phantom-plays-at-any-rate", test_phantom_at_any_rate);
  g_test_add_func ("/transport/frames-have-times", test_times);
  g_test_add_func ("/transport/a-long-pause-can-be-skipped", test_pause);
  g_test_add_func ("/transport/the-clock-keeps-pace-with-the-canvas", test_keeps_pace);
  g_test_add_func ("/transport/a-pause-keeps-what-is-seen",
                   test_pause_keeps_what_is_seen);
  return g_test_run ();
}
