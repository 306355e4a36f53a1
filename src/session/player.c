// SPDX-License-Identifier: MIT
#include "session/player.h"

#include "session/mailbox.h"

// For sources that move but do not say how fast; the usual rate of ultrasound cines.
#define DEFAULT_FRAME_RATE 25.0

struct _OdlPlayer {
  gatomicrefcount ref_count; // owner, thread, pending delivery
  GMutex mutex; // guards what stands below up to `error`
  GCond changed;
  bool stopping;
  bool playing;
  int64_t base_index; // was shown at base_us
  int64_t base_us;
  int64_t last; // index that was read last
  GError *error;

  OdlMailbox mailbox;
  OdlSource *source;
  GCancellable *cancellable;
  GMainContext *context;
  double frame_rate;
  GThread *thread;
  OdlPlayerCb cb; // called in `context` only, and so is stop
  void *data;
};

static OdlPlayer *
player_ref (OdlPlayer *player)
{
  g_atomic_ref_count_inc (&player->ref_count);
  return player;
}

static void
player_unref (void *data)
{
  OdlPlayer *player = data;
  if (!g_atomic_ref_count_dec (&player->ref_count))
    return;
  odl_mailbox_clear (&player->mailbox);
  odl_source_unref (player->source);
  g_object_unref (player->cancellable);
  g_main_context_unref (player->context);
  g_clear_error (&player->error);
  g_mutex_clear (&player->mutex);
  g_cond_clear (&player->changed);
  g_free (player);
}

int64_t
odl_player_index_at (int64_t base, int64_t elapsed_us, double frame_rate)
{
  return base + (int64_t) ((double) elapsed_us * frame_rate / G_USEC_PER_SEC);
}

static gboolean
deliver_cb (void *data)
{
  OdlPlayer *player = data;
  if (!player->cb)
    return G_SOURCE_REMOVE;
  int64_t index;
  OdlImage *image = odl_mailbox_take (&player->mailbox, &index);
  g_mutex_lock (&player->mutex);
  g_autoptr (GError) error = g_steal_pointer (&player->error);
  g_mutex_unlock (&player->mutex);
  if (image)
    player->cb (image, index, NULL, player->data);
  if (error && player->cb)
    player->cb (NULL, 0, error, player->data);
  return G_SOURCE_REMOVE;
}

// Not g_main_context_invoke: that would call back on this thread while nobody runs the
// context.
static void
queue_delivery (OdlPlayer *player)
{
  GSource *source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, deliver_cb, player_ref (player), player_unref);
  g_source_attach (source, player->context);
  g_source_unref (source);
}

// Waits, with the mutex held, until a frame is due. False: the thread must end.
static bool
wait_for_due (OdlPlayer *player, int64_t *index)
{
  while (!player->stopping) {
    if (!player->playing) {
      g_cond_wait (&player->changed, &player->mutex);
      continue;
    }
    int64_t now = g_get_monotonic_time ();
    *index = odl_player_index_at (player->base_index, now - player->base_us,
                                  player->frame_rate);
    if (*index > player->last)
      return true;
    double frames = (double) (player->last + 1 - player->base_index);
    // One microsecond more, so that rounding cannot wake it before the frame is due.
    int64_t due
        = player->base_us + (int64_t) (frames * G_USEC_PER_SEC / player->frame_rate) + 1;
    g_cond_wait_until (&player->changed, &player->mutex, due);
  }
  return false;
}

static void *
player_thread (void *data)
{
  OdlPlayer *player = data;
  const OdlSourceInfo *info = &player->source->info;
  int64_t index;
  g_mutex_lock (&player->mutex);
  while (wait_for_due (player, &index)) {
    odl_mailbox_count_dropped (&player->mailbox, index - player->last - 1);
    player->last = index;
    g_mutex_unlock (&player->mutex);

    if (!info->live)
      index %= MAX (info->n_frames, 1);
    GError *error = NULL;
    OdlImage *image
        = odl_source_read_frame (player->source, index, player->cancellable, &error);
    bool wake = image && odl_mailbox_put (&player->mailbox, image, index);

    g_mutex_lock (&player->mutex);
    if (error && !player->stopping) {
      // One damaged frame must not stop the others, nor repeat its sentence for ever.
      player->playing = false;
      g_clear_error (&player->error);
      player->error = g_steal_pointer (&error);
      wake = true;
    }
    g_clear_error (&error);
    if (wake && !player->stopping)
      queue_delivery (player);
  }
  g_mutex_unlock (&player->mutex);
  player_unref (player);
  return NULL;
}

OdlPlayer *
odl_player_new (OdlSource *source, int64_t next, OdlPlayerCb cb, void *data)
{
  OdlPlayer *player = g_new0 (OdlPlayer, 1);
  g_atomic_ref_count_init (&player->ref_count);
  g_mutex_init (&player->mutex);
  g_cond_init (&player->changed);
  odl_mailbox_init (&player->mailbox);
  player->source = odl_source_ref (source);
  player->cancellable = g_cancellable_new ();
  player->context = g_main_context_ref_thread_default ();
  double rate = source->info.frame_rate;
  player->frame_rate = rate > 0 ? CLAMP (rate, 0.1, 1000) : DEFAULT_FRAME_RATE;
  player->last = next - 1;
  player->cb = cb;
  player->data = data;
  player->thread = g_thread_new ("odl-player", player_thread, player_ref (player));
  return player;
}

void
odl_player_stop (OdlPlayer *player, bool wait)
{
  player->cb = NULL;
  g_mutex_lock (&player->mutex);
  player->stopping = true;
  g_cond_signal (&player->changed);
  g_mutex_unlock (&player->mutex);
  g_cancellable_cancel (player->cancellable);
  GThread *thread = g_steal_pointer (&player->thread);
  if (wait)
    g_thread_join (thread);
  else
    g_thread_unref (thread);
  player_unref (player);
}

void
odl_player_set_playing (OdlPlayer *player, bool playing)
{
  g_mutex_lock (&player->mutex);
  player->playing = playing;
  player->base_index = player->last;
  player->base_us = g_get_monotonic_time ();
  g_cond_signal (&player->changed);
  g_mutex_unlock (&player->mutex);
}

guint64
odl_player_dropped (OdlPlayer *player)
{
  return odl_mailbox_dropped (&player->mailbox);
}
