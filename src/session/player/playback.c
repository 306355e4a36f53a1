// SPDX-License-Identifier: MIT
#include "session/player/playback.h"

#include <sys/resource.h>
#include <unistd.h>

#include "source/frame_reader.h"

struct _OdlPlayback {
  const OdlPlaybackClass *klass;
  void *data;
  OdlSource *source; // NULL: none
  bool moving; // it has more than one frame, as known when it was opened
  OdlPlayer *player; // NULL for stills
  OdlPlayMode mode;
  int64_t index; // of the latest frame
  int64_t target; // requested frame that has not arrived yet; −1: none
  double frame_rate; // of frames without times of their own
  double default_rate; // where the source states none
  size_t cache_bytes;
};

OdlPlayer *
odl_playback_player (OdlPlayback *self)
{
  return self->player;
}

bool
odl_playback_is_moving (const OdlPlayback *self)
{
  return self->moving;
}

// The device sets the pace of a capture, and its frames cannot be requested by number.
static bool
can_seek (const OdlPlayback *self)
{
  return self->player && !self->source->info.capture;
}

static bool
is_live (const OdlPlayback *self)
{
  return self->source && self->source->info.live;
}

int64_t
odl_playback_n_frames (OdlPlayback *self)
{
  if (self->player && !is_live (self))
    return odl_player_stats (self->player).n_frames;
  return self->source ? self->source->info.n_frames : 0;
}

int64_t
odl_playback_group (OdlPlayback *self)
{
  const int slices = self->source ? self->source->info.n_slices : 0;
  return slices > 1 && odl_playback_n_frames (self) > slices ? slices : 1;
}

void
odl_playback_seek_group (OdlPlayback *self, int64_t group)
{
  const int64_t n = odl_playback_group (self);
  odl_playback_seek (self, group * n + odl_playback_position (self) % n);
}

// ---- position ------------------------------------------------------------------------

void
odl_playback_seek (OdlPlayback *self, int64_t index)
{
  if (!can_seek (self))
    return;
  const int64_t n = is_live (self) ? 0 : odl_playback_n_frames (self);
  self->target = n > 0 ? CLAMP (index, 0, n - 1) : MAX (index, 0);
  self->klass->seeks (self->data);
  odl_player_seek (self->player, self->target);
}

int64_t
odl_playback_position (const OdlPlayback *self)
{
  return self->target >= 0 ? self->target : self->index;
}

bool
odl_playback_is_seeking (const OdlPlayback *self)
{
  return self->target >= 0;
}

// In steps of so many frames.
static void
step_by (OdlPlayback *self, int steps, int64_t size)
{
  if (!can_seek (self))
    return;
  self->klass->pauses (self->data);
  const OdlPlayRange range = odl_playback_range (self);
  const int64_t first = range.first / size, last = range.last / size;
  const int64_t position = odl_playback_position (self), from = position / size;
  int64_t to = from + steps;
  if (odl_playback_n_frames (self) > 0 && !is_live (self)) {
    if (to > last)
      to = from < last ? last : first;
    else if (to < first)
      to = from > first ? first : last;
  }
  odl_playback_seek (self, to * size + position % size);
}

void
odl_playback_step (OdlPlayback *self, int frames)
{
  step_by (self, frames, 1);
}

void
odl_playback_step_group (OdlPlayback *self, int groups)
{
  step_by (self, groups, odl_playback_group (self));
}

void
odl_playback_hold (OdlPlayback *self, int64_t index, guint64 dropped)
{
  odl_player_hold (self->player, index, dropped);
  odl_playback_arrived (self, index, false);
}

void
odl_playback_arrived (OdlPlayback *self, int64_t index, bool seeking)
{
  if (index >= 0)
    self->index = index;
  if (!seeking)
    self->target = -1;
}

// ---- mode ----------------------------------------------------------------------------

const OdlPlayMode *
odl_playback_mode (const OdlPlayback *self)
{
  return &self->mode;
}

void
odl_playback_set_speed (OdlPlayback *self, double speed)
{
  if (!can_seek (self))
    return;
  self->mode.speed
      = speed == ODL_SPEED_FAST ? speed : CLAMP (speed, ODL_SPEED_MIN, ODL_SPEED_MAX);
  odl_player_set_speed (self->player, self->mode.speed);
}

bool
odl_playback_is_fast (const OdlPlayback *self)
{
  return can_seek (self) && self->mode.speed == ODL_SPEED_FAST;
}

void
odl_playback_set_repeat (OdlPlayback *self, OdlRepeat repeat)
{
  g_return_if_fail (repeat < ODL_N_REPEATS);
  self->mode.repeat = repeat;
  if (self->player)
    odl_player_set_repeat (self->player, repeat);
}

void
odl_playback_set_range (OdlPlayback *self, int64_t first, int64_t last)
{
  self->mode.first = MAX (first, 0);
  self->mode.last = MAX (last, self->mode.first);
  if (self->player)
    odl_player_set_range (self->player, self->mode.first, self->mode.last);
}

OdlPlayRange
odl_playback_range (OdlPlayback *self)
{
  const int64_t n = odl_playback_n_frames (self);
  const int64_t end = MAX (n - 1, 0);
  OdlPlayRange range
      = { CLAMP (self->mode.first, 0, end), CLAMP (self->mode.last, 0, end), true };
  range.whole = is_live (self) || (range.first == 0 && range.last >= n - 1);
  return range;
}

// ---- rate and times ------------------------------------------------------------------

// Of volumes over time that of the volumes; 0: the source states none.
static double
stated_rate (const OdlSource *source)
{
  return source->info.frame_rate > 0 ? source->info.frame_rate
                                     : odl_frame_reader_volume_rate (source);
}

bool
odl_playback_uses_default_rate (const OdlPlayback *self)
{
  return self->moving && !self->source->info.capture && stated_rate (self->source) <= 0;
}

static void
set_rate (OdlPlayback *self, double frame_rate)
{
  self->frame_rate = frame_rate;
  odl_player_set_frame_rate (self->player, frame_rate);
}

double
odl_playback_frame_rate (const OdlPlayback *self)
{
  return self->source ? self->frame_rate : 0;
}

void
odl_playback_set_frame_rate (OdlPlayback *self, double frame_rate)
{
  if (can_seek (self) && is_live (self))
    set_rate (self, CLAMP (frame_rate, ODL_RATE_MIN, ODL_RATE_MAX));
}

void
odl_playback_set_default_rate (OdlPlayback *self, double frame_rate)
{
  self->default_rate = CLAMP (frame_rate, ODL_RATE_MIN, ODL_RATE_MAX);
  if (odl_playback_uses_default_rate (self))
    set_rate (self, self->default_rate);
}

double
odl_playback_time_s (OdlPlayback *self, int64_t index)
{
  if (!self->source)
    return 0;
  const OdlTimeline timeline = {
    .n_frames = is_live (self) ? 0 : odl_playback_n_frames (self),
    .times_ns = self->source->info.frame_times_ns,
    .frame_rate = self->frame_rate > 0 ? self->frame_rate : ODL_DEFAULT_FRAME_RATE,
    .every = odl_playback_group (self),
  };
  return (double) odl_timeline_start_ns (&timeline, index) / 1e9;
}

double
odl_playback_length_s (OdlPlayback *self)
{
  return is_live (self) ? 0 : odl_playback_time_s (self, odl_playback_n_frames (self));
}

double
odl_playback_pause_s (OdlPlayback *self, int64_t index)
{
  if (!can_seek (self) || odl_playback_is_fast (self) || is_live (self))
    return 0;
  const double end_s = odl_playback_time_s (self, index + odl_playback_group (self));
  const double stays_s = (end_s - odl_playback_time_s (self, index)) / self->mode.speed;
  return stays_s >= ODL_PAUSE_S ? stays_s : 0;
}

void
odl_playback_skip_pause (OdlPlayback *self)
{
  const int64_t next
      = can_seek (self)
            ? odl_player_following (self->player, odl_playback_position (self))
            : -1;
  if (next >= 0)
    odl_playback_seek (self, next);
}

// ---- cache ---------------------------------------------------------------------------

size_t
odl_playback_default_cache_bytes (void)
{
  const long pages = sysconf (_SC_PHYS_PAGES);
  const long page_bytes = sysconf (_SC_PAGESIZE);
  const size_t most = (size_t) 2 << 30;
  struct rlimit space;
  if (pages <= 0 || page_bytes <= 0)
    return most / 8;
  const size_t quarter = MIN (most, (size_t) pages / 4 * (size_t) page_bytes);
  if (getrlimit (RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
    return quarter;
  return MIN (quarter, (size_t) space.rlim_cur / 4);
}

void
odl_playback_set_cache_bytes (OdlPlayback *self, size_t bytes)
{
  self->cache_bytes = bytes;
  if (self->player)
    odl_player_set_cache_bytes (self->player, bytes);
}

size_t
odl_playback_cache_bytes (const OdlPlayback *self)
{
  return self->cache_bytes;
}

OdlPlayerStats
odl_playback_stats (OdlPlayback *self)
{
  return self->player ? odl_player_stats (self->player) : (OdlPlayerStats){ 0 };
}

bool
odl_playback_mark (OdlPlayback *self, int n_marks, uint8_t *marks)
{
  return self->player && !is_live (self)
         && odl_player_mark (self->player, n_marks, marks);
}

// ---- life ----------------------------------------------------------------------------

void
odl_playback_take (OdlPlayback *self,
                   OdlSource *source,
                   OdlImage *first,
                   OdlPlayerCb cb,
                   void *data)
{
  odl_playback_stop (self, false);
  g_clear_pointer (&self->source, odl_source_unref);
  self->source = odl_source_ref (source);
  self->moving = odl_source_is_moving (source);
  self->index = 0;
  self->target = -1;
  self->frame_rate
      = odl_playback_uses_default_rate (self) ? self->default_rate : stated_rate (source);
  if (!self->moving)
    return;
  self->player = odl_player_new (source, first, self->cache_bytes, cb, data);
  if (self->frame_rate != source->info.frame_rate)
    odl_player_set_frame_rate (self->player, self->frame_rate);
  self->mode = (OdlPlayMode){ 1, ODL_REPEAT_LOOP, 0, G_MAXINT64 };
}

void
odl_playback_stop (OdlPlayback *self, bool wait)
{
  if (self->player)
    odl_player_stop (g_steal_pointer (&self->player), wait);
}

OdlPlayback *
odl_playback_new (const OdlPlaybackClass *klass, void *data)
{
  OdlPlayback *self = g_new (OdlPlayback, 1);
  *self = (OdlPlayback){
    .klass = klass,
    .data = data,
    .mode.speed = 1,
    .target = -1,
    .default_rate = ODL_DEFAULT_FRAME_RATE,
    .cache_bytes = odl_playback_default_cache_bytes (),
  };
  return self;
}

void
odl_playback_free (OdlPlayback *self)
{
  g_clear_pointer (&self->source, odl_source_unref);
  g_free (self);
}
