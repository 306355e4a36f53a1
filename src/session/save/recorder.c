// SPDX-License-Identifier: MIT
#include "session/save/recorder.h"

#include "base/clock.h"
#include "base/thread.h"
#include "engine/choice.h"
#include "image/damaged.h"
#include "image/display/marks.h"
#include "plan/title.h"
#include "work/result.h"
#include "work/runner.h"

// Pictures queued for the encoder; 32 MB at 1920 × 1080.
#define MAX_WAITING 4

// Duration of the last picture.
#define LAST_NS ((int64_t) 40000000)

// A picture or frame given to the recorder.
typedef struct {
  OdlImage *shown; // NULL: a frame
  OdlFrame *frame;
  OdlWindow window; // of the frame
  OdlDetailMeasuring *details; // of its `reach`; NULL: it has that
  int64_t time_ns; // monotonic
  char *title; // of the frame, when it is written
  GStrv marks;
  const char *files_as; // see odl_recorder_hide_files
} Given;

struct _OdlRecorder {
  GMutex mutex; // guards the fields up to the empty line
  GCond changed;
  GQueue waiting; // Given
  bool finishing;
  bool ended;
  int64_t first_ns; // −1: no picture yet
  int64_t end_ns;
  OdlRecorderState state;
  GError *error;

  const char *files_as; // main thread only
  OdlRecorderParams params; // path and description are owned
  OdlRunner *runner; // of the thread; NULL: not needed yet
  OdlEngineChoice choice; // of `runner`
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
    recorder->cb (recorder->params.path, recorder->error, recorder->data);
  return G_SOURCE_REMOVE;
}

static void
given_free (void *data)
{
  Given *given = data;

  g_clear_pointer (&given->shown, odl_image_unref);
  g_clear_pointer (&given->frame, odl_frame_unref);
  g_clear_pointer (&given->details, odl_detail_measuring_unref);
  g_free (given->title);
  g_strfreev (given->marks);
  g_free (given);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Given, given_free)

// ---- the thread ----------------------------------------------------------------------

// The next picture; NULL: no more will come.
static Given *
next (OdlRecorder *recorder)
{
  g_mutex_lock (&recorder->mutex);
  while (g_queue_is_empty (&recorder->waiting) && !recorder->finishing)
    g_cond_wait (&recorder->changed, &recorder->mutex);
  Given *given = g_queue_pop_head (&recorder->waiting);
  g_mutex_unlock (&recorder->mutex);
  return given;
}

// The frame's result: already computed by an engine on the CPU, or computed here as in
// the canvas.
static OdlImage *
process (OdlRecorder *recorder, OdlFrame *frame, GError **error)
{
  const OdlEngineChoice choice = { frame->engine, frame->variant };

  if (frame->result != NULL)
    return odl_image_ref (frame->result);
  if (recorder->runner == NULL || !odl_engine_choice_equal (choice, recorder->choice)) {
    odl_runner_free (recorder->runner);
    recorder->runner = odl_runner_open (choice, error);
    recorder->choice = choice;
  }
  return recorder->runner == NULL
             ? NULL
             : odl_runner_run (recorder->runner, frame->plan, frame->moment,
                               odl_frame_came (frame), error);
}

// The texts about a frame.
static void
describe (Given *given, OdlSavedPicture *picture)
{
  const OdlFrame *frame = given->frame;

  picture->mark = picture->title = NULL;
  picture->marks = NULL;
  if (frame == NULL)
    return;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  odl_display_add_marks (odl_image_info (frame->input), &given->window, builder);
  odl_frame_add_marks (frame, builder);
  given->marks = g_strv_builder_end (builder);
  const OdlRecipe told = odl_recipe_with_files_as (&frame->recipe, given->files_as);
  const OdlDisplay display
      = odl_result_display (frame->input, frame->plan, &frame->recipe, &given->window);
  given->title = odl_plan_title_for (&told, &frame->plan->geometry, &display);
  picture->mark = odl_image_info (frame->input)->mark;
  picture->title = given->title;
  picture->marks = (const char *const *) given->marks;
}

// True if there is a picture.
static bool
show (OdlRecorder *recorder, OdlSaver *saver, Given *given, GError **error)
{
  OdlFrame *frame = given->frame;

  if (given->shown != NULL)
    return true;
  const OdlImageInfo *info = odl_image_info (frame->input);
  g_autoptr (OdlImage) result = process (recorder, frame, error);
  if (result == NULL)
    return false;
  if (given->details != NULL)
    given->window.reach = odl_detail_measuring_wait (given->details);
  // A damaged or missing frame; the picture itself has no room for text.
  g_autoptr (OdlImage) crossed
      = odl_image_info (frame->input)->mark != NULL ? odl_damaged_crossed (result) : NULL;
  given->shown = odl_result_render (
      crossed != NULL ? crossed : result, frame->input, frame->plan, &frame->recipe,
      &given->window, odl_saver_bits (saver, info->channels, info->type != ODL_SAMPLE_U8),
      error);
  return given->shown != NULL;
}

static bool
write_all (OdlRecorder *recorder, OdlSaver *saver, GError **error)
{
  g_autoptr (Given) last = NULL;
  OdlSavedPicture picture = { .time_ns = -1, .index = -1, .duration_ns = LAST_NS };
  Given *given;

  while ((given = next (recorder)) != NULL) {
    g_clear_pointer (&last, given_free);
    last = given;
    if (!show (recorder, saver, given, error))
      return false;
    picture.shown = given->shown;
    describe (given, &picture);
    picture.time_ns = MAX (given->time_ns - recorder->first_ns, picture.time_ns + 1);
    picture.index++;
    if (!odl_saver_write (saver, &picture, error))
      return false;
    g_mutex_lock (&recorder->mutex);
    recorder->state.bytes = odl_saver_bytes (saver);
    g_mutex_unlock (&recorder->mutex);
  }
  // Repeats the last picture, since not all codecs store its duration.
  const int64_t again_ns = recorder->end_ns - LAST_NS;
  if (last == NULL || recorder->params.format.numbered || again_ns <= picture.time_ns)
    return true;
  picture.time_ns = again_ns;
  return odl_saver_write (saver, &picture, error);
}

static bool
record (OdlRecorder *recorder, GError **error)
{
  const OdlMovieParams movie = { .colorimetry = recorder->params.colorimetry,
                                 .replace = recorder->params.replace };
  OdlSaver *saver = odl_save_format_open (
      &recorder->params.format, recorder->params.path, recorder->params.description,
      &movie, recorder->params.frames ? ODL_SAVER_STRIP_ALWAYS : ODL_SAVER_STRIP_NONE,
      error);

  if (saver == NULL)
    return false;
  if (write_all (recorder, saver, error))
    return odl_saver_finish (saver, error);
  odl_saver_abandon (saver);
  return false;
}

static void *
record_thread (void *data)
{
  OdlRecorder *recorder = data;
  GError *error = NULL;

  if (!record (recorder, &error))
    g_debug ("recorder: %s", error->message);
  g_clear_pointer (&recorder->runner, odl_runner_free);
  g_mutex_lock (&recorder->mutex);
  recorder->error = error;
  recorder->ended = true;
  g_mutex_unlock (&recorder->mutex);
  g_source_attach (recorder->told, recorder->context);
  return NULL;
}

// ---- the main thread -----------------------------------------------------------------

OdlRecorder *
odl_recorder_new (const OdlRecorderParams *params, OdlRecorderCb cb, void *data)
{
  OdlRecorder *recorder = g_new0 (OdlRecorder, 1);

  g_mutex_init (&recorder->mutex);
  g_cond_init (&recorder->changed);
  g_queue_init (&recorder->waiting);
  recorder->params = *params;
  recorder->params.path = g_strdup (params->path);
  recorder->params.description = g_strdup (params->description);
  recorder->params.colorimetry = g_strdup (params->colorimetry);
  recorder->first_ns = -1;
  recorder->context = g_main_context_ref_thread_default ();
  recorder->told = g_idle_source_new ();
  g_source_set_priority (recorder->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (recorder->told, tell_cb, recorder, NULL);
  recorder->cb = cb;
  recorder->data = data;
  recorder->thread
      = odl_thread_new ("recorder", record_thread, recorder, &recorder->error);
  if (recorder->thread == NULL) {
    recorder->ended = true;
    g_source_attach (recorder->told, recorder->context);
  }
  return recorder;
}

// Takes ownership of `given`; NULL: one that was lost.
static void
add (OdlRecorder *recorder, Given *given)
{
  g_mutex_lock (&recorder->mutex);
  if (recorder->finishing || recorder->ended) {
    // Too late to be written.
    g_clear_pointer (&given, given_free);
  } else if (given == NULL) {
    recorder->state.dropped++;
  } else {
    // The latest picture is kept, since it may be the last one.
    if (recorder->waiting.length >= MAX_WAITING) {
      given_free (g_queue_pop_tail (&recorder->waiting));
      recorder->state.dropped++;
      recorder->state.pictures--;
    }
    if (recorder->first_ns < 0)
      recorder->first_ns = given->time_ns;
    g_queue_push_tail (&recorder->waiting, given);
    recorder->state.pictures++;
    g_cond_broadcast (&recorder->changed);
  }
  g_mutex_unlock (&recorder->mutex);
}

void
odl_recorder_add (OdlRecorder *recorder, OdlImage *shown)
{
  Given *given = NULL;

  if (shown != NULL) {
    given = g_new0 (Given, 1);
    given->shown = odl_image_ref (shown);
    given->time_ns = odl_image_info (shown)->pts_ns;
  }
  add (recorder, given);
}

void
odl_recorder_add_frame (OdlRecorder *recorder,
                        OdlFrame *frame,
                        const OdlWindow *window,
                        OdlDetailMeasuring *details,
                        int64_t time_ns)
{
  Given *given = g_new0 (Given, 1);

  given->frame = odl_frame_ref (frame);
  given->window = *window;
  given->details = details != NULL ? g_atomic_rc_box_acquire (details) : NULL;
  given->time_ns = time_ns;
  given->files_as = recorder->files_as;
  add (recorder, given);
}

void
odl_recorder_hide_files (OdlRecorder *recorder, const char *word)
{
  recorder->files_as = word;
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

void
odl_recorder_free (OdlRecorder *recorder)
{
  if (recorder == NULL)
    return;
  recorder->cb = NULL;
  odl_recorder_finish (recorder);
  odl_thread_join (recorder->thread);
  g_source_destroy (recorder->told);
  g_source_unref (recorder->told);
  g_queue_clear_full (&recorder->waiting, given_free);
  g_main_context_unref (recorder->context);
  g_clear_error (&recorder->error);
  g_mutex_clear (&recorder->mutex);
  g_cond_clear (&recorder->changed);
  g_free ((char *) recorder->params.path);
  g_free ((char *) recorder->params.description);
  g_free ((char *) recorder->params.colorimetry);
  g_free (recorder);
}
