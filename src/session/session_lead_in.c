// SPDX-License-Identifier: MIT
// What filters over time know of earlier frames. A picture that rests on the canvas is
// the one that comes out when its lead-in (odl_plan_lead_in), and nothing else, was run
// before it: wherever somebody came from, it is the picture that `process --frame`
// writes. The lead-in runs in an engine of its own (OdlEnginePair) beside what is shown;
// whatever changes in the meantime cancels it.
#include "session/session_private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "engine/received.h"
#include "work/cine.h"

// What is measured in all frames of a source (ODL_VALUE_CINE) is looked for in a source
// of its own, on a worker thread. Meanwhile what the frame at hand says is shown, and
// when it is found it becomes a number of the recipe, in the same step of the history.

// Of a camera, which has no last one: about a second.
#define FIRST_FRAMES 25

struct _OdlCineSearch {
  GCancellable *job; // NULL: none is under way
  OdlRecipe recipe; // that it measures
  guint64 source_serial; // in that source
  GPtrArray *first; // OdlImage, of a camera; NULL: none yet
  guint64 arrival; // of the last of them
};

// ---- the worker thread ---------------------------------------------------------------

typedef struct {
  OdlRecipe recipe;
  char *location;
  OdlImage *image; // that other numbers are measured in
  OdlOperands *operands; // NULL: none
  GPtrArray *first; // NULL: those of the location count
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  g_free (job->location);
  odl_image_unref (job->image);
  g_clear_pointer (&job->operands, odl_operands_unref);
  g_clear_pointer (&job->first, g_ptr_array_unref);
  g_free (job);
}

static void *
work (void *data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  const OdlMeasured measured = { .image = job->image, .operands = job->operands };
  const OdlCineFrames frames
      = { .location = job->location, .frames = job->first, .cancellable = cancellable };
  OdlRecipe recipe = job->recipe;

  return odl_cine_measure (&recipe, &measured, &frames, error)
             ? g_memdup2 (&recipe, sizeof recipe)
             : NULL;
}

// ---- the main thread -----------------------------------------------------------------

// The recipe in force, or else the one beside it; NULL: neither waits.
static const OdlRecipe *
find_waiting (OdlSession *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self);
  if (odl_recipe_waits_for_cine (recipe))
    return recipe;
  return self->has_other && odl_recipe_waits_for_cine (&self->other.recipe)
             ? &self->other.recipe
             : NULL;
}

static void
put (OdlSession *self, const OdlRecipe *waited, const OdlRecipe *found)
{
  if (self->has_other && odl_recipe_equal (&self->other.recipe, waited)) {
    self->other.recipe = *found;
    g_clear_pointer (&self->other_plan, odl_plan_unref);
  }
  if (odl_recipe_equal (odl_session_recipe (self), waited)
      && odl_history_amend (&self->history, found))
    g_object_notify (G_OBJECT (self), "recipe");
  odl_session_mark (self, ODL_MARK_PICTURE);
}

static void
done (void *owner, void *result, const GError *error, void *data)
{
  OdlSession *self = owner;
  const Job *job = data;
  g_autofree OdlRecipe *found = result;
  g_clear_object (&self->cine->job);
  if (!found) {
    OdlRecipe here = job->recipe;
    g_autofree char *text = g_strdup_printf (
        _ ("The frames cannot all be read (%s). The reference of “log-compress” is that "
           "of the frame that was shown."),
        error->message);
    odl_session_say (self, text);
    odl_measure_recipe (&here,
                        &(OdlMeasured){ .image = job->image, .operands = job->operands });
    put (self, &job->recipe, &here);
    return;
  }
  if (job->first)
    odl_session_say (self, _ ("The reference of “log-compress” is that of the first "
                              "frames, since a camera has no last one. “Measure Again” "
                              "takes those that come now."));
  put (self, &job->recipe, found);
}

static void
forget_first (OdlCineSearch *search)
{
  g_clear_pointer (&search->first, g_ptr_array_unref);
  search->arrival = 0;
}

// Whether enough of a camera's frames are there.
static bool
has_first (OdlSession *self)
{
  OdlCineSearch *search = self->cine;

  if (!search->first)
    search->first = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_image_unref);
  if (search->first->len < FIRST_FRAMES && search->arrival != self->arrival)
    g_ptr_array_add (search->first, odl_image_ref (self->image));
  search->arrival = self->arrival;
  return search->first->len >= FIRST_FRAMES;
}

static void
start (OdlSession *self, const OdlRecipe *recipe, OdlImage *image)
{
  static const OdlJobClass klass = { work, done, g_free, job_free };
  OdlCineSearch *search = self->cine;
  OdlOperands *operands = odl_session_geometry (self, image).operands;
  Job *job = g_new (Job, 1);

  *job = (Job){ .recipe = *recipe,
                .location = g_strdup (odl_session_info (self)->location),
                .image = odl_image_ref (image),
                .operands = operands ? odl_operands_ref (operands) : NULL,
                .first = g_steal_pointer (&search->first) };
  search->recipe = *recipe;
  search->job = odl_job_run (G_OBJECT (self), self->gate, &klass, job);
}

void
odl_session_want_cine (OdlSession *self)
{
  OdlCineSearch *search = self->cine;
  if (!search) // the session ends
    return;
  const OdlRecipe *recipe = self->image ? find_waiting (self) : NULL;
  const bool same = search->source_serial == self->source_serial;

  if (recipe && search->job && same && odl_recipe_equal (recipe, &search->recipe))
    return;
  odl_job_cancel (&search->job);
  search->source_serial = self->source_serial;
  if (!same || !recipe)
    forget_first (search);
  if (!recipe || (odl_session_info (self)->capture && !has_first (self)))
    return;
  OdlImage *image = odl_session_measured_image (self, recipe);
  if (image)
    start (self, recipe, image);
}

OdlCineSearch *
odl_cine_search_new (void)
{
  return g_new0 (OdlCineSearch, 1);
}

void
odl_cine_search_free (OdlCineSearch *search)
{
  odl_job_cancel (&search->job);
  forget_first (search);
  g_free (search);
}

// Steps and seeks in faster succession have no lead-in, because going back in a video
// would delay the next one.
#define REST_MS 50

// Frames read ahead while one is run.
#define ON_THEIR_WAY 2

// The history of the session's image within its take.
typedef struct {
  int64_t first; // the take began with this one
  int n; // number of frames run since
  bool whole; // nothing came before that matters: the take began with a cut, or after a
              // frame that stands alone
  bool exact; // it is the end of a lead-in with the current recipe
} Past;

struct _OdlLeadIn {
  Past past; // of the image
  OdlRunCb run; // NULL: no canvas runs engines
  void *run_data;
  guint64 number; // 0: no lead-in is under way
  guint64 n_begun;
  int64_t begin, next; // its first frame, and the one to be run next
  bool continues; // one was run
  OdlTakes takes;
  int n_running;
  bool failed; // for this image and recipe
  GSource *rest; // timer that begins it; NULL: none
  GQueue to_run; // OdlFrame, to be run in the canvas
  GSource *run_source; // which runs them
};

void
odl_session_forget_past (OdlSession *self)
{
  self->lead_in->past = (Past){ .first = self->index };
}

void
odl_session_note_past (OdlSession *self, uint64_t take_before)
{
  Past *past = &self->lead_in->past;
  if (self->moment.take == take_before)
    past->n++;
  else
    *past = (Past){ .first = self->index, .whole = self->continues };
}

static bool
can_lead_in (OdlSession *self)
{
  return odl_playback_player (self->playback) && !odl_session_info (self)->capture
         && !self->playing && !self->lead_in->failed;
}

static int64_t
begin_of (OdlSession *self)
{
  const int step = odl_session_time_step (self);

  return self->index - MIN (odl_plan_lead_in (self->plan), self->index / step) * step;
}

// A take that began with a cut has its complete history, and so has one that began with
// the first frame of the lead-in.
OdlPast
odl_session_past (OdlSession *self)
{
  const Past *past = &self->lead_in->past;
  const int lead_in
      = odl_playback_player (self->playback) ? odl_plan_lead_in (self->plan) : 0;

  if (odl_session_uses_volume (self) && !odl_session_volume_has_past (self, lead_in))
    return can_lead_in (self) ? ODL_PAST_COMING : ODL_PAST_MISSING;
  if (odl_session_uses_volume (self) || lead_in == 0 || past->exact || past->whole
      || past->n >= lead_in || past->first <= begin_of (self))
    return ODL_PAST_KNOWN;
  return can_lead_in (self) ? ODL_PAST_COMING : ODL_PAST_MISSING;
}

static void
drop_run (OdlSession *self)
{
  if (self->lead_in->run_source)
    g_source_destroy (self->lead_in->run_source);
  g_clear_pointer (&self->lead_in->run_source, g_source_unref);
  g_queue_clear_full (&self->lead_in->to_run, (GDestroyNotify) odl_frame_unref);
}

void
odl_session_stop_lead_in (OdlSession *self)
{
  drop_run (self);
  if (self->lead_in->rest)
    g_source_destroy (self->lead_in->rest);
  g_clear_pointer (&self->lead_in->rest, g_source_unref);
  if (self->lead_in->number == 0)
    return;
  self->lead_in->number = 0;
  odl_session_stop_led_volumes (self);
  if (odl_playback_player (self->playback))
    odl_player_lead_in (odl_playback_player (self->playback), 0, 0);
  odl_renderer_drop_lead_in (self->renderer);
}

// The picture stays as it is, with a mark.
static void
fail (OdlSession *self)
{
  odl_session_stop_lead_in (self);
  self->lead_in->failed = true;
  odl_session_mark (self, ODL_MARK_PICTURE);
}

static void
finish (OdlSession *self)
{
  OdlTakes *takes = &self->lead_in->takes;
  if (odl_session_uses_volume (self)) {
    odl_session_volume_led (self, takes,
                            (int) (self->lead_in->begin / odl_session_time_step (self)));
    self->lead_in->number = 0;
    odl_session_mark (self, ODL_MARK_PICTURE);
    return;
  }
  self->moment = odl_session_next_moment (self, takes, self->image,
                                          self->lead_in->continues, true);
  self->takes = *takes;
  self->lead_in->past = (Past){ .first = self->lead_in->begin, .exact = true };
  self->lead_in->past.n
      = (int) (self->index - self->lead_in->begin) / odl_session_time_step (self);
  self->lead_in->number = 0;
  odl_session_mark (self, ODL_MARK_PICTURE);
}

static void
frame_done (OdlSession *self)
{
  self->lead_in->n_running--;
  if (self->lead_in->next == self->index && self->lead_in->n_running == 0)
    finish (self);
  else
    odl_session_pump_lead_in (self);
}

// In the context of the canvas, between its paintings.
static gboolean
run_cb (void *data)
{
  OdlSession *self = data;
  g_autoptr (OdlFrame) frame = g_queue_pop_head (&self->lead_in->to_run);
  const bool last = g_queue_is_empty (&self->lead_in->to_run);
  if (last)
    g_clear_pointer (&self->lead_in->run_source, g_source_unref);
  if (self->lead_in->run && self->lead_in->run (frame, self->lead_in->run_data))
    frame_done (self);
  else
    fail (self);
  return last ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void
run_in_canvas (OdlSession *self, OdlFrame *frame)
{
  g_queue_push_tail (&self->lead_in->to_run, frame);
  if (self->lead_in->run_source)
    return;
  self->lead_in->run_source = g_idle_source_new ();
  g_source_set_callback (self->lead_in->run_source, run_cb, self, NULL);
  g_source_attach (self->lead_in->run_source, g_main_context_get_thread_default ());
}

// `neighbours`: of a volume, or of a frame whose filters look at others, or NULL.
static bool
run_frame (OdlSession *self, OdlImage *image, OdlNeighbours *neighbours)
{
  const bool whole = odl_session_uses_volume (self);
  OdlGeometry geometry = odl_session_geometry (self, image);
  geometry.in_time = whole && neighbours;
  geometry.neighbours = neighbours;
  g_autoptr (OdlPlan) plan = odl_plan_new (&self->planned, &geometry, NULL);
  if (!plan)
    return false;
  OdlFrame *frame = odl_frame_new (whole ? self->image : image, plan, self->ran);
  if (whole)
    frame->volume = odl_image_ref (image);
  frame->apart = !self->ran_in_canvas;
  frame->source_serial = self->source_serial;
  frame->index = self->lead_in->next;
  self->lead_in->next += odl_session_time_step (self);
  frame->lead_in = self->lead_in->number;
  frame->moment = odl_session_next_moment (self, &self->lead_in->takes, image,
                                           self->lead_in->continues, true);
  self->lead_in->continues = true;
  self->lead_in->n_running++;
  if (odl_frame_is_for_canvas (frame))
    run_in_canvas (self, frame);
  else
    odl_renderer_lead_in (self->renderer, frame);
  return true;
}

void
odl_session_pump_lead_in (OdlSession *self)
{
  while (self->lead_in->number != 0 && self->lead_in->next < self->index
         && self->lead_in->n_running < ON_THEIR_WAY) {
    g_autoptr (OdlImage) image = NULL;
    g_autoptr (OdlNeighbours) about = NULL;
    const int number = (int) (self->lead_in->next / odl_session_time_step (self));
    const bool whole = odl_session_uses_volume (self);
    const OdlLed led = whole ? odl_session_lead_in_volume (self, number, &about)
                             : odl_player_take_lead_in (
                                 odl_playback_player (self->playback), &image, &about);
    if (led == ODL_LED_NOT_YET)
      return;
    if (whole && about)
      image = odl_image_ref (odl_neighbours_find (about, number));
    // One that has to stand alone, among those that do not.
    const bool lacks = odl_session_about_neighbours (self) && !about;
    if (led == ODL_LED_FAILED || lacks || !run_frame (self, image, about)) {
      fail (self);
      return;
    }
  }
}

void
odl_session_led (OdlSession *self, const OdlFrame *frame, const GError *error)
{
  if (frame->lead_in != self->lead_in->number)
    return;
  if (error)
    fail (self);
  else
    frame_done (self);
}

static gboolean
rest_cb (void *data)
{
  OdlSession *self = data;
  g_clear_pointer (&self->lead_in->rest, g_source_unref);
  self->lead_in->number = ++self->lead_in->n_begun;
  self->lead_in->begin = self->lead_in->next = begin_of (self);
  self->lead_in->takes = (OdlTakes){ .moment.serial = self->moment.serial };
  self->lead_in->continues = false;
  self->lead_in->n_running = 0;
  if (self->lead_in->begin == self->index)
    finish (self);
  else if (odl_session_uses_volume (self))
    odl_session_pump_lead_in (self);
  else
    odl_player_lead_in (odl_playback_player (self->playback), self->lead_in->begin,
                        self->index);
  return G_SOURCE_REMOVE;
}

void
odl_session_want_lead_in (OdlSession *self)
{
  const Past *past = &self->lead_in->past;

  odl_session_stop_lead_in (self);
  const bool whole = odl_session_uses_volume (self);
  if (!self->plan || odl_plan_lead_in (self->plan) == 0 || !can_lead_in (self)
      || odl_playback_is_seeking (self->playback)
      || (whole ? odl_session_past (self) != ODL_PAST_COMING
                      || !odl_session_volume_rests (self)
                : past->exact))
    return;
  // The result of a first frame does not depend on earlier frames.
  if (!whole && self->index < odl_session_time_step (self) && past->first == self->index
      && past->n == 0)
    return;
  self->lead_in->rest = g_timeout_source_new (REST_MS);
  g_source_set_callback (self->lead_in->rest, rest_cb, self, NULL);
  g_source_attach (self->lead_in->rest, g_main_context_get_thread_default ());
}

bool
odl_session_leads_in (OdlSession *self)
{
  return self->lead_in->rest || self->lead_in->number != 0;
}

bool
odl_session_run_unseen (OdlSession *self, OdlFrame *frame)
{
  return self->lead_in->run && self->lead_in->run (frame, self->lead_in->run_data);
}

void
odl_session_set_run (OdlSession *self, OdlRunCb run, void *data)
{
  self->lead_in->run = run;
  self->lead_in->run_data = data;
}

void
odl_session_renew_past (OdlSession *self, bool new_source)
{
  if (new_source)
    self->lead_in->past = (Past){ 0 };
  self->lead_in->past.exact = self->lead_in->failed = false;
}

OdlLeadIn *
odl_lead_in_new (void)
{
  return g_new0 (OdlLeadIn, 1);
}
