// SPDX-License-Identifier: MIT
#include "session/render/renderer.h"

#include "base/clock.h"
#include "base/thread.h"
#include "engine/choice.h"
#include "image/image.h"
#include "plan/flow.h"
#include "plan/scan.h"

#include "session/render/engine_pair.h"
#include "engine/gl/platform/headless.h"
#include "engine/volume.h"
#include "plan/step.h"
#include "work/rehearsal.h"

void
odl_volume_view_clear (OdlVolumeView *view)
{
  g_clear_pointer (&view->volume, odl_image_unref);
  g_clear_pointer (&view->plan, odl_plan_unref);
  odl_grid_volume_clear (&view->filtered);
  g_clear_pointer (&view->sections, g_free);
  g_clear_pointer (&view->body, odl_body_unref);
  g_clear_pointer (&view->original_body, odl_body_unref);
}

static bool
is_current (const OdlVolumeView *view, const OdlFrame *frame)
{
  const OdlEngineChoice engine = { frame->engine, frame->variant };

  if (!view->filtered.volume || view->volume != frame->volume
      || !odl_engine_choice_equal (view->engine, engine)
      || (view->take != frame->moment.take && odl_plan_frames (frame->plan) != 1))
    return false;
  return odl_plan_does_the_same (view->plan, frame->plan);
}

static bool
run (OdlVolumeView *view, OdlEngine *engine, const OdlFrame *frame, GError **error)
{
  if (frame->plan->result != frame->plan->source)
    return odl_grid_volume_process (engine, &frame->recipe, frame->plan, frame->volume,
                                    odl_engine_process_volume, &view->filtered,
                                    &view->sections, error);
  view->filtered.volume = odl_image_ref (frame->volume);
  return true;
}

static bool
filter (OdlVolumeView *view, OdlEngine *engine, const OdlFrame *frame, GError **error)
{
  if (is_current (view, frame))
    return true;
  // The volume as it came is the same with another filter.
  const bool same = view->volume == frame->volume;
  g_autoptr (OdlBody) kept = same ? g_steal_pointer (&view->original_body) : NULL;
  odl_volume_view_clear (view);
  view->original_body = g_steal_pointer (&kept);
  if (!run (view, engine, frame, error))
    return false;
  view->volume = odl_image_ref (frame->volume);
  view->plan = odl_plan_ref (frame->plan);
  view->engine = (OdlEngineChoice){ frame->engine, frame->variant };
  view->take = frame->moment.take;
  return true;
}

// The filtered volume, or another one.
static OdlImage *
look_at (const OdlGridVolume *volume, const OdlFrame *frame, GError **error)
{
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, frame->box };

  return odl_grid_volume_look (volume, frame->planes ? &look : NULL, frame->voxel.at[2],
                               error);
}

static OdlBody *
body_of_result (const OdlVolumeView *view)
{
  g_autoptr (OdlImage) whole = odl_grid_volume_whole (&view->filtered, NULL);

  return whole ? odl_body_new (whole, NULL) : NULL;
}

// Without memory for them there are none, which the canvas says.
static void
add_bodies (OdlVolumeView *view, OdlFrame *frame)
{
  const bool filtered = view->filtered.volume != view->volume;

  if (!frame->renders || !frame->planes)
    return;
  if (!view->original_body)
    view->original_body = odl_body_new (view->volume, NULL);
  if (view->original_body && !view->body)
    view->body = filtered ? body_of_result (view) : odl_body_ref (view->original_body);
  if (!view->body)
    return;
  frame->body = odl_body_ref (view->body);
  frame->original_body = filtered ? odl_body_ref (view->original_body) : NULL;
}

bool
odl_volume_view_show (OdlVolumeView *view,
                      OdlEngine *engine,
                      OdlFrame *frame,
                      GError **error)
{
  if (!filter (view, engine, frame, error))
    return false;
  const OdlGridVolume original = { .volume = frame->volume };
  OdlImage *input = look_at (&original, frame, error);
  if (!input)
    return false;
  odl_image_unref (frame->input);
  frame->input = input;
  frame->result = view->filtered.volume == frame->volume
                      ? odl_image_ref (input)
                      : look_at (&view->filtered, frame, error);
  if (frame->planes && frame->result)
    frame->slice = odl_grid_volume_look (&view->filtered, NULL, frame->voxel.at[2], NULL);
  add_bodies (view, frame);
  frame->sections = g_strdup (view->sections);
  return frame->result != NULL;
}

OdlFrame *
odl_frame_queue_pop (OdlFrameQueue *queue)
{
  if (queue->n == 0)
    return NULL;
  OdlFrame *oldest = queue->frames[0];
  queue->n--;
  for (int i = 0; i < queue->n; i++)
    queue->frames[i] = queue->frames[i + 1];
  return oldest;
}

void
odl_frame_queue_clear (OdlFrameQueue *queue)
{
  while (queue->n > 0)
    odl_frame_unref (odl_frame_queue_pop (queue));
}

void
odl_frame_queue_push (OdlFrameQueue *queue, OdlFrame *frame)
{
  const OdlFrame *last = queue->n > 0 ? queue->frames[queue->n - 1] : NULL;

  if (last && (last->source_serial != frame->source_serial || frame->asked))
    odl_frame_queue_clear (queue);
  else if (last && last->arrival == frame->arrival)
    odl_frame_unref (queue->frames[--queue->n]);
  else if (queue->n == ODL_FRAME_QUEUE_PLACES)
    odl_frame_unref (odl_frame_queue_pop (queue));
  queue->frames[queue->n++] = frame;
}

// Results of two recipes, one less the other. Any thread.

// `a` less `b`, fractions of full scale about 0, as a residual is; both have one size and
// as many channels. Transfer full. ODL_ERROR_TOO_LARGE.
static OdlImage *
odl_difference_new (OdlImage *a, OdlImage *b, GError **error)
{
  const OdlImageInfo *of = odl_image_info (a);
  const int width = of->extent.x, channels = of->channels;
  const OdlImageInfo info = { .extent = { width, of->extent.y, 1, 1 },
                              .channels = channels,
                              .type = ODL_SAMPLE_F32,
                              .stored_max = 1,
                              .value_map = { .slope = 1 } };
  float *samples;
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);
  g_autofree float *row = g_new (float, 2 * width);
  if (!image)
    return NULL;
  for (int y = 0; y < of->extent.y; y++)
    for (int c = 0; c < channels; c++) {
      odl_image_scaled_row (a, c, y, 0, 0, row);
      odl_image_scaled_row (b, c, y, 0, 0, row + width);
      float *to = samples + (size_t) y * width * channels + c;
      for (int x = 0; x < width; x++)
        to[x * channels] = row[x] - row[width + x];
    }
  return image;
}

struct _OdlRenderer {
  GMutex mutex; // guards the fields up to `delivery`
  GCond changed;
  OdlFrameQueue requests;
  GQueue lead_in; // OdlFrame; the first one is next
  bool want_original;
  bool stopping;
  OdlFrameQueue finished;
  GQueue led; // OdlFrame, of `lead_in`
  OdlFrame *failed; // with `error`
  GError *error;
  GSource *delivery; // scheduled in `context`
  const OdlFrame *at_work; // the thread's; NULL: none
  int64_t begun_us; // when it came to be that

  GMainContext *context;
  GThread *thread;
  OdlRendererCb cb; // used in `context` only
  void *data;

  OdlProgress progress; // of `at_work`

  // The thread's own.
  OdlGlHeadless *headless; // context of engines with GL; NULL: none was needed
  OdlEnginePair engines;
  OdlEnginePair others; // of the recipes that frames are compared with
  OdlVolumeView volume;
  OdlVolumeView other_volume; // by the other recipe
  OdlEngine *bare; // of the originals of beams; NULL: none was needed
};

// One at a time, so that other events are handled in between.
static gboolean
deliver_cb (void *data)
{
  OdlRenderer *renderer = data;
  g_mutex_lock (&renderer->mutex);
  g_autoptr (OdlFrame) frame = odl_frame_queue_pop (&renderer->finished);
  g_autoptr (GError) error = NULL;
  if (!frame)
    frame = g_queue_pop_head (&renderer->led);
  if (!frame) {
    frame = g_steal_pointer (&renderer->failed);
    error = g_steal_pointer (&renderer->error);
  }
  const bool more
      = renderer->finished.n > 0 || renderer->led.length > 0 || renderer->failed;
  if (!more)
    g_clear_pointer (&renderer->delivery, g_source_unref);
  g_mutex_unlock (&renderer->mutex);
  if (frame) // else it was dropped meanwhile
    renderer->cb (frame, error, renderer->data);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

// With the mutex held. Newer results replace older ones, as newer requests do.
static void
deliver (OdlRenderer *renderer, OdlFrame *frame, GError *error)
{
  g_clear_pointer (&renderer->failed, odl_frame_unref);
  g_clear_error (&renderer->error);
  if (error) {
    renderer->failed = frame;
    renderer->error = error;
  } else if (frame->lead_in) {
    g_queue_push_tail (&renderer->led, frame);
  } else {
    odl_frame_queue_push (&renderer->finished, frame);
  }
  if (renderer->delivery)
    return;
  renderer->delivery = g_idle_source_new ();
  g_source_set_priority (renderer->delivery, G_PRIORITY_DEFAULT);
  g_source_set_callback (renderer->delivery, deliver_cb, renderer, NULL);
  g_source_attach (renderer->delivery, renderer->context);
}

// The same slice or planes of the volume, filtered by the other recipe. Transfer full.
static OdlImage *
show_other_volume (OdlRenderer *renderer,
                   OdlEngine *engine,
                   OdlFrame *frame,
                   OdlFrame *other,
                   GError **error)
{
  other->volume = odl_image_ref (frame->volume);
  other->voxel = frame->voxel;
  other->planes = frame->planes;
  other->slab = frame->slab;
  other->oblique = frame->oblique;
  other->box = frame->box;
  other->renders = frame->renders;
  other->recipe = frame->other_recipe;
  if (!odl_volume_view_show (&renderer->other_volume, engine, other, error))
    return NULL;
  if (other->body) {
    g_clear_pointer (&frame->original_body, odl_body_unref);
    frame->original_body = odl_body_ref (other->body);
  }
  frame->other_slice = g_steal_pointer (&other->slice);
  return odl_image_ref (other->result);
}

// The processor, but for code of the user's own, which needs GL.
static OdlEngineChoice
engine_of_other (const OdlFrame *frame)
{
  for (int i = 0; i < frame->other->n_steps; i++)
    if (frame->other->steps[i].code)
      return frame->engine->needs_gl
                 ? (OdlEngineChoice){ frame->engine, frame->variant }
                 : (OdlEngineChoice){ .klass = odl_engine_find ("gl-compute") };
  return (OdlEngineChoice){ .klass = odl_engine_find ("cpu") };
}

// The code is tried in a process of its own before.
static bool
ready_for_other (OdlRenderer *renderer,
                 const OdlFrame *frame,
                 OdlEngineChoice choice,
                 GError **error)
{
  if (!choice.klass->needs_gl)
    return true;
  g_autofree char *name = odl_engine_choice_to_text (choice);
  if (!renderer->headless)
    renderer->headless = odl_gl_headless_new (error);
  return renderer->headless && odl_rehearse (frame->other, name, error);
}

// What the other recipe makes of the frame. Transfer full.
static OdlImage *
run_other (OdlRenderer *renderer, OdlFrame *frame, GError **error)
{
  const OdlEngineChoice choice = engine_of_other (frame);
  if (!ready_for_other (renderer, frame, choice, error))
    return NULL;
  g_autoptr (OdlFrame) other
      = odl_frame_new (odl_frame_came (frame), frame->other, choice);
  other->moment = frame->moment;
  OdlEngine *engine = odl_engine_pair_take (&renderer->others, other, error);
  if (engine)
    engine->progress = &renderer->progress;
  if (engine && frame->volume)
    return show_other_volume (renderer, engine, frame, other, error);
  return engine ? odl_engine_show (engine, frame->other, odl_frame_came (frame), error)
                : NULL;
}

// Beams that one recipe makes a picture of, and the other one does not, cannot lie beside
// each other.
static bool
is_as_large (const OdlImage *other, const OdlFrame *frame)
{
  const OdlImage *own = frame->result ? frame->result : frame->input;
  const OdlExtent a = odl_image_info (other)->extent, b = odl_image_info (own)->extent;
  return a.x == b.x && a.y == b.y;
}

// The result of the other recipe, in the place of the picture as it came, or less that of
// this one: what both take away is at hand. Without it a frame is shown as ever, but for
// a difference.
static bool
compare (OdlRenderer *renderer, OdlFrame *frame, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (OdlImage) other = run_other (renderer, frame, &cause);
  if (other && !frame->volume && !is_as_large (other, frame))
    g_clear_pointer (&other, odl_image_unref);
  if (other && !frame->difference) {
    g_clear_pointer (&frame->original, odl_image_unref);
    frame->original = g_steal_pointer (&other);
    return true;
  }
  OdlImage *difference = other ? odl_difference_new (frame->result, other, &cause) : NULL;
  if (difference) {
    odl_image_unref (frame->result);
    frame->result = difference;
    return true;
  }
  g_clear_pointer (&frame->other, odl_plan_unref);
  if (frame->difference)
    g_propagate_error (error, g_steal_pointer (&cause));
  return !frame->difference;
}

// Engines with GL have no object of the canvas's context: volumes come and go as images.
static OdlEngine *
take_engine (OdlRenderer *renderer, OdlFrame *frame, GError **error)
{
  if (frame->engine->needs_gl && !renderer->headless)
    renderer->headless = odl_gl_headless_new (error);
  if (frame->engine->needs_gl && !renderer->headless)
    return NULL;
  if (frame->engine->needs_gl)
    frame->renderer = g_intern_string (odl_gl_headless_renderer (renderer->headless));
  return odl_engine_pair_take (&renderer->engines, frame, error);
}

static void
close_engines (OdlRenderer *renderer)
{
  odl_engine_pair_clear (&renderer->engines);
  odl_engine_pair_clear (&renderer->others); // of code: with the same context
  g_clear_pointer (&renderer->headless, odl_gl_headless_free);
}

// A context that was lost, or whose memory is full, is of no more use.
static void
give_up_context (OdlRenderer *renderer, const OdlFrame *frame, const GError *error)
{
  if (error && frame->renderer
      && !g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    close_engines (renderer);
}

// In the place of beams that were converted comes the picture that they make without any
// other filter: it is what the result is compared with, and has its size.
static bool
convert_original (OdlRenderer *renderer, OdlFrame *frame, GError **error)
{
  OdlRecipe settled = frame->recipe;
  odl_scan_take_references (&settled, frame->plan);
  const OdlRecipe bare = odl_scan_bare_recipe (&settled);
  const OdlGeometry *geometry = &frame->plan->geometry;
  g_autoptr (OdlPlan) plan = odl_plan_new (&bare, geometry, error);
  if (!plan)
    return false;
  const bool same = odl_plan_does_the_same (plan, frame->plan);
  if (!same && !renderer->bare)
    renderer->bare = odl_engine_open (odl_engine_find ("cpu"), error);
  if (!same && !renderer->bare)
    return false;
  OdlImage *picture = same
                          ? odl_image_ref (frame->result)
                          : odl_engine_process (renderer->bare, plan, frame->came, error);
  if (!picture)
    return false;
  odl_image_unref (frame->input);
  frame->input = picture;
  return true;
}

static bool
render (OdlRenderer *renderer, OdlFrame *frame, bool want_original, GError **error)
{
  if (odl_frame_is_for_canvas (frame))
    return compare (renderer, frame, error);
  OdlEngine *engine = take_engine (renderer, frame, error);
  if (!engine)
    return false;
  engine->progress = &renderer->progress;
  if (frame->lead_in && frame->volume) {
    g_autoptr (OdlImage) unseen
        = odl_engine_process_volume (engine, frame->plan, frame->volume, error);
    return unseen != NULL;
  }
  if (frame->lead_in)
    return odl_engine_prepare (engine, frame->plan, error)
           && odl_engine_run (engine, frame->plan, frame->input, error);
  if (!frame->volume || !frame->other)
    odl_volume_view_clear (&renderer->other_volume);
  const int n_numbers = odl_plan_count_observed (frame->plan);
  engine->observing = n_numbers > 0;
  int64_t begin = odl_clock_now_ns ();
  if (frame->volume) {
    if (!odl_volume_view_show (&renderer->volume, engine, frame, error))
      return false;
  } else {
    odl_volume_view_clear (&renderer->volume);
    frame->result = odl_engine_show (engine, frame->plan, frame->input, error);
  }
  if (!frame->result)
    return false;
  frame->time_ns = odl_clock_now_ns () - begin;
  if (frame->came && !convert_original (renderer, frame, error))
    return false;
  if (n_numbers > 0) {
    frame->numbers = g_new0 (float, n_numbers);
    if (!odl_engine_observe (engine, frame->plan, frame->numbers))
      g_clear_pointer (&frame->numbers, g_free);
  }
  if (want_original)
    frame->original = odl_image_ref (frame->input);
  return !frame->other || compare (renderer, frame, error);
}

static void *
renderer_thread (void *data)
{
  OdlRenderer *renderer = data;
  g_mutex_lock (&renderer->mutex);
  while (!renderer->stopping) {
    OdlFrame *frame = odl_frame_queue_pop (&renderer->requests);
    if (!frame)
      frame = g_queue_pop_head (&renderer->lead_in);
    if (!frame) {
      g_cond_wait (&renderer->changed, &renderer->mutex);
      continue;
    }
    bool want_original = renderer->want_original;
    renderer->at_work = frame;
    renderer->begun_us = g_get_monotonic_time ();
    odl_progress_begin (&renderer->progress);
    g_mutex_unlock (&renderer->mutex);
    GError *error = NULL;
    render (renderer, frame, want_original, &error);
    give_up_context (renderer, frame, error);
    g_mutex_lock (&renderer->mutex);
    renderer->at_work = NULL;
    deliver (renderer, frame, error);
  }
  g_mutex_unlock (&renderer->mutex);
  close_engines (renderer);
  g_clear_pointer (&renderer->bare, odl_engine_close);
  odl_volume_view_clear (&renderer->volume);
  odl_volume_view_clear (&renderer->other_volume);
  return NULL;
}

static void
clear_frames (GQueue *frames)
{
  g_queue_clear_full (frames, (GDestroyNotify) odl_frame_unref);
}

OdlRenderer *
odl_renderer_new (OdlRendererCb cb, void *data)
{
  OdlRenderer *renderer = g_new0 (OdlRenderer, 1);
  g_mutex_init (&renderer->mutex);
  g_cond_init (&renderer->changed);
  renderer->context = g_main_context_ref_thread_default ();
  renderer->cb = cb;
  renderer->data = data;
  return renderer;
}

void
odl_renderer_free (OdlRenderer *renderer)
{
  if (!renderer)
    return;
  g_mutex_lock (&renderer->mutex);
  renderer->stopping = true;
  odl_progress_stop (&renderer->progress);
  g_cond_signal (&renderer->changed);
  g_mutex_unlock (&renderer->mutex);
  odl_thread_join (renderer->thread);
  if (renderer->delivery)
    g_source_destroy (renderer->delivery);
  g_clear_pointer (&renderer->delivery, g_source_unref);
  odl_frame_queue_clear (&renderer->finished);
  odl_frame_queue_clear (&renderer->requests);
  clear_frames (&renderer->lead_in);
  clear_frames (&renderer->led);
  g_clear_pointer (&renderer->failed, odl_frame_unref);
  g_clear_error (&renderer->error);
  g_main_context_unref (renderer->context);
  g_mutex_clear (&renderer->mutex);
  g_cond_clear (&renderer->changed);
  g_free (renderer);
}

// With the mutex held. False: there is none, and `frame` goes back.
static bool
has_thread (OdlRenderer *renderer, OdlFrame *frame)
{
  GError *error = NULL;
  if (!renderer->thread)
    renderer->thread = odl_thread_new ("odl-renderer", renderer_thread, renderer, &error);
  if (!renderer->thread)
    deliver (renderer, frame, error);
  return renderer->thread != NULL;
}

// Another source, other filters of the same picture or volume, or another picture that
// somebody went to. What is played is filtered to its end, and so is what the history of
// filters over time needs.
static bool
makes_needless (const OdlFrame *next, const OdlFrame *frame)
{
  if (next->source_serial != frame->source_serial || next->engine != frame->engine)
    return true;
  if (!frame->volume && odl_plan_frames (frame->plan) != 1)
    return false;
  const bool same = frame->volume ? next->volume == frame->volume
                                  : odl_frame_came (next) == odl_frame_came (frame);
  return same ? !odl_plan_does_the_same (next->plan, frame->plan)
              : !frame->volume && next->asked;
}

void
odl_renderer_request (OdlRenderer *renderer, OdlFrame *frame, bool want_original)
{
  // The thread replaces the input of such frames; this one stays.
  if (frame->plan->resized && !frame->volume)
    frame->came = odl_image_ref (frame->input);
  g_mutex_lock (&renderer->mutex);
  if (renderer->at_work && !renderer->at_work->lead_in
      && makes_needless (frame, renderer->at_work))
    odl_progress_stop (&renderer->progress);
  if (has_thread (renderer, frame))
    odl_frame_queue_push (&renderer->requests, frame);
  renderer->want_original = want_original;
  g_cond_signal (&renderer->changed);
  g_mutex_unlock (&renderer->mutex);
}

void
odl_renderer_drop (OdlRenderer *renderer)
{
  g_mutex_lock (&renderer->mutex);
  odl_frame_queue_clear (&renderer->requests);
  odl_frame_queue_clear (&renderer->finished);
  g_mutex_unlock (&renderer->mutex);
}

bool
odl_renderer_work (OdlRenderer *renderer, OdlVolumeWork *work)
{
  g_mutex_lock (&renderer->mutex);
  const OdlFrame *frame = renderer->at_work;
  const bool at_work = frame && (frame->volume || !frame->lead_in);
  const int64_t now_us = g_get_monotonic_time ();
  *work = (OdlVolumeWork){ .done = g_atomic_int_get (&renderer->progress.permille) / 1e3,
                           .elapsed_ms = (int) ((now_us - renderer->begun_us) / 1000) };
  g_mutex_unlock (&renderer->mutex);
  return at_work;
}

void
odl_renderer_lead_in (OdlRenderer *renderer, OdlFrame *frame)
{
  g_mutex_lock (&renderer->mutex);
  if (has_thread (renderer, frame))
    g_queue_push_tail (&renderer->lead_in, frame);
  g_cond_signal (&renderer->changed);
  g_mutex_unlock (&renderer->mutex);
}

void
odl_renderer_drop_lead_in (OdlRenderer *renderer)
{
  g_mutex_lock (&renderer->mutex);
  clear_frames (&renderer->lead_in);
  g_mutex_unlock (&renderer->mutex);
}
