// SPDX-License-Identifier: MIT
// What filters over time know of earlier frames. A picture that rests on the canvas is
// the one that comes out when its lead-in (odl_plan_lead_in), and nothing else, was run
// before it: wherever somebody came from, it is the picture that `process --frame`
// writes. The lead-in runs in an engine of its own (OdlEnginePair) beside what is shown;
// whatever changes in the meantime cancels it.
#include "session/session_private.h"

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
  uint64_t last_take; // the greatest take number so far
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

OdlMoment
odl_session_next_moment (OdlSession *self,
                         OdlTakes *takes,
                         OdlImage *image,
                         bool continues,
                         bool finds_cuts)
{
  takes->last_take = self->lead_in->last_take;
  const OdlMoment moment = odl_takes_next (takes, image, continues, finds_cuts);
  self->lead_in->last_take = takes->last_take;
  return moment;
}

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
  odl_session_render (self);
}

static void
finish (OdlSession *self)
{
  OdlTakes *takes = &self->lead_in->takes;
  if (odl_session_uses_volume (self)) {
    odl_session_volume_led (self, takes,
                            (int) (self->lead_in->begin / odl_session_time_step (self)));
    self->lead_in->number = 0;
    odl_session_render (self);
    return;
  }
  self->moment = odl_session_next_moment (self, takes, self->image,
                                          self->lead_in->continues, true);
  self->takes = *takes;
  self->lead_in->past = (Past){ .first = self->lead_in->begin, .exact = true };
  self->lead_in->past.n
      = (int) (self->index - self->lead_in->begin) / odl_session_time_step (self);
  self->lead_in->number = 0;
  odl_session_render (self);
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

// `neighbours`: of a volume, or NULL.
static bool
run_frame (OdlSession *self, OdlImage *image, OdlNeighbours *neighbours)
{
  OdlGeometry geometry = odl_session_geometry (self, image);
  geometry.in_time = neighbours != NULL;
  geometry.neighbours = neighbours;
  g_autoptr (OdlPlan) plan = odl_plan_new (&self->planned, &geometry, NULL);
  if (!plan)
    return false;
  OdlFrame *frame = odl_frame_new (neighbours ? self->image : image, plan, self->ran);
  if (neighbours)
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
    g_autoptr (OdlNeighbours) volumes = NULL;
    const int number = (int) (self->lead_in->next / odl_session_time_step (self));
    const OdlLed led
        = odl_session_uses_volume (self)
              ? odl_session_lead_in_volume (self, number, &volumes)
              : odl_player_take_lead_in (odl_playback_player (self->playback), &image);
    if (led == ODL_LED_NOT_YET)
      return;
    if (volumes)
      image = odl_image_ref (odl_neighbours_find (volumes, number));
    if (led == ODL_LED_FAILED || !run_frame (self, image, volumes)) {
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
