// SPDX-License-Identifier: MIT
#include "session/recorder.h"

#include "base/clock.h"
#include "base/error.h"
#include "output/movie.h"

// Pictures that wait for the encoder; at 1920 × 1080 32 MB.
#define MAX_WAITING 4

// How long the last picture is shown.
#define LAST_NS ((int64_t) 40000000)

struct _OdlRecorder {
  GMutex mutex; // guards what stands below up to the empty line
  GCond changed;
  GQueue waiting; // OdlImage
  bool finishing;
  bool ended;
  int64_t first_ns; // −1: no picture yet
  int64_t end_ns;
  OdlRecorderState state;
  GError *error;

  char *path;
  char *description;
  OdlQuality quality;
  GThread *thread;
  GMainContext *context;
  GSource *told; // main context only
  OdlRecorderCb cb;
  void *data;
};

static gboolean
tell_cb (void *data)
{
  OdlRecorder *recorder = data;

  if (recorder->cb != NULL)
    recorder->cb (recorder->path, recorder->error, recorder->data);
  return G_SOURCE_REMOVE;
}

// The next picture; NULL when there is none to come.
static OdlImage *
next (OdlRecorder *recorder)
{
  g_mutex_lock (&recorder->mutex);
  while (g_queue_is_empty (&recorder->waiting) && !recorder->finishing)
    g_cond_wait (&recorder->changed, &recorder->mutex);
  OdlImage *image = g_queue_pop_head (&recorder->waiting);
  g_mutex_unlock (&recorder->mutex);
  return image;
}

static bool
write_all (OdlRecorder *recorder, OdlMovie *movie, GError **error)
{
  g_autoptr (OdlImage) last = NULL;
  OdlImage *image;
  int64_t last_ns = -1;

  while ((image = next (recorder)) != NULL) {
    const int64_t time_ns = odl_image_info (image)->pts_ns - recorder->first_ns;
    last_ns = MAX (time_ns, last_ns + 1);
    odl_image_unref (last);
    last = image;
    if (!odl_movie_write (movie, image, last_ns, LAST_NS, error))
      return false;
    g_mutex_lock (&recorder->mutex);
    recorder->state.bytes = odl_movie_bytes (movie);
    g_mutex_unlock (&recorder->mutex);
  }
  // How long the last picture stood is not kept by all codecs, unless it comes again.
  const int64_t again_ns = recorder->end_ns - LAST_NS;
  return last == NULL || again_ns <= last_ns
         || odl_movie_write (movie, last, again_ns, LAST_NS, error);
}

static bool
record (OdlRecorder *recorder, GError **error)
{
  OdlMovieParams params = { .quality = recorder->quality,
                            .description = recorder->description,
                            .replace = true };

  params.codec = odl_codec_find (NULL, params.quality, error);
  if (params.codec == NULL)
    return false;
  OdlMovie *movie = odl_movie_new (recorder->path, &params, error);
  if (movie == NULL)
    return false;
  if (write_all (recorder, movie, error))
    return odl_movie_finish (movie, error);
  odl_movie_abandon (movie);
  return false;
}

static void *
record_thread (void *data)
{
  OdlRecorder *recorder = data;
  GError *error = NULL;

  if (!record (recorder, &error))
    g_debug ("recorder: %s", error->message);
  g_mutex_lock (&recorder->mutex);
  recorder->error = error;
  recorder->ended = true;
  g_mutex_unlock (&recorder->mutex);
  g_source_attach (recorder->told, recorder->context);
  return NULL;
}

OdlRecorder *
odl_recorder_new (const char *path,
                  OdlQuality quality,
                  const char *description,
                  OdlRecorderCb cb,
                  void *data)
{
  OdlRecorder *recorder = g_new0 (OdlRecorder, 1);

  g_mutex_init (&recorder->mutex);
  g_cond_init (&recorder->changed);
  g_queue_init (&recorder->waiting);
  recorder->path = g_strdup (path);
  recorder->description = g_strdup (description);
  recorder->quality = quality;
  recorder->first_ns = -1;
  recorder->context = g_main_context_ref_thread_default ();
  recorder->told = g_idle_source_new ();
  g_source_set_priority (recorder->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (recorder->told, tell_cb, recorder, NULL);
  recorder->cb = cb;
  recorder->data = data;
  recorder->thread = g_thread_new ("recorder", record_thread, recorder);
  return recorder;
}

void
odl_recorder_add (OdlRecorder *recorder, OdlImage *shown)
{
  g_mutex_lock (&recorder->mutex);
  if (recorder->finishing || recorder->ended) {
    // Too late for everybody.
  } else if (shown == NULL) {
    recorder->state.dropped++;
  } else {
    // The latest picture counts: it may be the one that stays.
    if (recorder->waiting.length >= MAX_WAITING) {
      odl_image_unref (g_queue_pop_tail (&recorder->waiting));
      recorder->state.dropped++;
      recorder->state.pictures--;
    }
    if (recorder->first_ns < 0)
      recorder->first_ns = odl_image_info (shown)->pts_ns;
    g_queue_push_tail (&recorder->waiting, odl_image_ref (shown));
    recorder->state.pictures++;
    g_cond_broadcast (&recorder->changed);
  }
  g_mutex_unlock (&recorder->mutex);
}

void
odl_recorder_finish (OdlRecorder *recorder)
{
  g_mutex_lock (&recorder->mutex);
  if (!recorder->finishing) {
    recorder->finishing = true;
    recorder->end_ns
        = recorder->first_ns < 0 ? 0 : odl_clock_now_ns () - recorder->first_ns;
    g_cond_broadcast (&recorder->changed);
  }
  g_mutex_unlock (&recorder->mutex);
}

OdlRecorderState
odl_recorder_state (OdlRecorder *recorder)
{
  g_mutex_lock (&recorder->mutex);
  OdlRecorderState state = recorder->state;
  if (recorder->first_ns >= 0)
    state.elapsed_ns = recorder->finishing ? recorder->end_ns
                                           : odl_clock_now_ns () - recorder->first_ns;
  g_mutex_unlock (&recorder->mutex);
  return state;
}

static void
image_free (void *image)
{
  odl_image_unref (image);
}

void
odl_recorder_free (OdlRecorder *recorder)
{
  if (recorder == NULL)
    return;
  recorder->cb = NULL;
  odl_recorder_finish (recorder);
  g_thread_join (recorder->thread);
  g_source_destroy (recorder->told);
  g_source_unref (recorder->told);
  g_queue_clear_full (&recorder->waiting, image_free);
  g_main_context_unref (recorder->context);
  g_clear_error (&recorder->error);
  g_mutex_clear (&recorder->mutex);
  g_cond_clear (&recorder->changed);
  g_free (recorder->path);
  g_free (recorder->description);
  g_free (recorder);
}
