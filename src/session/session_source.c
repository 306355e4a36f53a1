// SPDX-License-Identifier: MIT
// The source in place: how it takes the place of another one, and the frames that come
// from its player.
#include "base/error.h"
#include "session/session_private.h"
#include "source/volume.h"

static void
set_trouble (OdlSession *self, const GError *trouble)
{
  const bool same = !trouble && !self->trouble;
  g_clear_error (&self->trouble);
  self->trouble = trouble ? g_error_copy (trouble) : NULL;
  if (!same)
    g_signal_emit_by_name (self, "trouble-changed");
}

// `holds`: a pause is at the picture that is seen, else where the player is.
static void
take_playing (OdlSession *self, bool playing, bool holds)
{
  OdlPlayer *player = odl_playback_player (self->playback);
  playing = playing && player;
  if (playing == self->playing)
    return;
  self->playing = playing;
  const bool held = !playing && holds && player && odl_session_hold (self);
  if (player && !held)
    odl_player_set_playing (player, playing);
  odl_session_want_prices (self);
  if (!playing && self->next)
    odl_session_show (self, g_steal_pointer (&self->next));
  // During playback the history comes from the frames that are played, else from a
  // lead-in. A picture at rest has no mark of its speed.
  if (playing)
    odl_session_stop_lead_in (self);
  else if (!held && self->plan
           && (odl_plan_lead_in (self->plan) > 0
               || odl_playback_is_fast (self->playback)))
    odl_session_mark (self, ODL_MARK_PICTURE);
  g_object_notify (G_OBJECT (self), "playing");
}

static void
played_cb (const OdlPlayed *played, void *data)
{
  OdlSession *self = data;
  const GError *error = played->error;
  if (played->lead_in) {
    odl_session_pump_lead_in (self);
    return;
  }
  if (played->about_came) {
    odl_session_about_came (self, played->index, played->about);
    return;
  }
  if (played->image) {
    g_clear_pointer (&self->image, odl_image_unref);
    self->image = played->image;
    // A step forward is a seek to the next frame, or volume.
    self->continues
        = !played->jumped || played->index == self->index + odl_session_time_step (self);
    self->moment = (OdlMoment){ 0 };
    odl_session_renew_past (self, false);
    self->index = played->index;
    odl_session_lag_take (self, played->jumped);
    odl_session_about_take (self, played->about);
    self->arrived_us = played->arrived_us;
    self->due_us = played->due_us;
    self->arrival = ++self->n_arrived;
    self->dropped = played->dropped;
    self->asked = odl_playback_is_seeking (self->playback);
    // A frame replaced because of a seek does not count as unseen.
    if (self->asked) {
      self->asked_arrival = self->arrival;
      self->painted_arrival = self->arrival - 1;
    }
    odl_playback_arrived (self->playback, played->index, played->seeking);
    odl_session_mark (self, ODL_MARK_PICTURE);
    odl_session_settle (self);
    set_trouble (self, NULL);
    return;
  }
  odl_playback_arrived (self->playback, -1, false);
  odl_session_want_lead_in (self);
  if (error && odl_session_info (self)->capture) {
    set_trouble (self, error);
    return;
  }
  // The last frame of a range that is played once may still be on its way.
  const bool goes_on = error
                       && (g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)
                           || g_error_matches (error, ODL_ERROR, ODL_ERROR_END));
  if (!goes_on)
    take_playing (self, false, false);
  if (error)
    g_signal_emit_by_name (self, "frame-failed", error);
}

static void
reset_history (OdlSession *self, const OdlRecipe *recipe)
{
  OdlRecipe first = *recipe;
  odl_history_clear (&self->history);
  odl_history_init (&self->history, &first, odl_session_kept_annotations (self));
  odl_session_tell_annotations (self);
  g_object_notify (G_OBJECT (self), "recipe");
}

// Slices of one volume are looked at one by one, from its middle; so are frames of
// scanners that take slices, where the file says no times of them.
static bool
stands_still (OdlSession *self)
{
  static const char *const of_slices[] = { "CT", "MR", "PT", NULL };
  const OdlSourceInfo *info = odl_session_info (self);
  const char *modality = odl_session_detail (self, "modality");

  if (modality && g_strv_contains (of_slices, modality) && info->n_slices == 0
      && info->n_frames > 1 && info->frame_rate <= 0 && !info->frame_times_ns)
    return true;
  return info->n_slices > 1 && info->n_slices == info->n_frames && !info->is_stack;
}

void
odl_session_take_source (OdlSession *self,
                         OdlSource *source,
                         OdlImage *image,
                         const OdlRecipe *recipe)
{
  odl_session_keep_annotations (self);
  odl_session_stop_lead_in (self);
  odl_session_stop_reading (self); // it was for the previous picture
  odl_playback_stop (self->playback, false);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  self->source = source;
  self->image = image;
  odl_playback_take (self->playback, source, image, played_cb, self);
  self->index = 0;
  self->arrived_us = self->due_us = 0;
  self->asked = false;
  self->arrival = self->n_arrived = 1;
  self->dropped = 0;
  self->painted_arrival = self->n_painted = self->n_unseen = 0;
  self->painted_index = -1;
  self->asked_arrival = self->held_arrival = self->held_until = 0;
  g_clear_pointer (&self->painted, odl_frame_unref);
  g_clear_pointer (&self->places, odl_slice_places_free);
  self->read_places = false;
  self->pace = (OdlPace){ 0 };
  odl_session_identify (self);
  self->source_serial++;
  set_trouble (self, NULL);
  self->continues = false;
  self->moment = (OdlMoment){ 0 };
  odl_session_renew_past (self, true);
  self->told_too_large = false;
  self->playing = false;
  g_clear_pointer (&self->next, odl_frame_unref);
  odl_session_stop_awaiting (self);

  OdlRecipe next;
  odl_recipe_init (&next);
  if (recipe)
    next = *recipe;
  else if (self->keep_recipe)
    next = *odl_history_current (&self->history);
  odl_session_begin_area (self);
  odl_session_lag_take (self, true);
  odl_session_about_begin (self);
  odl_session_take_volume (self);
  odl_session_measure (self, &next);
  reset_history (self, &next);
  if (source->info.start > 0)
    odl_playback_seek (self->playback, source->info.start);
  else if (odl_session_shows_planes (self) || stands_still (self))
    odl_playback_seek (self->playback, source->info.n_slices / 2);
}

void
odl_session_begin (OdlSession *self)
{
  g_object_notify (G_OBJECT (self), "source");
  g_signal_emit_by_name (self, "opened");
  odl_session_mark (self, ODL_MARK_PICTURE);
  odl_session_settle (self);
  if (!odl_session_shows_planes (self) && !stands_still (self)
      && !odl_session_info (self)->is_stack)
    odl_session_set_playing (self, true);
}

void
odl_session_set_playing (OdlSession *self, bool playing)
{
  take_playing (self, playing, true);
}
