// SPDX-License-Identifier: MIT
#include "session/player/state.h"

OdlPlayer *
odl_player_ref (OdlPlayer *player)
{
  g_atomic_ref_count_inc (&player->ref_count);
  return player;
}

void
odl_player_drop_led (OdlPlayer *player)
{
  while (player->n_led > 0) {
    player->n_led--;
    odl_image_unref (player->led[player->n_led]);
    odl_neighbours_unref (player->led_about[player->n_led]);
  }
}

void
odl_player_unref (void *data)
{
  OdlPlayer *player = data;
  if (!g_atomic_ref_count_dec (&player->ref_count))
    return;
  odl_mailbox_clear (&player->mailbox);
  odl_player_drop_led (player);
  odl_neighbours_unref (player->about);
  odl_frame_cache_free (player->cache);
  odl_image_unref (player->like);
  odl_source_unref (player->source);
  g_object_unref (player->cancellable);
  g_main_context_unref (player->context);
  g_clear_error (&player->error);
  g_mutex_clear (&player->mutex);
  g_cond_clear (&player->changed);
  g_free (player);
}

static gboolean
deliver_cb (void *data)
{
  OdlPlayer *player = data;
  if (!player->cb)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&player->mutex);
  OdlMail mail;
  const bool more = odl_mailbox_take (&player->mailbox, &mail);
  if (more)
    odl_player_queue_delivery (player);
  // What was wanted when it was handed over.
  if (mail.reaches != player->reaches)
    g_clear_pointer (&mail.about, odl_neighbours_unref);
  OdlPlayed played = { .image = mail.image,
                       .about = mail.about,
                       .index = mail.index,
                       .jumped = mail.jumped,
                       .dropped = mail.dropped,
                       .due_us = mail.due_us,
                       .chosen_us = mail.chosen_us,
                       .arrived_us = mail.arrived_us };
  played.seeking = player->seek >= 0;
  player->unfinished += mail.image != NULL;
  // That a camera is silent comes after the frames that wait: each says that it is not.
  const bool early = more && player->source->info.capture;
  g_autoptr (GError) error = early ? NULL : g_steal_pointer (&player->error);
  const bool ended = player->ended, lead_in = player->lead_news;
  player->ended = player->lead_news = false;
  // After the frame that they are about.
  const bool about_news = player->about_news && !more;
  g_autoptr (OdlNeighbours) about = about_news ? g_steal_pointer (&player->about) : NULL;
  const int64_t about_index = player->about_index;
  player->about_news = player->about_news && more;
  g_mutex_unlock (&player->mutex);
  if (played.image)
    player->cb (&played, player->data);
  if ((error || ended) && player->cb)
    player->cb (&(OdlPlayed){ .index = played.index, .error = error, .ended = ended },
                player->data);
  if (about_news && player->cb)
    player->cb (&(OdlPlayed){ .about = g_steal_pointer (&about),
                              .index = about_index,
                              .about_came = true },
                player->data);
  if (lead_in && player->cb)
    player->cb (&(OdlPlayed){ .lead_in = true }, player->data);
  return G_SOURCE_REMOVE;
}

// Not g_main_context_invoke: that would call back on this thread while nobody runs the
// context.
void
odl_player_queue_delivery (OdlPlayer *player)
{
  GSource *source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, deliver_cb, odl_player_ref (player), odl_player_unref);
  g_source_attach (source, player->context);
  g_source_unref (source);
}

void
odl_player_report (OdlPlayer *player, GError *error)
{
  if (player->stopping || g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_error_free (error);
    return;
  }
  // One message at a time: of a camera the one that holds now, else the first one, which
  // is closest to the cause.
  if (player->error && !player->source->info.capture)
    g_error_free (error);
  else {
    g_clear_error (&player->error);
    player->error = error;
  }
  odl_player_queue_delivery (player);
}

void
odl_player_hand_over (OdlPlayer *player, OdlMail mail)
{
  mail.arrived_us = g_get_monotonic_time ();
  if (mail.chosen_us == 0)
    mail.due_us = mail.chosen_us = mail.arrived_us;
  if (odl_mailbox_put (&player->mailbox, mail))
    odl_player_queue_delivery (player);
}

void
odl_player_tell_lead_in (OdlPlayer *player)
{
  if (!player->lead_news)
    odl_player_queue_delivery (player);
  player->lead_news = true;
}

void
odl_player_rebase (OdlPlayer *player)
{
  player->base = MAX (player->shown, 0);
  player->base_direction = player->direction;
  player->base_ns = g_get_monotonic_time () * 1000;
  player->steps = 0;
  player->bases++;
  g_cond_broadcast (&player->changed);
}
