// SPDX-License-Identifier: MIT
// How a moving source is played: what the transport bar asks for.
#include "session/session_private.h"

void
odl_session_seek (OdlSession *self, int64_t index)
{
  if (self->player)
    odl_player_seek (self->player, index);
}

void
odl_session_step (OdlSession *self, int frames)
{
  if (!self->player || odl_session_is_capture (self))
    return;
  odl_session_set_playing (self, false);
  const int64_t first = odl_session_range_first (self);
  const int64_t last = odl_session_range_last (self);
  int64_t index = self->index + frames;
  if (odl_session_n_frames (self) > 0 && !odl_session_is_live (self)) {
    if (index > last)
      index = self->index < last ? last : first;
    else if (index < first)
      index = self->index > first ? first : last;
  }
  odl_player_seek (self->player, MAX (index, 0));
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
