// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "image/damaged.h"
#include "session/player/about.h"
#include "session/player/state.h"
#include "session/player/threads.h"
#include "source/volume.h"

// Pause before a failed capture is read again.
#define RETRY_US (200 * 1000)

// If nothing has been read for this long, the cache is full; memory freed by decoders,
// tens of megabytes for a video, is then returned to the system.
#define TIDY_US (1000 * 1000)

// The next frame of the lead-in or, where it was read, what is about it.
static int64_t
choose_led (const OdlPlayer *player)
{
  odl_frame_cache_set_lead (player->cache, player->lead_next);
  const int64_t about = odl_frame_cache_has (player->cache, player->lead_next)
                            ? odl_player_lacks_about (player, player->lead_next)
                            : -1;
  return about >= 0 ? about : player->lead_next;
}

// The frame to be read next: the requested one, else the first missing one ahead that
// fits in the cache; −1: none. With the mutex held, like all that follows except for
// reading.
static int64_t
choose (const OdlPlayer *player)
{
  if (player->wanted >= 0)
    return odl_frame_cache_has (player->cache, player->wanted)
               ? odl_player_lacks_about (player, player->wanted)
               : player->wanted;
  const int64_t about
      = player->owes ? odl_player_lacks_about (player, player->shown) : -1;
  if (about >= 0)
    return about;
  // A lead-in is read without interruption, since seeking back is slow.
  if (player->lead_next < player->lead_end)
    return player->n_led < ODL_PLAYER_LED ? choose_led (player) : -1;
  // Only the first picture has been requested so far.
  if (!player->playing && !player->again)
    return -1;

  int64_t index = MAX (player->shown, 0);
  int direction = player->direction;
  // The frames before it are kept, too.
  int64_t ahead = odl_frame_cache_capacity (player->cache) - 2 - player->reach.past;
  if (player->timeline.n_frames > 0)
    ahead = MIN (ahead, 2 * player->timeline.n_frames);
  for (int64_t i = 0; i < ahead; i++) {
    index = odl_timeline_next (&player->timeline, index, &direction);
    if (index < 0)
      return -1;
    if (!odl_frame_cache_has (player->cache, index))
      return index;
  }
  return -1;
}

// The stream ended, so its length is known now.
static void
learn_end (OdlPlayer *player, int64_t beyond)
{
  const int64_t told = player->source->info.n_frames;
  const int64_t n = MAX (told > 0 ? MIN (told, beyond) : beyond, 1);
  OdlTimeline *timeline = &player->timeline;

  timeline->n_frames = n;
  timeline->times_ns = player->source->info.frame_times_ns;
  if (timeline->last == 0 || timeline->last >= n)
    timeline->last = n - 1;
  timeline->first = MIN (timeline->first, timeline->last);
  if (player->wanted >= n)
    player->wanted = -1;
  if (player->seek >= n)
    player->seek = n - 1;
  odl_player_rebase (player);
}

static void
take_failure (OdlPlayer *player, int64_t index, GError *error)
{
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_END)) {
    learn_end (player, index);
    // An end with a message is premature.
    if (*error->message != '\0')
      odl_player_report (player, error);
    else
      g_error_free (error);
    return;
  }
  g_autoptr (OdlImage) damaged = NULL;
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT) && player->like)
    damaged = odl_source_lacks_frame (player->source, index)
                  ? odl_volume_missing_slice (player->like)
                  : odl_damaged_image (player->like);
  if (damaged) {
    odl_frame_cache_put (player->cache, index, damaged);
  } else {
    player->playing = false;
    player->wanted = player->seek = -1;
    player->about_failed = true;
  }
  odl_player_report (player, error);
}

static void
take_frame (OdlPlayer *player, int64_t index, OdlImage *image)
{
  if (!player->like)
    player->like = odl_image_ref (image);
  odl_frame_cache_put (player->cache, index, image);
}

// A frame of the lead-in was read, or could not be (NULL).
static void
take_led (OdlPlayer *player, int64_t index, OdlImage *image)
{
  if (index != player->lead_next || index >= player->lead_end
      || player->n_led == ODL_PLAYER_LED
      || (image && odl_player_lacks_about (player, index) >= 0))
    return;
  if (image) {
    player->led_about[player->n_led] = odl_player_find_about (player, index);
    player->led[player->n_led++] = odl_image_ref (image);
  } else {
    player->lead_failed = true;
  }
  player->lead_next = image ? index + MAX (player->timeline.every, 1) : player->lead_end;
  odl_player_tell_lead_in (player);
}

// Waits until something changes. `tidy_us`: time for returning memory; 0: already done.
static void
wait_for_work (OdlPlayer *player, int64_t *tidy_us)
{
  if (*tidy_us == 0) {
    g_cond_wait (&player->changed, &player->mutex);
  } else if (g_get_monotonic_time () < *tidy_us) {
    g_cond_wait_until (&player->changed, &player->mutex, *tidy_us);
  } else {
    *tidy_us = 0;
    g_mutex_unlock (&player->mutex);
    odl_memory_give_back ();
    g_mutex_lock (&player->mutex);
  }
}

static void
read_ahead (OdlPlayer *player)
{
  int64_t tidy_us = 0;

  while (!player->stopping) {
    const int64_t index = choose (player);
    if (index < 0) {
      wait_for_work (player, &tidy_us);
      continue;
    }
    g_autoptr (OdlImage) cached = odl_frame_cache_get (player->cache, index);
    if (cached) {
      take_led (player, index, cached);
      continue;
    }
    g_mutex_unlock (&player->mutex);
    GError *error = NULL;
    g_autoptr (OdlImage) image
        = odl_source_read_frame (player->source, index, player->cancellable, &error);
    g_mutex_lock (&player->mutex);
    tidy_us = g_get_monotonic_time () + TIDY_US;
    if (image)
      take_frame (player, index, image);
    else
      take_failure (player, index, error);
    g_autoptr (OdlImage) damaged
        = image ? NULL : odl_frame_cache_get (player->cache, index);
    take_led (player, index, image ? image : damaged);
    odl_player_settle_about (player);
    g_cond_broadcast (&player->changed);
    if (!image && !player->playing && !player->stopping && player->wanted < 0)
      g_cond_wait (&player->changed, &player->mutex);
  }
}

// Releases the mutex while it makes the picture.
static void
tell_silence (OdlPlayer *player, OdlImage *last, int64_t index, GError *error)
{
  g_mutex_unlock (&player->mutex);
  OdlImage *lost = last ? odl_lost_image (last) : NULL;
  g_mutex_lock (&player->mutex);
  if (lost)
    odl_player_hand_over (player, (OdlMail){ lost, index, .jumped = true });
  odl_player_report (player, error);
}

// Signal loss is reported with a marked picture when it begins, and again when its cause
// changes.
static void
pass_on (OdlPlayer *player)
{
  int64_t index = 0;
  int silence = -1; // code of the error; −1: there are frames
  g_autoptr (OdlImage) last = player->like ? odl_image_ref (player->like) : NULL;

  while (!player->stopping) {
    if (!player->playing) {
      g_cond_wait (&player->changed, &player->mutex);
      continue;
    }
    g_mutex_unlock (&player->mutex);
    GError *error = NULL;
    OdlImage *image
        = odl_source_read_frame (player->source, index, player->cancellable, &error);
    g_mutex_lock (&player->mutex);
    if (image && !player->playing) { // it came after the pause
      odl_image_unref (image);
    } else if (image) {
      odl_image_unref (last);
      last = odl_image_ref (image);
      player->shown = index;
      odl_player_hand_over (player, (OdlMail){ image, index++, .jumped = silence >= 0 });
      silence = -1;
    } else {
      const int code = error->code;
      if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED) || code == silence)
        g_error_free (error);
      else if (silence < 0)
        tell_silence (player, last, index, error);
      else
        odl_player_report (player, error);
      silence = code;
      g_cond_wait_until (&player->changed, &player->mutex,
                         g_get_monotonic_time () + RETRY_US);
    }
  }
}

void *
odl_player_reader_thread (void *data)
{
  OdlPlayer *player = data;

  g_mutex_lock (&player->mutex);
  if (player->capture)
    pass_on (player);
  else
    read_ahead (player);
  g_mutex_unlock (&player->mutex);
  odl_player_unref (player);
  return NULL;
}

// A frame due for display.
typedef struct {
  OdlTimelinePoint point;
  int64_t now_us; // time at which the clock was read
  bool jump; // requested by a seek
  bool held; // the clock is ahead of it, and waits
} Due;

// The frame due at that time. If this thread woke late by less than a frame, it delivers
// the missed frame first: the picture may be one frame late, never two.
static OdlTimelinePoint
point_at (const OdlPlayer *player, int64_t since_ns)
{
  const OdlTimeline *timeline = &player->timeline;
  const OdlTimelinePoint due
      = odl_timeline_at (timeline, player->base, player->base_direction, since_ns);

  if (due.steps <= player->steps + 1 || player->shown < 0)
    return due;
  const OdlTimelinePoint before = odl_timeline_at (
      timeline, player->base, player->base_direction, MAX (due.start_ns - 1, 0));
  return before.steps > player->steps ? before : due;
}

// The next frame in order, due now; where the end is reached, the last one again.
static OdlTimelinePoint
point_in_order (const OdlPlayer *player, int64_t now_us)
{
  const int64_t since_ns = now_us * 1000 - player->base_ns;
  int direction = player->direction;

  if (player->shown < 0)
    return odl_timeline_at (&player->timeline, player->base, player->base_direction, 0);
  const int64_t next = odl_timeline_next (&player->timeline, player->shown, &direction);
  if (next < 0)
    return (OdlTimelinePoint){ .steps = player->steps, .next_ns = -1 };
  return (OdlTimelinePoint){ next, direction, player->steps + 1, since_ns, since_ns };
}

// The frame that is due by the clock, but no more than the stride after the last one.
static void
find_due (OdlPlayer *player, Due *due)
{
  const int64_t since_ns = due->now_us * 1000 - player->base_ns;

  due->point = point_at (player, since_ns);
  due->held = player->stride > 0 && player->shown >= 0
              && due->point.steps > player->steps + player->stride;
  if (!due->held)
    return;
  OdlTimelinePoint *point = &due->point;
  *point = (OdlTimelinePoint){ player->shown, player->direction, player->steps, since_ns,
                               since_ns };
  for (int i = 0; i < player->stride; i++) {
    const int64_t next
        = odl_timeline_next (&player->timeline, point->index, &point->direction);
    if (next < 0)
      break;
    point->index = next;
    point->steps++;
  }
}

// Waits until a frame is due by the clock, by the end of work on others or by a seek.
// False: the thread must end.
static bool
wait_for_due (OdlPlayer *player, Due *due)
{
  while (!player->stopping) {
    const int64_t now_us = g_get_monotonic_time ();
    *due = (Due){ .now_us = now_us, .jump = player->seek >= 0 };
    if (due->jump) {
      due->point = (OdlTimelinePoint){ .index = player->seek, .direction = 1 };
      return true;
    }
    if (!player->playing) {
      g_cond_wait (&player->changed, &player->mutex);
      continue;
    }
    if ((player->fast || player->stride > 0)
        && odl_mailbox_n (&player->mailbox) + player->unfinished >= ODL_PLAYER_AT_WORK) {
      g_cond_wait (&player->changed, &player->mutex);
      continue;
    }
    if (player->fast)
      due->point = point_in_order (player, now_us);
    else
      find_due (player, due);
    if (due->point.steps > player->steps || player->shown < 0)
      return true;
    if (due->point.next_ns < 0) {
      player->playing = false;
      player->ended = true;
      odl_player_queue_delivery (player);
      continue;
    }
    g_cond_wait_until (&player->changed, &player->mutex,
                       (player->base_ns + due->point.next_ns) / 1000 + 1);
  }
  return false;
}

// The frame that is due; NULL if something else has become more urgent.
static OdlImage *
wait_for_frame (OdlPlayer *player, const Due *due)
{
  const int64_t index = due->point.index;
  OdlImage *image = NULL;

  player->wanted = index;
  player->about_failed = false;
  odl_frame_cache_set_focus (player->cache, &player->timeline, index,
                             due->point.direction);
  g_cond_broadcast (&player->changed);
  while (!player->stopping && player->wanted == index
         && (due->jump ? player->seek == index : player->seek < 0)) {
    // What is played has those about it, what is sought is seen at once.
    if (due->jump || odl_player_lacks_about (player, index) < 0)
      image = odl_frame_cache_get (player->cache, index);
    if (image)
      break;
    g_cond_wait (&player->changed, &player->mutex);
  }
  player->wanted = -1;
  return image;
}

// `set`: the clock was set while the frame was being read, and restarts at it.
static void
show (OdlPlayer *player, const Due *due, bool set, OdlImage *image)
{
  const OdlTimelinePoint *point = &due->point;
  const bool wrapped
      = player->timeline.repeat == ODL_REPEAT_LOOP && point->index < player->shown;

  const bool rebase = set || due->held;
  const int64_t skipped = set ? 0 : MAX (point->steps - player->steps - 1, 0);

  player->shown = point->index;
  player->direction = point->direction;
  player->steps = point->steps;
  if (due->jump)
    player->seek = -1;
  if (rebase)
    odl_player_rebase (player);
  OdlNeighbours *about = odl_player_find_about (player, point->index);
  odl_player_hand_over (
      player,
      (OdlMail){ image, point->index, .jumped = due->jump || wrapped, .asked = due->jump,
                 .about = about, .reaches = player->reaches, .skipped = (guint64) skipped,
                 .chosen_us = rebase ? player->base_ns / 1000 : due->now_us,
                 .due_us = (player->base_ns + (rebase ? 0 : point->start_ns)) / 1000 });
  if (!about)
    odl_player_owe_about (player);
  else
    player->owes = false;
  g_cond_broadcast (&player->changed);
}

void *
odl_player_clock_thread (void *data)
{
  OdlPlayer *player = data;
  Due due;

  g_mutex_lock (&player->mutex);
  while (wait_for_due (player, &due)) {
    const unsigned bases = player->bases;
    OdlImage *image = wait_for_frame (player, &due);
    if (image)
      show (player, &due, due.jump || bases != player->bases, image);
  }
  g_mutex_unlock (&player->mutex);
  odl_player_unref (player);
  return NULL;
}
