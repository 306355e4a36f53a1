// SPDX-License-Identifier: MIT
// How a moving source is played: what the transport bar asks for.
#include <sys/resource.h>
#include <unistd.h>

#include "session/session_private.h"
#include "source/helper/sandbox.h"

void
odl_session_seek (OdlSession *self, int64_t index)
{
  if (!self->player || odl_session_is_capture (self))
    return;
  const int64_t n = odl_session_is_live (self) ? 0 : odl_session_n_frames (self);
  self->target = n > 0 ? CLAMP (index, 0, n - 1) : MAX (index, 0);
  odl_session_stop_lead_in (self);
  odl_player_seek (self->player, self->target);
}

int64_t
odl_session_position (OdlSession *self)
{
  return self->target >= 0 ? self->target : self->index;
}

void
odl_session_step (OdlSession *self, int frames)
{
  if (!self->player || odl_session_is_capture (self))
    return;
  odl_session_set_playing (self, false);
  const int64_t first = odl_session_range_first (self);
  const int64_t last = odl_session_range_last (self);
  const int64_t from = odl_session_position (self);
  int64_t index = from + frames;
  if (odl_session_n_frames (self) > 0 && !odl_session_is_live (self)) {
    if (index > last)
      index = from < last ? last : first;
    else if (index < first)
      index = from > first ? first : last;
  }
  odl_session_seek (self, index);
}

void
odl_session_set_speed (OdlSession *self, double speed)
{
  self->speed = CLAMP (speed, ODL_SPEED_MIN, ODL_SPEED_MAX);
  if (self->player)
    odl_player_set_speed (self->player, self->speed);
}

double
odl_session_speed (OdlSession *self)
{
  return self->speed;
}

void
odl_session_set_repeat (OdlSession *self, OdlRepeat repeat)
{
  g_return_if_fail (repeat < ODL_N_REPEATS);
  self->repeat = repeat;
  if (self->player)
    odl_player_set_repeat (self->player, repeat);
}

void
odl_session_set_frame_rate (OdlSession *self, double frame_rate)
{
  if (!self->player || !odl_session_is_live (self) || odl_session_is_capture (self))
    return;
  self->frame_rate = CLAMP (frame_rate, ODL_RATE_MIN, ODL_RATE_MAX);
  odl_player_set_frame_rate (self->player, self->frame_rate);
}

bool
odl_session_states_no_rate (OdlSession *self)
{
  return odl_session_is_moving (self) && !self->source->info.capture
         && self->source->info.frame_rate <= 0;
}

void
odl_session_set_default_rate (OdlSession *self, double frame_rate)
{
  self->default_rate = CLAMP (frame_rate, ODL_RATE_MIN, ODL_RATE_MAX);
  if (!odl_session_states_no_rate (self))
    return;
  self->frame_rate = self->default_rate;
  odl_player_set_frame_rate (self->player, self->frame_rate);
}

OdlRepeat
odl_session_repeat (OdlSession *self)
{
  return self->repeat;
}

void
odl_session_set_range (OdlSession *self, int64_t first, int64_t last)
{
  self->range_first = MAX (first, 0);
  self->range_last = MAX (last, self->range_first);
  if (self->player)
    odl_player_set_range (self->player, self->range_first, self->range_last);
}

int64_t
odl_session_range_first (OdlSession *self)
{
  const int64_t n = odl_session_n_frames (self);
  return CLAMP (self->range_first, 0, MAX (n - 1, 0));
}

int64_t
odl_session_range_last (OdlSession *self)
{
  const int64_t n = odl_session_n_frames (self);
  return CLAMP (self->range_last, 0, MAX (n - 1, 0));
}

bool
odl_session_has_range (OdlSession *self)
{
  return !odl_session_is_live (self)
         && (odl_session_range_first (self) > 0
             || odl_session_range_last (self) < odl_session_n_frames (self) - 1);
}

size_t
odl_session_default_cache_bytes (void)
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
odl_session_set_cache_bytes (OdlSession *self, size_t bytes)
{
  self->cache_bytes = bytes;
  if (self->player)
    odl_player_set_cache_bytes (self->player, bytes);
}

size_t
odl_session_cached_bytes (OdlSession *self)
{
  return self->player ? odl_player_stats (self->player).cached_bytes : 0;
}

int
odl_session_cached_frames (OdlSession *self)
{
  return self->player ? odl_player_stats (self->player).cached_frames : 0;
}

size_t
odl_session_cache_bytes (OdlSession *self)
{
  return self->cache_bytes;
}

bool
odl_session_mark (OdlSession *self, int n_marks, uint8_t *marks)
{
  return self->player && !odl_session_is_live (self)
         && odl_player_mark (self->player, n_marks, marks);
}

double
odl_session_time_s (OdlSession *self, int64_t index)
{
  if (!self->source)
    return 0;
  const OdlSourceInfo *info = &self->source->info;
  const OdlTimeline timeline = {
    .n_frames = odl_session_is_live (self) ? 0 : odl_session_n_frames (self),
    .times_ns = info->frame_times_ns,
    .frame_rate = self->frame_rate > 0 ? self->frame_rate : ODL_DEFAULT_FRAME_RATE,
  };
  return (double) odl_timeline_start_ns (&timeline, index) / 1e9;
}

double
odl_session_length_s (OdlSession *self)
{
  if (odl_session_is_live (self))
    return 0;
  return odl_session_time_s (self, odl_session_n_frames (self));
}

void
odl_session_set_sandbox_optional (bool optional)
{
  odl_sandbox_set_optional (optional);
}
