// SPDX-License-Identifier: MIT
// What the window was before a presentation, and the way back: nothing that a
// presentation does outlives it.
#include "config.h"
#include "widgets/window/private.h"

struct _OdlHome {
  char *location; // NULL: nothing was open
  OdlHistory history;
  OdlView view;
  OdlWindow window;
  bool shows_values;
  bool wipe;
  double wipe_position;
  bool full_screen;
  bool playing;
  int64_t position;
  double speed;
  double frame_rate; // of a phantom
  OdlRepeat repeat;
  bool has_range;
  int64_t range_first, range_last;
};

OdlHome *
odl_main_window_leave_home (OdlMainWindow *self)
{
  OdlSession *session = self->session;
  OdlHome *home = g_new (OdlHome, 1);
  *home = (OdlHome){
    .location = g_strdup (odl_session_location (session)),
    .view = *odl_viewport_view (self->viewport),
    .window = odl_viewport_window (self->viewport),
    .shows_values = odl_viewport_shows_values (self->viewport),
    .wipe = odl_viewport_wipe (self->viewport),
    .wipe_position = odl_viewport_wipe_position (self->viewport),
    .full_screen = self->full_screen,
    .playing = odl_session_playing (session),
    .position = odl_session_position (session),
    .speed = odl_session_speed (session),
    .frame_rate = odl_session_frame_rate (session),
    .repeat = odl_session_repeat (session),
    .has_range = odl_session_has_range (session),
    .range_first = odl_session_range_first (session),
    .range_last = odl_session_range_last (session),
  };
  odl_session_save_history (session, &home->history);
  odl_viewport_set_shows_values (self->viewport, false);
  return home;
}

void
odl_home_free (OdlHome *home)
{
  if (!home)
    return;
  odl_history_clear (&home->history);
  g_free (home->location);
  g_free (home);
}

// How it was played. Of what is endless there is no place to go back to.
static void
restore_playing (OdlMainWindow *self, const OdlHome *home)
{
  OdlSession *session = self->session;
  if (!odl_session_is_moving (session))
    return;
  odl_session_set_playing (session, home->playing);
  if (odl_session_is_capture (session))
    return;
  odl_session_set_speed (session, home->speed);
  odl_session_set_repeat (session, home->repeat);
  if (odl_session_is_live (session))
    odl_session_set_frame_rate (session, home->frame_rate);
  if (home->has_range)
    odl_session_set_range (session, home->range_first, home->range_last);
  else
    odl_session_set_range (session, 0, G_MAXINT64);
  if (home->position != odl_session_position (session))
    odl_session_seek (session, home->position);
  odl_transport_update (self->transport, 0, true);
}

// What the session does with a source that it has just opened comes first.
static gboolean
arrived_cb (void *data)
{
  OdlMainWindow *self = data;
  g_autoptr (OdlHome) home = g_steal_pointer (&self->home);
  self->home_id = 0;
  restore_playing (self, home);
  return G_SOURCE_REMOVE;
}

void
odl_main_window_home_opened (OdlMainWindow *self)
{
  OdlHome *home = self->home;
  if (!home)
    return;
  g_clear_handle_id (&self->home_id, g_source_remove);
  if (g_strcmp0 (home->location, odl_session_location (self->session)) != 0) {
    odl_main_window_forget_home (self);
    return;
  }
  odl_session_restore_history (self->session, &home->history);
  self->home_id = g_idle_add_full (G_PRIORITY_HIGH, arrived_cb, self, NULL);
}

void
odl_main_window_forget_home (OdlMainWindow *self)
{
  g_clear_handle_id (&self->home_id, g_source_remove);
  g_clear_pointer (&self->home, odl_home_free);
  odl_viewport_restore (self->viewport, NULL, NULL, true);
}

void
odl_main_window_go_home (OdlMainWindow *self, OdlHome *home)
{
  OdlSession *session = self->session;
  self->home = home;
  odl_viewport_set_shows_values (self->viewport, home->shows_values);
  odl_viewport_set_wipe (self->viewport, home->wipe);
  odl_viewport_set_wipe_position (self->viewport, home->wipe_position);
  odl_main_window_set_full_screen (self, home->full_screen);
  const char *location = odl_session_location (session);
  const bool there = g_strcmp0 (location, home->location) == 0;
  if (home->location)
    odl_viewport_restore (self->viewport, &home->view, &home->window, !there);
  if (home->location && !there) {
    odl_session_open (session, home->location, odl_history_current (&home->history));
    return;
  }
  odl_session_cancel_open (session);
  odl_session_restore_history (session, &home->history);
  g_autoptr (OdlHome) done = g_steal_pointer (&self->home);
  // Nothing was open: what was shown last stays, as it came.
  if (home->location)
    restore_playing (self, done);
}
