// SPDX-License-Identifier: MIT
#include "session/player/about.h"

// Where the end is not known; twice as many are an int, too.
#define ENDLESS (G_MAXINT / 4)

static int
count_about (const OdlPlayer *player)
{
  return player->reach.past + 1 + player->reach.ahead;
}

// The k-th of those about `index`; −1: the sequence has none there.
static int64_t
number_at (const OdlPlayer *player, int64_t index, int k)
{
  const int64_t n = player->timeline.n_frames;
  const int64_t number = index - player->reach.past + k;

  if (player->reach.wraps && n > 0)
    return (number % n + n) % n;
  return number >= 0 && (n == 0 || number < n) ? number : -1;
}

int64_t
odl_player_lacks_about (const OdlPlayer *player, int64_t index)
{
  if (player->reach.past == 0 || player->about_failed)
    return -1;
  for (int k = 0; k < count_about (player); k++) {
    const int64_t number = number_at (player, index, k);
    if (number >= 0 && !odl_frame_cache_has (player->cache, number))
      return number;
  }
  return -1;
}

OdlNeighbours *
odl_player_find_about (const OdlPlayer *player, int64_t index)
{
  const int64_t n = player->timeline.n_frames;
  g_autoptr (OdlNeighbours) about = odl_neighbours_new (index, n > 0 ? n : ENDLESS);
  g_autoptr (OdlImage) own = odl_frame_cache_get (player->cache, index);

  if (player->reach.past == 0 || player->about_failed || own == NULL
      || odl_player_lacks_about (player, index) >= 0)
    return NULL;
  for (int k = 0; k < count_about (player); k++) {
    const int64_t number = number_at (player, index, k);
    if (number < 0 || odl_neighbours_find (about, number) != NULL)
      continue;
    g_autoptr (OdlImage) image = odl_frame_cache_get (player->cache, number);
    if (!odl_neighbours_are_alike (image, own))
      return NULL;
    odl_neighbours_put (about, number, image);
  }
  return g_steal_pointer (&about);
}

void
odl_player_settle_about (OdlPlayer *player)
{
  if (!player->owes || odl_player_lacks_about (player, player->shown) >= 0)
    return;
  player->owes = false;
  odl_neighbours_unref (player->about);
  player->about = odl_player_find_about (player, player->shown);
  player->about_index = player->shown;
  player->about_news = true;
  odl_player_queue_delivery (player);
}

void
odl_player_owe_about (OdlPlayer *player)
{
  player->about_news = false;
  g_clear_pointer (&player->about, odl_neighbours_unref);
  player->owes = player->reach.past > 0 && player->shown >= 0;
  if (player->owes)
    odl_frame_cache_set_focus (player->cache, &player->timeline, player->shown,
                               player->direction);
  odl_player_settle_about (player);
  g_cond_broadcast (&player->changed);
}

void
odl_player_set_reach (OdlPlayer *player, OdlTimeReach reach)
{
  g_mutex_lock (&player->mutex);
  player->reach = reach;
  player->reaches++;
  player->about_failed = false;
  odl_frame_cache_set_reach (player->cache, reach);
  odl_player_owe_about (player);
  g_mutex_unlock (&player->mutex);
}
