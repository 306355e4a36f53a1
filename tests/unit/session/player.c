// SPDX-License-Identifier: MIT
// The player on sources whose frames carry their number: a sequence with a delay, damage
// and an unknown end, and a capture.
#include "base/error.h"
#include "settle.h"

#define SIDE 16
#define FRAME_BYTES (SIDE * SIDE)
#define GONE 2

// A source whose frame i is a picture of value i % 251.
typedef struct {
  OdlSource base;
  int delay_us; // of a read
  int64_t damaged; // index; −1: none
  int64_t true_frames; // where the stream ends
  bool torn; // it says why it ends there
  int silent; // reads of a capture fail, with GONE since it was pulled out; atomic
  int held; // reads wait; atomic
  int reads; // atomic
} Numbered;

static OdlImage *
numbered_read (OdlSource *source,
               int64_t index,
               GCancellable *cancellable,
               GError **error)
{
  Numbered *self = (Numbered *) source;
  const OdlImageInfo info = { .extent = { SIDE, SIDE, 1, 1 }, .channels = 1 };
  uint8_t *samples;
  g_atomic_int_inc (&self->reads);
  g_usleep (self->delay_us);
  while (g_atomic_int_get (&self->held) && !g_cancellable_is_cancelled (cancellable))
    g_usleep (500);
  if (g_cancellable_is_cancelled (cancellable)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, "cancelled");
    return NULL;
  }
  if (index == self->damaged) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT, "frame is damaged");
    return NULL;
  }
  if (index >= self->true_frames) {
    source->info.n_frames = (int) self->true_frames;
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_END, self->torn ? "torn off" : "");
    return NULL;
  }
  if (g_atomic_int_get (&self->silent)) {
    const bool gone = g_atomic_int_get (&self->silent) == GONE;
    g_set_error_literal (error, ODL_ERROR, gone ? ODL_ERROR_NO_DEVICE : ODL_ERROR_IO,
                         "signal lost");
    return NULL;
  }
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);
  for (int i = 0; i < FRAME_BYTES; i++)
    samples[i] = (uint8_t) (index % 251);
  return image;
}

static void
numbered_close (OdlSource *source)
{
}

static const OdlSourceClass numbered_class
    = { .name = "numbered", .read_frame = numbered_read, .close = numbered_close };

typedef struct {
  Numbered *source;
  OdlPlayer *player;
  int64_t indices[4096];
  OdlPlayed shown[4096]; // with their times
  int n;
  int marked;
  int errors;
  int ended;
  int jumps;
  int error_code;
  bool silent; // the last that was heard is an error
} Watch;

static void
played_cb (const OdlPlayed *played, void *data)
{
  Watch *watch = data;
  if (played->image) {
    const OdlImageInfo *info = odl_image_info (played->image);
    if (info->mark)
      watch->marked++;
    else
      g_assert_cmpint (*(const uint8_t *) info->planes[0].data, ==, played->index % 251);
    g_assert_cmpint (watch->n, <, (int) G_N_ELEMENTS (watch->indices));
    watch->shown[watch->n] = *played;
    watch->indices[watch->n++] = played->index;
    watch->jumps += played->jumped;
    watch->silent = false;
    odl_image_unref (played->image);
  }
  if (played->error) {
    watch->errors++;
    watch->error_code = played->error->code;
    watch->silent = true;
  }
  watch->ended += played->ended;
}

// What the source is like; zero means nothing special.
typedef struct {
  int n_frames; // 0: the source does not know
  double rate;
  int delay_us;
  size_t cache_bytes;
  int64_t damaged; // 0: none
  int64_t true_frames; // 0: n_frames
  bool capture;
  bool torn;
} Like;

static Watch *
watch_like (const Like *like)
{
  Watch *watch = g_new0 (Watch, 1);
  Numbered *source = watch->source = g_new0 (Numbered, 1);

  odl_source_init (&source->base, &numbered_class, "numbered");
  source->base.info.n_frames = like->n_frames;
  source->base.info.frame_rate = like->rate;
  source->base.info.live = source->base.info.capture = like->capture;
  source->delay_us = like->delay_us;
  source->torn = like->torn;
  source->damaged = like->damaged > 0 ? like->damaged : -1;
  source->true_frames = like->true_frames > 0 ? like->true_frames
                        : like->n_frames > 0  ? like->n_frames
                                              : G_MAXINT64;
  watch->player
      = odl_player_new (&source->base, NULL, like->cache_bytes, played_cb, watch);
  return watch;
}

static Watch *
watch_new (int n_frames, double rate, int delay_us, size_t cache_bytes)
{
  return watch_like (&(Like){ n_frames, rate, delay_us, cache_bytes });
}

static void
watch_free (Watch *watch)
{
  odl_player_stop (watch->player, true);
  odl_source_unref (&watch->source->base);
  g_free (watch);
}

static void
let_pass (int milliseconds)
{
  int64_t end = g_get_monotonic_time () + milliseconds * 1000;
  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

static void
wait_for (const int *number, int wanted)
{
  int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (*number < wanted && g_get_monotonic_time () < end)
    let_pass (1);
  g_assert_cmpint (*number, >=, wanted);
}

static void
wait_until_quiet (Watch *watch)
{
  int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (!player_is_quiet (watch->player) && g_get_monotonic_time () < end)
    let_pass (1);
  g_assert_true (player_is_quiet (watch->player));
}

static void
wait_until_cached (Watch *watch, int frames)
{
  int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (odl_player_stats (watch->player).cached_frames < frames
         && g_get_monotonic_time () < end)
    let_pass (1);
  g_assert_cmpint (odl_player_stats (watch->player).cached_frames, >=, frames);
}

// However busy the machine is: what is shown is what was due when the clock was looked
// at, never before its time; frames are due at their rate from the first to the last; and
// what is missing was counted. All frames are in the cache, `count` of them from `first`
// on are played in a loop, and `seconds` is the time of each.
static void
check_clock (Watch *watch, int64_t first, int64_t count, double seconds)
{
  const double period_us = seconds * G_USEC_PER_SEC;
  odl_player_seek (watch->player, first);
  wait_for (&watch->n, watch->n + 1);
  wait_until_quiet (watch);
  const int begin = watch->n;
  const guint64 dropped = odl_player_stats (watch->player).dropped;
  odl_player_set_playing (watch->player, true);
  const int64_t base = player_base_us (watch->player);
  int64_t place = 0;
  wait_for (&watch->n, begin + 40);
  odl_player_set_playing (watch->player, false);
  wait_until_quiet (watch);
  for (int i = begin; i < watch->n; i++) {
    const OdlPlayed *shown = &watch->shown[i];
    const int64_t before = place;
    place = (int64_t) ((double) (shown->due_us - base) / period_us + 0.5);
    g_assert_cmpint (place, >, before);
    g_assert_cmpint (ABS (shown->due_us - base - (int64_t) ((double) place * period_us)),
                     <=, 2);
    g_assert_cmpint (shown->index, ==, first + place % count);
    g_assert_cmpint (shown->due_us, <=, shown->chosen_us);
    // One frame that was slept through is shown after all, never two.
    g_assert_cmpfloat ((double) (shown->chosen_us - shown->due_us), <=,
                       2 * period_us + 2);
    g_assert_cmpint (shown->chosen_us, <=, shown->arrived_us);
  }
  const guint64 missing = (guint64) (place - (watch->n - begin));
  g_test_message ("%d shown, %d missing", watch->n - begin, (int) missing);
  g_assert_cmpuint (odl_player_stats (watch->player).dropped - dropped, ==, missing);
}

static void
test_follows_the_clock (void)
{
  Watch *watch = watch_new (10, 100, 0, 1 << 20);
  wait_until_cached (watch, 10);
  check_clock (watch, 0, 10, 0.01);
  // A loop is read once.
  g_assert_cmpint (g_atomic_int_get (&watch->source->reads), ==, 10);
  g_assert_cmpint (odl_player_stats (watch->player).cached_frames, ==, 10);
  watch_free (watch);
}

// What comes after is due that much later, as far apart as before, and nothing is missed
// because of it.
static void
test_set_back (void)
{
  enum { PERIOD_US = 20000, BACK_US = 13000 };
  Watch *watch = watch_new (10, 1e6 / PERIOD_US, 0, 1 << 20);
  wait_until_cached (watch, 10);
  odl_player_set_playing (watch->player, true);
  const int64_t base = player_base_us (watch->player);
  // Not before the clock began.
  odl_player_set_back (watch->player, 3600 * (int64_t) G_USEC_PER_SEC);
  g_assert_cmpint (player_base_us (watch->player), ==, base);
  wait_for (&watch->n, 5);
  odl_player_set_back (watch->player, BACK_US);
  g_assert_cmpint (player_base_us (watch->player), ==, base + BACK_US);
  const int64_t set_us = g_get_monotonic_time ();
  const int n = watch->n;
  wait_for (&watch->n, n + 10);
  odl_player_set_playing (watch->player, false);
  wait_until_quiet (watch);
  odl_player_set_back (watch->player, BACK_US); // nothing plays
  for (int i = 0; i < watch->n; i++) {
    const OdlPlayed *shown = &watch->shown[i];
    const int64_t late = shown->chosen_us > set_us ? BACK_US : 0;
    const int64_t place = (shown->due_us - base - late + PERIOD_US / 2) / PERIOD_US;
    g_assert_cmpint (ABS (shown->due_us - base - late - place * PERIOD_US), <=, 2);
    g_assert_cmpint (shown->index, ==, place % 10);
    g_assert_cmpint (shown->due_us, <=, shown->chosen_us);
  }
  watch_free (watch);
}

static void
test_slow_source_drops (void)
{
  // Eight frames take longer to read than 24 to play, however fast the machine is.
  Watch *watch = watch_new (100000, 100, 35000, 1 << 20);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 8);
  OdlPlayerStats stats = odl_player_stats (watch->player);
  g_assert_cmpint (stats.dropped, >, 8);
  for (int i = 1; i < watch->n; i++)
    g_assert_cmpint (watch->indices[i], >, watch->indices[i - 1]);
  watch_free (watch);
}

// At the end each frame was shown or counted, whatever the machine did meanwhile.
static void
test_dropped_are_the_missing (void)
{
  Watch *watch = watch_new (40, 100, 35000, 1 << 20);
  odl_player_set_repeat (watch->player, ODL_REPEAT_ONCE);
  odl_player_seek (watch->player, 0);
  wait_for (&watch->n, 1);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->ended, 1);
  g_assert_cmpint (watch->indices[watch->n - 1], ==, 39);
  g_assert_cmpint (watch->n, <, 40);
  g_assert_cmpint (watch->n + odl_player_stats (watch->player).dropped, ==, 40);
  watch_free (watch);
}

static void
test_cache_is_bounded (void)
{
  Watch *watch = watch_new (100000, 200, 0, 40 * FRAME_BYTES);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 60);
  odl_player_set_playing (watch->player, false);
  wait_until_quiet (watch);
  wait_until_cached (watch, 30);
  g_assert_cmpint (odl_player_stats (watch->player).cached_bytes, <=, 40 * FRAME_BYTES);
  // Read ahead is not read in vain.
  int reads = g_atomic_int_get (&watch->source->reads);
  g_assert_cmpint (reads, <=, watch->indices[watch->n - 1] + 60);
  watch_free (watch);
}

static void
test_seek_wins (void)
{
  Watch *watch = watch_new (1000, 10, 0, 1 << 20);
  // All are asked for while the first one is read.
  g_atomic_int_set (&watch->source->held, 1);
  for (int i = 100; i < 200; i++)
    odl_player_seek (watch->player, i);
  g_atomic_int_set (&watch->source->held, 0);
  wait_for (&watch->n, 1);
  wait_until_quiet (watch);
  let_pass (50);
  g_assert_cmpint (watch->n, ==, 1);
  g_assert_cmpint (watch->indices[0], ==, 199);
  g_assert_cmpint (watch->jumps, ==, 1);
  watch_free (watch);
}

// Scrubbing over frames that were read already.
static void
test_seek_in_cache (void)
{
  Watch *watch = watch_new (100, 10, 0, 1 << 20);
  wait_until_cached (watch, 100);
  int reads = g_atomic_int_get (&watch->source->reads);
  for (int i = 99; i >= 0; i -= 9) {
    int n = watch->n;
    odl_player_seek (watch->player, i);
    wait_for (&watch->n, n + 1);
    g_assert_cmpint (watch->indices[watch->n - 1], ==, i);
  }
  g_assert_cmpint (g_atomic_int_get (&watch->source->reads), ==, reads);
  watch_free (watch);
}

static void
test_damaged_frame_is_marked (void)
{
  Watch *watch = watch_like (
      &(Like){ .n_frames = 6, .rate = 100, .cache_bytes = 1 << 20, .damaged = 3 });
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->marked, 1);
  wait_for (&watch->n, 14);
  g_assert_cmpint (watch->errors, ==, 1);
  g_assert_cmpint (watch->error_code, ==, ODL_ERROR_CORRUPT);
  watch_free (watch);
}

static void
test_end_is_learned (void)
{
  Watch *watch
      = watch_like (&(Like){ .rate = 200, .cache_bytes = 1 << 20, .true_frames = 12 });
  g_assert_cmpint (odl_player_stats (watch->player).n_frames, <=, 12);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 30);
  g_assert_cmpint (odl_player_stats (watch->player).n_frames, ==, 12);
  for (int i = 0; i < watch->n; i++)
    g_assert_cmpint (watch->indices[i], <, 12);
  g_assert_cmpint (watch->errors, ==, 0);
  watch_free (watch);
}

// Why a stream ends too early is said once, and what is there plays on.
static void
test_torn_end_is_told (void)
{
  Watch *watch = watch_like (&(Like){ .n_frames = 40,
                                      .rate = 200,
                                      .cache_bytes = 1 << 20,
                                      .true_frames = 12,
                                      .torn = true });
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 40);
  g_assert_cmpint (odl_player_stats (watch->player).n_frames, ==, 12);
  g_assert_cmpint (watch->errors, ==, 1);
  g_assert_cmpint (watch->error_code, ==, ODL_ERROR_END);
  watch_free (watch);
}

static void
test_once_ends (void)
{
  Watch *watch = watch_new (5, 200, 0, 1 << 20);
  odl_player_set_repeat (watch->player, ODL_REPEAT_ONCE);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->ended, 1);
  g_assert_cmpint (watch->indices[watch->n - 1], ==, 4);
  int n = watch->n;
  let_pass (60);
  g_assert_cmpint (watch->n, ==, n);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->ended, 2);
  g_assert_cmpint (watch->indices[n], ==, 0);
  watch_free (watch);
}

static void
test_range_and_speed (void)
{
  Watch *watch = watch_new (50, 100, 0, 1 << 20);
  odl_player_set_range (watch->player, 10, 13);
  odl_player_set_speed (watch->player, 4);
  wait_until_cached (watch, 4);
  check_clock (watch, 10, 4, 0.0025);
  for (int i = 0; i < watch->n; i++) {
    g_assert_cmpint (watch->indices[i], >=, 10);
    g_assert_cmpint (watch->indices[i], <=, 13);
  }
  watch_free (watch);
}

// Receives `n` frames and says after each that it is finished with it.
static void
work_through (Watch *watch, int n)
{
  while (watch->n < n && !watch->ended) {
    g_main_context_iteration (NULL, TRUE);
    odl_player_set_unfinished (watch->player, 0);
  }
}

// At a frame each ten seconds the clock would have delivered none of these.
static void
test_fast (void)
{
  Watch *watch = watch_new (7, 0.1, 0, 1 << 20);
  odl_player_set_speed (watch->player, ODL_SPEED_FAST);
  odl_player_set_playing (watch->player, true);
  // No more than two are sent to somebody who never finishes.
  wait_for (&watch->n, ODL_PLAYER_AT_WORK);
  let_pass (20);
  g_assert_cmpint (watch->n, ==, ODL_PLAYER_AT_WORK);
  odl_player_set_unfinished (watch->player, 0);
  work_through (watch, 100);
  for (int i = 0; i < watch->n; i++)
    g_assert_cmpint (watch->indices[i], ==, i % 7);
  g_assert_cmpuint (odl_player_stats (watch->player).dropped, ==, 0);

  // A seek, the range and the end hold as ever.
  odl_player_set_repeat (watch->player, ODL_REPEAT_ONCE);
  odl_player_set_range (watch->player, 0, 5);
  odl_player_seek (watch->player, 2);
  work_through (watch, 4000);
  g_assert_cmpint (watch->ended, ==, 1);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (watch->indices[watch->n - 1 - i], ==, 5 - i);
  watch_free (watch);
}

// The clock would move on by twenty frames each time.
static void
test_stride (void)
{
  Watch *watch = watch_new (100, 1000, 0, 1 << 20);
  odl_player_set_stride (watch->player, 2);
  odl_player_set_playing (watch->player, true);
  for (; watch->n < 50; g_usleep (20000))
    work_through (watch, watch->n + 1);
  for (int i = 1; i < watch->n; i++)
    g_assert_cmpint ((watch->indices[i] - watch->indices[i - 1] + 100) % 100, <=, 2);
  watch_free (watch);
}

// A stream without a known end, which is learned on the way.
static void
test_fast_to_the_end (void)
{
  const Like like = { .rate = 0.1, .true_frames = 5 };
  Watch *watch = watch_like (&like);
  odl_player_set_speed (watch->player, ODL_SPEED_FAST);
  odl_player_set_playing (watch->player, true);
  work_through (watch, 23);
  for (int i = 0; i < watch->n; i++)
    g_assert_cmpint (watch->indices[i], ==, i % 5);
  // Back in its own time nothing more is due.
  odl_player_set_speed (watch->player, 1);
  let_pass (5);
  const int n = watch->n;
  let_pass (20);
  g_assert_cmpint (watch->n, ==, n);
  watch_free (watch);
}

static void
test_pause_holds (void)
{
  Watch *watch = watch_new (100000, 1000, 0, 1 << 20);
  int64_t played_us = 0;
  odl_player_seek (watch->player, 0);
  wait_for (&watch->n, 1);
  for (int i = 0; i < 15; i++) {
    const int64_t begin = g_get_monotonic_time ();
    odl_player_set_playing (watch->player, true);
    let_pass (7);
    odl_player_set_playing (watch->player, false);
    played_us += g_get_monotonic_time () - begin;
    let_pass (14);
  }
  wait_until_quiet (watch);
  int n = watch->n;
  let_pass (100);
  g_assert_cmpint (watch->n, ==, n);
  // What was played, a frame each millisecond, and never what a pause lasted.
  g_assert_cmpint (watch->indices[n - 1], <=, played_us / 1000);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, n + 3);
  watch_free (watch);
}

static void
test_capture_recovers (void)
{
  Watch *watch = watch_like (&(Like){ .delay_us = 3000, .capture = true });
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 5);
  g_atomic_int_set (&watch->source->silent, 1);
  wait_for (&watch->errors, 1);
  wait_for (&watch->marked, 1);
  const int reads = g_atomic_int_get (&watch->source->reads);
  while (g_atomic_int_get (&watch->source->reads) < reads + 2)
    let_pass (1);
  g_atomic_int_set (&watch->source->silent, 0);
  int n = watch->n;
  wait_for (&watch->n, n + 5);
  g_assert_cmpint (watch->errors, ==, 1);
  // To the picture that says that the signal is lost, and back.
  g_assert_cmpint (watch->jumps, ==, 2);
  watch_free (watch);
}

// A main thread that was busy hears after the frames that waited, and of two causes the
// one that holds.
static void
test_capture_is_gone (void)
{
  Watch *watch = watch_like (&(Like){ .delay_us = 3000, .capture = true });
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 5);
  static const int states[] = { 1, GONE };
  for (size_t i = 0; i < G_N_ELEMENTS (states); i++) {
    const int reads = g_atomic_int_get (&watch->source->reads);
    g_atomic_int_set (&watch->source->silent, states[i]);
    while (g_atomic_int_get (&watch->source->reads) < reads + 3)
      g_usleep (500);
  }
  g_assert_cmpint (watch->errors, ==, 0);
  let_pass (100);
  g_assert_true (watch->silent);
  g_assert_cmpint (watch->marked, ==, 1);
  g_assert_cmpint (watch->error_code, ==, ODL_ERROR_NO_DEVICE);
  watch_free (watch);
}

// Stopping at any moment leaves no thread, no callback and no frame behind.
static void
test_stops_at_any_moment (void)
{
  for (int i = 0; i < 40; i++) {
    Watch *watch = watch_new (100, 300, i % 4 * 1000, 1 << 16);
    odl_player_set_playing (watch->player, true);
    if (i % 3 == 0)
      odl_player_seek (watch->player, 50);
    let_pass (i % 5);
    watch_free (watch);
  }
}

static void
test_without_threads (void)
{
  g_setenv ("ODL_FAULT", "thread/new", TRUE);
  Watch *watch = watch_new (100, 300, 0, 1 << 16);

  g_unsetenv ("ODL_FAULT");
  while (watch->errors == 0)
    let_pass (1);
  g_assert_cmpint (watch->error_code, ==, ODL_ERROR_TOO_LARGE);
  odl_player_set_playing (watch->player, true);
  let_pass (5);
  watch_free (watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/player/follows-the-clock", test_follows_the_clock);
  g_test_add_func ("/player/the-clock-is-set-back", test_set_back);
  g_test_add_func ("/player/a-slow-source-drops-frames", test_slow_source_drops);
  g_test_add_func ("/player/what-is-missing-was-counted", test_dropped_are_the_missing);
  g_test_add_func ("/player/the-cache-is-bounded", test_cache_is_bounded);
  g_test_add_func ("/player/the-last-seek-wins", test_seek_wins);
  g_test_add_func ("/player/seeking-in-the-cache-reads-nothing", test_seek_in_cache);
  g_test_add_func ("/player/a-damaged-frame-is-marked", test_damaged_frame_is_marked);
  g_test_add_func ("/player/the-end-of-a-stream-is-learned", test_end_is_learned);
  g_test_add_func ("/player/why-it-ends-early-is-told", test_torn_end_is_told);
  g_test_add_func ("/player/once-ends-and-starts-over", test_once_ends);
  g_test_add_func ("/player/range-and-speed-are-kept", test_range_and_speed);
  g_test_add_func ("/player/as-fast-as-possible-drops-nothing", test_fast);
  g_test_add_func ("/player/a-stride-holds-the-clock", test_stride);
  g_test_add_func ("/player/as-fast-as-possible-the-end-is-learned",
                   test_fast_to_the_end);
  g_test_add_func ("/player/a-pause-holds", test_pause_holds);
  g_test_add_func ("/player/a-capture-recovers", test_capture_recovers);
  g_test_add_func ("/player/a-capture-that-is-gone-is-said-last", test_capture_is_gone);
  g_test_add_func ("/player/stops-at-any-moment", test_stops_at_any_moment);
  g_test_add_func ("/player/without-threads-it-says-so", test_without_threads);
  return g_test_run ();
}
