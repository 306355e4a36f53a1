// SPDX-License-Identifier: MIT
#include "base/thread.h"
#include "session/player/about.h"
#include "session/player/state.h"
#include "session/player/threads.h"

static GThread *
start (OdlPlayer *player, const char *name, GThreadFunc func)
{
  GError *error = NULL;
  GThread *thread = odl_thread_new (name, func, odl_player_ref (player), &error);
  if (!thread) {
    g_mutex_lock (&player->mutex); // the reader may be at work already
    odl_player_report (player, error);
    g_mutex_unlock (&player->mutex);
    odl_player_unref (player);
  }
  return thread;
}

static OdlTimeline
timeline_of (const OdlSource *source)
{
  const OdlSourceInfo *info = &source->info;
  const double rate = info->frame_rate > 0 ? info->frame_rate : ODL_DEFAULT_FRAME_RATE;
  const int64_t n = info->live ? 0 : info->n_frames;

  return (OdlTimeline){
    .n_frames = n,
    .times_ns = info->frame_times_ns,
    .frame_rate = CLAMP (rate, ODL_RATE_MIN, ODL_RATE_MAX),
    .last = MAX (n - 1, 0),
    .speed = 1,
    .every = n > info->n_slices ? info->n_slices : 1,
  };
}

OdlPlayer *
odl_player_new (OdlSource *source,
                OdlImage *first,
                size_t cache_bytes,
                OdlPlayerCb cb,
                void *data)
{
  OdlPlayer *player = g_new0 (OdlPlayer, 1);
  g_atomic_ref_count_init (&player->ref_count);
  g_mutex_init (&player->mutex);
  g_cond_init (&player->changed);
  odl_mailbox_init (&player->mailbox);
  player->source = odl_source_ref (source);
  player->capture = source->info.capture;
  player->again = !source->info.live;
  player->cancellable = g_cancellable_new ();
  player->context = g_main_context_ref_thread_default ();
  player->timeline = timeline_of (source);
  player->cache
      = odl_frame_cache_new (player->again ? cache_bytes : 0, ODL_PLAYER_MIN_FRAMES);
  player->wanted = player->seek = -1;
  player->direction = 1;
  player->cb = cb;
  player->data = data;
  if (first) {
    player->like = odl_image_ref (first);
    odl_frame_cache_put (player->cache, 0, first);
  } else {
    player->shown = -1;
  }
  player->reader = start (player, "odl-reader", odl_player_reader_thread);
  if (!player->capture)
    player->clock = start (player, "odl-clock", odl_player_clock_thread);
  return player;
}

static void
end_thread (GThread *thread, bool wait)
{
  if (!thread)
    return;
  if (wait)
    g_thread_join (thread);
  else
    g_thread_unref (thread);
}

void
odl_player_stop (OdlPlayer *player, bool wait)
{
  player->cb = NULL;
  g_mutex_lock (&player->mutex);
  player->stopping = true;
  g_cond_broadcast (&player->changed);
  g_mutex_unlock (&player->mutex);
  g_cancellable_cancel (player->cancellable);
  end_thread (g_steal_pointer (&player->reader), wait);
  end_thread (g_steal_pointer (&player->clock), wait);
  odl_player_unref (player);
}

void
odl_player_set_playing (OdlPlayer *player, bool playing)
{
  g_mutex_lock (&player->mutex);
  const OdlTimeline *timeline = &player->timeline;
  // Playing from the end of a range that is played once starts over.
  const int64_t group = odl_timeline_group (timeline), shown = MAX (player->shown, 0);
  if (playing && !player->playing && timeline->repeat == ODL_REPEAT_ONCE
      && timeline->n_frames > 0 && shown / group >= timeline->last / group)
    player->seek = timeline->first / group * group + shown % group;
  player->playing = playing;
  odl_player_rebase (player);
  g_mutex_unlock (&player->mutex);
}

void
odl_player_hold (OdlPlayer *player, int64_t index, guint64 dropped)
{
  g_mutex_lock (&player->mutex);
  player->playing = player->ended = false;
  player->shown = index;
  player->wanted = player->seek = -1;
  player->unfinished = 0;
  odl_mailbox_empty (&player->mailbox, dropped);
  odl_player_owe_about (player);
  odl_player_rebase (player);
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_speed (OdlPlayer *player, double speed)
{
  g_mutex_lock (&player->mutex);
  player->fast = speed == ODL_SPEED_FAST;
  player->timeline.speed = player->fast ? 1 : CLAMP (speed, ODL_SPEED_MIN, ODL_SPEED_MAX);
  odl_player_rebase (player);
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_unfinished (OdlPlayer *player, int n_frames)
{
  g_mutex_lock (&player->mutex);
  if (player->unfinished != n_frames)
    g_cond_broadcast (&player->changed);
  player->unfinished = n_frames;
  g_mutex_unlock (&player->mutex);
}

// More than one frame behind the clock.
static bool
is_behind (const OdlPlayer *player)
{
  const int64_t since_ns = g_get_monotonic_time () * 1000 - player->base_ns;

  return player->playing && player->shown >= 0
         && odl_timeline_at (&player->timeline, player->base, player->base_direction,
                             since_ns)
                    .steps
                > player->steps + 1;
}

void
odl_player_set_stride (OdlPlayer *player, int n_frames)
{
  g_mutex_lock (&player->mutex);
  if (player->stride != n_frames)
    g_cond_broadcast (&player->changed);
  // A clock that waited goes on with what follows.
  if (player->stride > 0 && n_frames == 0 && is_behind (player))
    odl_player_rebase (player);
  player->stride = n_frames;
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_frame_rate (OdlPlayer *player, double frame_rate)
{
  g_mutex_lock (&player->mutex);
  player->timeline.frame_rate = CLAMP (frame_rate, ODL_RATE_MIN, ODL_RATE_MAX);
  odl_player_rebase (player);
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_repeat (OdlPlayer *player, OdlRepeat repeat)
{
  g_mutex_lock (&player->mutex);
  player->timeline.repeat = repeat;
  player->direction = 1;
  odl_player_rebase (player);
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_range (OdlPlayer *player, int64_t first, int64_t last)
{
  g_mutex_lock (&player->mutex);
  const int64_t end = MAX (player->timeline.n_frames - 1, 0);
  player->timeline.first = CLAMP (first, 0, end);
  player->timeline.last = CLAMP (last, player->timeline.first, end);
  odl_player_rebase (player);
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_back (OdlPlayer *player, int64_t us)
{
  g_mutex_lock (&player->mutex);
  const int64_t elapsed_us = g_get_monotonic_time () - player->base_ns / 1000;
  if (player->playing && elapsed_us > us)
    player->base_ns += us * 1000;
  g_mutex_unlock (&player->mutex);
}

void
odl_player_set_cache_bytes (OdlPlayer *player, size_t bytes)
{
  g_mutex_lock (&player->mutex);
  if (player->again)
    odl_frame_cache_set_max_bytes (player->cache, bytes);
  g_cond_broadcast (&player->changed);
  g_mutex_unlock (&player->mutex);
}

int64_t
odl_player_following (OdlPlayer *player, int64_t index)
{
  g_mutex_lock (&player->mutex);
  int direction = player->direction;
  const int64_t next = odl_timeline_next (&player->timeline, index, &direction);
  g_mutex_unlock (&player->mutex);
  return next;
}

void
odl_player_seek (OdlPlayer *player, int64_t index)
{
  g_mutex_lock (&player->mutex);
  if (!player->capture) {
    const int64_t n = player->timeline.n_frames;
    player->seek = n > 0 ? CLAMP (index, 0, n - 1) : MAX (index, 0);
    g_cond_broadcast (&player->changed);
  }
  g_mutex_unlock (&player->mutex);
}

void
odl_player_lead_in (OdlPlayer *player, int64_t first, int64_t end)
{
  g_mutex_lock (&player->mutex);
  odl_player_drop_led (player);
  odl_frame_cache_set_lead (player->cache, -1);
  player->lead_next = first;
  player->lead_end = end;
  player->lead_failed = player->lead_news = false;
  g_cond_broadcast (&player->changed);
  g_mutex_unlock (&player->mutex);
}

OdlLed
odl_player_take_lead_in (OdlPlayer *player, OdlImage **image, OdlNeighbours **about)
{
  g_mutex_lock (&player->mutex);
  const OdlLed led = player->n_led > 0     ? ODL_LED_FRAME
                     : player->lead_failed ? ODL_LED_FAILED
                                           : ODL_LED_NOT_YET;
  if (led == ODL_LED_FRAME) {
    *image = player->led[0];
    *about = player->led_about[0];
    player->n_led--;
    for (int i = 0; i < player->n_led; i++) {
      player->led[i] = player->led[i + 1];
      player->led_about[i] = player->led_about[i + 1];
    }
    g_cond_broadcast (&player->changed);
  }
  g_mutex_unlock (&player->mutex);
  return led;
}

bool
odl_player_mark (OdlPlayer *player, int n_marks, uint8_t *marks)
{
  g_mutex_lock (&player->mutex);
  const int64_t n = player->timeline.n_frames;
  if (n >= n_marks)
    odl_frame_cache_mark (player->cache, n, n_marks, marks);
  g_mutex_unlock (&player->mutex);
  return n >= n_marks;
}

OdlPlayerStats
odl_player_stats (OdlPlayer *player)
{
  g_mutex_lock (&player->mutex);
  const OdlPlayerStats stats = {
    .dropped = odl_mailbox_dropped (&player->mailbox)
               + (guint64) g_atomic_int_get (&player->source->missed),
    .n_frames = player->timeline.n_frames,
    .cached_bytes = odl_frame_cache_bytes (player->cache),
    .cached_frames = odl_frame_cache_n_frames (player->cache),
  };
  g_mutex_unlock (&player->mutex);
  return stats;
}
