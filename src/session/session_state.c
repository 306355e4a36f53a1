// SPDX-License-Identifier: MIT
// What a session has, what it tells, and what has changed since it settled. All of its
// other files use this one, which uses none of them.
#include "session/session_private.h"
#include "source/header_text.h"
#include "source/volume.h"

void
odl_session_mark (OdlSession *self, OdlMark mark)
{
  self->marks |= mark;
  g_source_set_ready_time (self->settler, 0);
}

bool
odl_session_unmark (OdlSession *self, OdlMark mark)
{
  const bool marked = (self->marks & mark) != 0;
  self->marks &= ~(unsigned) mark;
  return marked;
}

void
odl_session_show (OdlSession *self, OdlFrame *frame)
{
  g_clear_pointer (&self->frame, odl_frame_unref);
  self->frame = frame;
  g_signal_emit_by_name (self, "frame-ready");
}

void
odl_session_say (OdlSession *self, const char *text)
{
  g_signal_emit_by_name (self, "message", text);
}

void
odl_session_refuse (OdlSession *self, const char *text)
{
  g_signal_emit_by_name (self, "message::refused", text);
}

const OdlRecipe *
odl_session_recipe (OdlSession *self)
{
  return odl_history_current (&self->history);
}

const OdlSourceInfo *
odl_session_info (OdlSession *self)
{
  static const OdlSourceInfo none = { 0 };
  return self->source ? &self->source->info : &none;
}

const char *
odl_session_file (OdlSession *self)
{
  const OdlSourceInfo *info = odl_session_info (self);
  if (info->files && self->frame && odl_session_is_of_source (self, self->frame)
      && self->frame->index < info->n_frames
      && !odl_source_lacks_frame (self->source, self->frame->index))
    return info->files[self->frame->index];
  return info->files || !info->location || !g_path_is_absolute (info->location)
             ? NULL
             : info->location;
}

bool
odl_session_lacks_frame (OdlSession *self, int64_t index)
{
  return self->source && odl_source_lacks_frame (self->source, index);
}

bool
odl_session_is_of_source (OdlSession *self, const OdlFrame *frame)
{
  return frame->source_serial == self->source_serial;
}

OdlPlayback *
odl_session_playback (OdlSession *self)
{
  return self->playback;
}

const OdlHistory *
odl_session_history (OdlSession *self)
{
  return &self->history;
}

const GError *
odl_session_trouble (OdlSession *self)
{
  return self->trouble;
}

const char *
odl_session_detail (OdlSession *self, const char *key)
{
  return self->source ? odl_source_detail (self->source, key) : NULL;
}

int
odl_session_axes (OdlSession *self, double axes[3][3])
{
  return self->source ? odl_source_axes (self->source, axes) : 0;
}

const char *
odl_session_header_kind (OdlSession *self)
{
  return self->source ? odl_header_text_kind (self->source) : NULL;
}

guint64
odl_session_dropped (OdlSession *self)
{
  return odl_playback_stats (self->playback).dropped + self->n_unseen;
}

guint64
odl_session_n_painted (OdlSession *self)
{
  return self->n_painted;
}

OdlFrame *
odl_session_frame (OdlSession *self)
{
  return self->frame;
}

const char *
odl_session_note (OdlSession *self)
{
  const OdlFrame *frame = self->frame;
  if (!frame)
    return NULL;
  return frame->plan->note ? frame->plan->note : frame->sections;
}

bool
odl_session_playing (OdlSession *self)
{
  return self->playing;
}

bool
odl_session_is_volume (OdlSession *self)
{
  return odl_session_info (self)->n_slices > 1;
}

int
odl_session_time_step (OdlSession *self)
{
  const OdlSourceInfo *info = odl_session_info (self);

  return info->n_slices > 1 && info->n_frames > info->n_slices ? info->n_slices : 1;
}

bool
odl_session_counts_slices (OdlSession *self)
{
  const OdlSourceInfo *info = odl_session_info (self);

  return (info->n_slices > 1 && info->n_slices == info->n_frames)
         || g_strcmp0 (odl_session_detail (self, "series-order"), "place") == 0;
}

bool
odl_session_has_cine (OdlSession *self)
{
  return self->source && odl_source_is_moving (self->source);
}

OdlMoment
odl_session_next_moment (OdlSession *self,
                         OdlTakes *takes,
                         OdlImage *image,
                         bool continues,
                         bool finds_cuts)
{
  takes->last_take = self->last_take;
  const OdlMoment moment = odl_takes_next (takes, image, continues, finds_cuts);
  self->last_take = takes->last_take;
  return moment;
}
