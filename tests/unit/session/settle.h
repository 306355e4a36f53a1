// SPDX-License-Identifier: MIT
// Waits until a session has settled, instead of for a fixed time.
#pragma once

#include "session/player/state.h"
#include "session/session_private.h"

#define PATIENCE_US (600 * G_USEC_PER_SEC)

// A paused player that has delivered everything. Main thread, between callbacks.
static inline bool
player_is_quiet (OdlPlayer *player)
{
  g_mutex_lock (&player->mutex);
  const bool quiet = !player->playing && player->wanted < 0 && player->seek < 0
                     && player->mailbox.n == 0;
  g_mutex_unlock (&player->mutex);
  return quiet;
}

// When the clock was set to the frame displayed then.
static inline int64_t
player_base_us (OdlPlayer *player)
{
  g_mutex_lock (&player->mutex);
  const int64_t us = player->base_ns / 1000;
  g_mutex_unlock (&player->mutex);
  return us;
}

// A quiet player that displays the source's last frame, with its history if filters
// are temporal.
static inline bool
session_is_quiet (OdlSession *session)
{
  // A pause that goes back to a picture that was shown leaves no moment, and a lead-in
  // gives one where the picture has a history.
  return session->marks == 0 && session->frame != NULL
         && session->frame->arrival == session->arrival
         && (session->moment.serial == 0
             || session->frame->moment.serial == session->moment.serial)
         && odl_recipe_equal (&session->frame->recipe, odl_session_recipe (session))
         && !odl_session_leads_in (session) && !odl_session_is_reading (session)
         && (!odl_playback_player (session->playback)
             || player_is_quiet (odl_playback_player (session->playback)));
}

static inline void
settle (OdlSession *session)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (!session_is_quiet (session) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_true (session_is_quiet (session));
}
