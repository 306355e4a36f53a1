// SPDX-License-Identifier: MIT
#include "widgets/window/home.h"

#include "widgets/window/parts.h"

// The state from before.
typedef struct {
  char *location; // NULL: nothing was open
  OdlHistory history;
  OdlView view;
  OdlWindow window;
  bool shows_values;
  bool wipe, beside;
  double wipe_position;
  bool full_screen;
  bool playing;
  int64_t position;
  OdlPlayMode mode;
  double frame_rate; // of a phantom
} State;

struct _OdlHome {
  const OdlWindowParts *parts;
  State *state; // NULL: home was not left
  bool returning; // its source is being opened again
  guint arrived_id;
};

static void
state_free (State *state)
{
  odl_history_clear (&state->history);
  g_free (state->location);
  g_free (state);
}

static void
forget_state (OdlHome *self)
{
  g_clear_handle_id (&self->arrived_id, g_source_remove);
  g_clear_pointer (&self->state, state_free);
  self->returning = false;
}

void
odl_home_leave (OdlHome *self)
{
  const OdlWindowParts *parts = self->parts;
  OdlSession *session = parts->session;
  OdlPlayback *playback = odl_session_playback (session);
  OdlViewport *viewport = parts->viewport;
  g_clear_handle_id (&self->arrived_id, g_source_remove);
  self->returning = false;
  if (self->state)
    return;
  self->state = g_new (State, 1);
  *self->state = (State){
    .location = g_strdup (odl_session_info (session)->location),
    .view = *odl_viewport_view (viewport),
    .window = odl_viewport_window (viewport),
    .shows_values = odl_viewport_shows_values (viewport),
    .wipe = odl_viewport_wipe (viewport),
    .beside = odl_viewport_beside (viewport),
    .wipe_position = odl_viewport_wipe_position (viewport),
    .full_screen = odl_screen_is_full (parts->screen),
    .playing = odl_session_playing (session),
    .position = odl_playback_position (playback),
    .mode = *odl_playback_mode (playback),
    .frame_rate = odl_playback_frame_rate (playback),
  };
  odl_history_copy (odl_session_history (session), &self->state->history);
  odl_viewport_set_shows_values (viewport, false);
  odl_viewport_set_tool (viewport, NULL);
}

// A capture has no speed, and no position to go back to.
static void
restore_playing (OdlHome *self)
{
  OdlSession *session = self->parts->session;
  const State *home = self->state;
  OdlPlayback *playback = odl_session_playback (session);
  if (!odl_playback_is_moving (playback))
    return;
  odl_session_set_playing (session, home->playing);
  if (odl_session_info (session)->capture)
    return;
  odl_playback_set_speed (playback, home->mode.speed);
  odl_playback_set_repeat (playback, home->mode.repeat);
  odl_playback_set_range (playback, home->mode.first, home->mode.last);
  odl_playback_set_frame_rate (playback, home->frame_rate); // of a phantom only
  if (home->position != odl_playback_position (playback))
    odl_playback_seek (playback, home->position);
  odl_readout_reset_rate (self->parts->readout);
}

// Applied after the session's own settings for a newly opened source.
static gboolean
arrived_cb (void *data)
{
  OdlHome *self = data;
  self->arrived_id = 0;
  restore_playing (self);
  forget_state (self);
  return G_SOURCE_REMOVE;
}

void
odl_home_opened (OdlHome *self)
{
  if (!self->returning)
    return;
  g_clear_handle_id (&self->arrived_id, g_source_remove);
  if (g_strcmp0 (self->state->location, odl_session_info (self->parts->session)->location)
      != 0) {
    odl_home_forget (self);
    return;
  }
  odl_session_restore_history (self->parts->session, &self->state->history);
  self->arrived_id = g_idle_add_full (G_PRIORITY_HIGH, arrived_cb, self, NULL);
}

void
odl_home_forget (OdlHome *self)
{
  if (self->returning)
    forget_state (self);
  odl_viewport_restore (self->parts->viewport, NULL, NULL, true);
}

void
odl_home_return (OdlHome *self)
{
  OdlSession *session = self->parts->session;
  OdlViewport *viewport = self->parts->viewport;
  const State *home = self->state;
  odl_viewport_set_shows_values (viewport, home->shows_values);
  odl_viewport_set_wipe (viewport, home->wipe);
  odl_viewport_set_beside (viewport, home->beside);
  odl_viewport_set_wipe_position (viewport, home->wipe_position);
  self->returning = true;
  odl_screen_set_full (self->parts->screen, home->full_screen);
  const bool there
      = g_strcmp0 (odl_session_info (session)->location, home->location) == 0;
  if (home->location)
    odl_viewport_restore (viewport, &home->view, &home->window, !there);
  if (home->location && !there) {
    odl_session_open (session, home->location, odl_history_current (&home->history));
    return;
  }
  odl_session_cancel_open (session);
  // If nothing was open before, the source shown last stays, with its filters.
  if (home->location) {
    odl_session_restore_history (session, &home->history);
    restore_playing (self);
  }
  forget_state (self);
}

OdlHome *
odl_home_new (const OdlWindowParts *parts)
{
  OdlHome *self = g_new0 (OdlHome, 1);
  self->parts = parts;
  return self;
}

void
odl_home_free (OdlHome *self)
{
  if (!self)
    return;
  forget_state (self);
  g_free (self);
}
