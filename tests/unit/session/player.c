// SPDX-License-Identifier: MIT
// The player on sources whose frames carry their number: a sequence with a delay, damage
// and an unknown end, and a capture.
#include "session/player.h"

#include "base/error.h"
#include "session/frame_cache.h"

#define SIDE 16
#define FRAME_BYTES (SIDE * SIDE)

// A source whose frame i is a picture of value i % 251.
typedef struct {
  OdlSource base;
  int delay_us; // of a read
  int64_t damaged; // index; −1: none
  int64_t true_frames; // where the stream ends
  bool torn; // it says why it ends there
  int silent; // reads of a capture that fail; atomic
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
  if (g_atomic_int_get (&self->silent) > 0) {
    g_atomic_int_add (&self->silent, -1);
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, "signal lost");
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
  int n;
  int marked;
  int errors;
  int ended;
  int jumps;
  int error_code;
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
    watch->indices[watch->n++] = played->index;
    watch->jumps += played->jumped;
    odl_image_unref (played->image);
  }
  if (played->error) {
    watch->errors++;
    watch->error_code = played->error->code;
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
  const Like like = { n_frames, rate, delay_us, cache_bytes, 0, 0, false, false };

  return watch_like (&like);
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
  int64_t end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  while (*number < wanted && g_get_monotonic_time () < end)
    let_pass (1);
  g_assert_cmpint (*number, >=, wanted);
}

static void
test_follows_the_clock (void)
{
  Watch *watch = watch_new (10, 100, 0, 1 << 20);
  odl_player_set_playing (watch->player, true);
  int64_t start = g_get_monotonic_time ();
  wait_for (&watch->n, 30);
  double seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  OdlPlayerStats stats = odl_player_stats (watch->player);
  // Shown and dropped together are what the clock says, whatever else the machine does.
  g_assert_cmpfloat (watch->n + (double) stats.dropped, <=, seconds * 100 + 2);
  g_assert_cmpfloat (watch->n + (double) stats.dropped, >=, seconds * 100 - 3);
  // A loop is read once.
  g_assert_cmpint (g_atomic_int_get (&watch->source->reads), ==, 10);
  g_assert_cmpint (stats.cached_frames, ==, 10);
  watch_free (watch);
}

static void
test_slow_source_drops (void)
{
  Watch *watch = watch_new (1000, 100, 35000, 1 << 20);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 8);
  OdlPlayerStats stats = odl_player_stats (watch->player);
  g_assert_cmpint (stats.dropped, >, 8);
  for (int i = 1; i < watch->n; i++)
    g_assert_cmpint (watch->indices[i], >, watch->indices[i - 1]);
  watch_free (watch);
}

static void
test_cache_is_bounded (void)
{
  Watch *watch = watch_new (500, 200, 0, 40 * FRAME_BYTES);
  odl_player_set_playing (watch->player, true);
  wait_for (&watch->n, 60);
  OdlPlayerStats stats = odl_player_stats (watch->player);
  g_assert_cmpint (stats.cached_bytes, <=, 40 * FRAME_BYTES);
  g_assert_cmpint (stats.cached_frames, >=, 30);
  // Read ahead is not read in vain.
  int reads = g_atomic_int_get (&watch->source->reads);
  g_assert_cmpint (reads, <=, watch->indices[watch->n - 1] + 60);
  watch_free (watch);
}

static void
test_seek_wins (void)
{
  Watch *watch = watch_new (1000, 10, 20000, 1 << 20);
  for (int i = 100; i < 200; i++)
    odl_player_seek (watch->player, i);
  wait_for (&watch->n, 1);
  let_pass (200);
  g_assert_cmpint (watch->indices[watch->n - 1], ==, 199);
  g_assert_cmpint (watch->n, <=, 3);
  g_assert_cmpint (watch->jumps, ==, watch->n);
  watch_free (watch);
}

// Scrubbing over frames that were read already.
static void
test_seek_in_cache (void)
{
  Watch *watch = watch_new (100, 10, 0, 1 << 20);
  int64_t end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  while (odl_player_stats (watch->player).cached_frames < 100
         && g_get_monotonic_time () < end)
    let_pass (1);
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
  wait_for (&watch->n, 14);
  g_assert_cmpint (watch->errors, ==, 1);
  g_assert_cmpint (watch->error_code, ==, ODL_ERROR_CORRUPT);
  g_assert_cmpint (watch->marked, >=, 1);
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
  odl_player_set_playing (watch->player, true);
  int64_t start = g_get_monotonic_time ();
  wait_for (&watch->n, 40);
  double seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  for (int i = 0; i < watch->n; i++) {
    g_assert_cmpint (watch->indices[i], >=, 10);
    g_assert_cmpint (watch->indices[i], <=, 13);
  }
  double played = watch->n + (double) odl_player_stats (watch->player).dropped;
  g_assert_cmpfloat (played, >=, 400 * seconds - 6);
  g_assert_cmpfloat (played, <=, 400 * seconds + 3);
  watch_free (watch);
}

static void
test_pause_holds (void)
{
  Watch *watch = watch_new (1000, 100, 1000, 1 << 20);
  for (int i = 0; i < 30; i++) {
    odl_player_set_playing (watch->player, i % 2 == 0);
    let_pass (7);
  }
  odl_player_set_playing (watch->player, false);
  let_pass (50);
  int n = watch->n;
  let_pass (100);
  g_assert_cmpint (watch->n, ==, n);
  // Half of 210 ms at 100 frames per second, and never what a pause lasted.
  g_assert_cmpint (watch->indices[n - 1], <, 30);
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
  g_atomic_int_set (&watch->source->silent, 3);
  wait_for (&watch->errors, 1);
  int n = watch->n;
  wait_for (&watch->n, n + 5);
  g_assert_cmpint (watch->errors, ==, 1);
  // To the picture that says that the signal is lost, and back.
  g_assert_cmpint (watch->jumps, ==, 2);
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
test_cache_drops_what_comes_last (void)
{
  const OdlImageInfo info = { .extent = { SIDE, SIDE, 1, 1 }, .channels = 1 };
  const OdlTimeline line = { .n_frames = 10, .frame_rate = 1, .last = 9, .speed = 1 };
  g_autoptr (OdlFrameCache) cache = odl_frame_cache_new (4 * FRAME_BYTES, 2);
  void *samples;

  odl_frame_cache_set_focus (cache, &line, 5, 1);
  for (int64_t i = 3; i < 8; i++) {
    g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, NULL);
    odl_frame_cache_put (cache, i, image);
  }
  g_assert_false (odl_frame_cache_has (cache, 4));
  g_assert_true (odl_frame_cache_has (cache, 3));
  g_assert_true (odl_frame_cache_has (cache, 7));
  g_assert_cmpint (odl_frame_cache_bytes (cache), ==, 4 * FRAME_BYTES);
  odl_frame_cache_set_max_bytes (cache, 0);
  g_assert_cmpint (odl_frame_cache_n_frames (cache), <=, 2);
}

// A frame of a video in 8 × 6: what its planes take, however they lie.
static void
test_cache_counts_memory (void)
{
  enum { W = 8, H = 6, STRIDE = 32, MOST = 4 * STRIDE * H };
  static const struct {
    const char *what;
    size_t at[3], sample[3], stride[3];
    int shift_y;
    size_t bytes;
  } cases[] = {
    { "I420", { 0, W * H, W * H + 12 }, { 1, 1, 1 }, { W, 4, 4 }, 1, W * H * 3 / 2 },
    { "NV12", { 0, W * H, W * H + 1 }, { 1, 2, 2 }, { W, W, W }, 1, W * H * 3 / 2 },
    { "YUY2", { 0, 1, 3 }, { 2, 4, 4 }, { 2 * W, 2 * W, 2 * W }, 0, W * H * 2 },
    { "padded rows",
      { 0, STRIDE * H, 2 * STRIDE * H },
      { 1, 1, 1 },
      { STRIDE, STRIDE, STRIDE },
      1,
      STRIDE * 5 + W + 2 * (STRIDE * 2 + 4) },
  };
  static const uint8_t memory[MOST];

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlImageInfo info = { .extent = { W, H, 1, 1 }, .channels = 3 };
    info.ycbcr = (OdlYcbcr){ .used = true,
                             .shift_x = 1,
                             .shift_y = cases[i].shift_y,
                             .kr = 0.299,
                             .kb = 0.114,
                             .luma_range = 255,
                             .chroma_offset = 128,
                             .chroma_range = 255 };
    for (int c = 0; c < 3; c++)
      info.planes[c] = (OdlPlane){ memory + cases[i].at[c], cases[i].sample[c],
                                   cases[i].stride[c], 0, 0 };
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_image_wrap (&info, NULL, NULL, &error);
    g_assert_no_error (error);
    g_test_message ("%s", cases[i].what);
    g_assert_cmpuint (odl_frame_cache_image_bytes (image), ==, cases[i].bytes);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/player/follows-the-clock", test_follows_the_clock);
  g_test_add_func ("/player/a-slow-source-drops-frames", test_slow_source_drops);
  g_test_add_func ("/player/the-cache-is-bounded", test_cache_is_bounded);
  g_test_add_func ("/player/the-last-seek-wins", test_seek_wins);
  g_test_add_func ("/player/seeking-in-the-cache-reads-nothing", test_seek_in_cache);
  g_test_add_func ("/player/a-damaged-frame-is-marked", test_damaged_frame_is_marked);
  g_test_add_func ("/player/the-end-of-a-stream-is-learned", test_end_is_learned);
  g_test_add_func ("/player/why-it-ends-early-is-told", test_torn_end_is_told);
  g_test_add_func ("/player/once-ends-and-starts-over", test_once_ends);
  g_test_add_func ("/player/range-and-speed-are-kept", test_range_and_speed);
  g_test_add_func ("/player/a-pause-holds", test_pause_holds);
  g_test_add_func ("/player/a-capture-recovers", test_capture_recovers);
  g_test_add_func ("/player/stops-at-any-moment", test_stops_at_any_moment);
  g_test_add_func ("/cache/drops-what-comes-last", test_cache_drops_what_comes_last);
  g_test_add_func ("/cache/counts-the-memory-of-a-frame", test_cache_counts_memory);
  return g_test_run ();
}
