// SPDX-License-Identifier: MIT
// From an image and a recipe to a frame, and when that is shown.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/prices.h"
#include "engine/received.h"
#include "plan/flow.h"
#include "plan/step.h"
#include "session/own_code.h"
#include "session/session_private.h"

// A second recipe that the one in force is compared with: both filter the same frames.

void
odl_session_set_other (OdlSession *self, const OdlOther *other)
{
  if (!other && !self->has_other)
    return;
  self->has_other = other != NULL;
  g_clear_pointer (&self->other_plan, odl_plan_unref);
  self->other_failed = false;
  if (other) {
    self->other = *other;
    self->other.recipe.view = ODL_VIEW_SYNTHESIS;
    odl_session_mark (self, ODL_MARK_MEASURED);
  }
  odl_session_mark (self, ODL_MARK_PICTURE);
}

const OdlOther *
odl_session_other (OdlSession *self)
{
  return self->has_other ? &self->other : NULL;
}

// What both recipes take away from the picture as it came, whose difference is that of
// their results: such views need filters that act.
bool
odl_session_shows_difference (OdlSession *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self);
  return self->has_other && self->other.difference
         && odl_recipe_has_view (recipe, ODL_VIEW_RESIDUAL)
         && odl_recipe_has_view (&self->other.recipe, ODL_VIEW_RESIDUAL)
         && !odl_session_uses_volume (self);
}

static bool
other_ensure_plan (OdlSession *self)
{
  const bool of_volume = odl_session_uses_volume (self);
  g_autoptr (GError) error = NULL;
  OdlGeometry geometry;
  if (!odl_session_other_geometry (self, &self->other.recipe, &geometry))
    return false;
  if (self->other_plan && self->other_plan_of == self->plan
      && self->other_plan_of_volume == of_volume)
    return true;
  g_clear_pointer (&self->other_plan, odl_plan_unref);
  OdlRecipe recipe = self->other.recipe;
  // What waits for all frames is that of the one that is shown meanwhile.
  if (odl_recipe_waits_for_cine (&recipe))
    odl_measure_recipe (
        &recipe, &(OdlMeasured){ .image = self->image, .operands = geometry.operands });
  recipe.view = odl_session_shows_difference (self) ? ODL_VIEW_RESIDUAL : recipe.view;
  self->other_plan = odl_plan_new (&recipe, &geometry, &error);
  self->other_plan_of_volume = of_volume;
  g_clear_pointer (&self->other_plan_of, odl_plan_unref);
  self->other_plan_of = odl_plan_ref (self->plan);
  if (!self->other_plan && !self->other_failed)
    odl_session_say (self, error->message);
  self->other_failed = !self->other_plan;
  return self->other_plan != NULL;
}

// If a registration draws its deformed grid over the result, the picture as it came gets
// the grid before that. With no iterations the same filter finds no motion and draws it.
// False: there is no such registration.
static bool
find_grid (OdlSession *self, OdlRecipe *recipe)
{
  *recipe = *odl_session_recipe (self);
  for (int i = recipe->n_items - 1; i >= 0; i--)
    if (recipe->items[i].filter->kind == ODL_FILTER_REGISTER
        && odl_recipe_operand (recipe, i) != NULL
        && odl_recipe_get (recipe, i, "output", 0) == ODL_REGISTER_GRID) {
      recipe->items[0] = recipe->items[i];
      recipe->n_items = 1;
      const OdlParameter *iterations
          = odl_filter_parameter (recipe->items[0].filter, "iterations");
      recipe->items[0].values[iterations->offset] = 0;
      return true;
    }
  return false;
}

static void
add_grid (OdlSession *self, OdlFrame *frame)
{
  OdlRecipe recipe;
  OdlGeometry geometry;
  if (!find_grid (self, &recipe)
      || !odl_session_other_geometry (self, &recipe, &geometry))
    return;
  frame->other = odl_plan_new (&recipe, &geometry, NULL);
  frame->other_recipe = recipe;
  frame->gridded = frame->other != NULL;
}

static void
odl_session_add_other (OdlSession *self, OdlFrame *frame)
{
  if (!self->has_other && self->planned.view == ODL_VIEW_SYNTHESIS)
    add_grid (self, frame);
  const bool suits = self->has_other && !odl_image_info (frame->input)->surface
                     && !odl_view_is_within (self->planned.view);
  if (!suits || !other_ensure_plan (self))
    return;
  frame->other = odl_plan_ref (self->other_plan);
  frame->other_recipe = self->other.recipe;
  frame->letter = self->other.letter;
  frame->other_letter = self->other.other_letter;
  frame->difference = odl_session_shows_difference (self);
}

// The numbers that filters measured in the frames that are shown.

void
odl_session_take_observed (OdlSession *self, OdlPlan *plan, const float *numbers)
{
  const int n = odl_plan_count_observed (plan);
  g_free (self->observed);
  self->observed = g_memdup2 (numbers, (size_t) n * sizeof *numbers);
  OdlPlan *before = self->observed_plan;
  self->observed_plan = odl_plan_ref (plan);
  g_clear_pointer (&before, odl_plan_unref);
  g_signal_emit_by_name (self, "observed");
}

const float *
odl_session_observed (OdlSession *self, const OdlPlan **plan)
{
  *plan = self->observed_plan;
  return self->observed;
}

static void
tell_too_large (OdlSession *self)
{
  OdlGeometry geometry = odl_geometry_of (self->image);
  if (self->gl_level < ODL_GL_SOFTWARE || self->told_too_large
      || MAX (geometry.width, geometry.height) <= self->gl_max_side)
    return;
  self->told_too_large = true;
  g_autofree char *text = g_strdup_printf (
      _ ("The image of %d × %d pixels is larger than the %d pixels that "
         "OpenGL can hold here; the CPU computes and draws it."),
      geometry.width, geometry.height, self->gl_max_side);
  odl_session_say (self, text);
}

static bool
same_geometry (const OdlGeometry *a, const OdlGeometry *b)
{
  return a->width == b->width && a->height == b->height && a->depth == b->depth
         && a->channels == b->channels && a->bits == b->bits && a->steps == b->steps
         && a->zero == b->zero && a->low_is_bright == b->low_is_bright && a->kr == b->kr
         && a->kb == b->kb && a->operands == b->operands && a->in_time == b->in_time
         && a->neighbours == b->neighbours
         && memcmp (&a->beams, &b->beams, sizeof a->beams) == 0;
}

// The plan is a pure function of recipe and geometry, so it is made again only when one
// of them has changed.
static bool
ensure_plan (OdlSession *self, GError **error)
{
  const OdlGeometry geometry = odl_session_plan_geometry (self);
  OdlRecipe wanted = *odl_history_current (&self->history), *recipe = &wanted;
  if (odl_session_shows_difference (self))
    wanted.view = ODL_VIEW_RESIDUAL;
  if (self->plan && odl_recipe_equal (recipe, &self->planned)
      && same_geometry (&geometry, &self->plan->geometry))
    return true;
  // What waits for the other slices of a volume, or all frames, is that of the one that
  // is shown meanwhile.
  OdlRecipe measured = *recipe;
  if (!odl_recipe_is_measured (&measured))
    odl_measure_recipe (
        &measured, &(OdlMeasured){ .image = self->image, .operands = geometry.operands });
  OdlPlan *plan = odl_plan_new (&measured, &geometry, error);
  if (!plan)
    return false;
  // During playback the influence of the old parameters on temporal filters fades within
  // a few frames.
  if (self->plan && (!self->playing || !odl_plan_same_structure (self->plan, plan)))
    odl_session_forget_past (self);
  odl_session_renew_past (self, false);
  if (!self->plan || !odl_plan_same_structure (self->plan, plan))
    odl_plan_debug (plan);
  g_clear_pointer (&self->plan, odl_plan_unref);
  self->plan = plan;
  self->prices_matter = odl_prices_matter (plan);
  self->planned = *recipe;
  return true;
}

// If the same frame is computed again, with other parameters or by another engine, it
// keeps its moment.
static void
ensure_moment (OdlSession *self)
{
  if (self->plan->geometry.depth > 1)
    self->moment = odl_session_volume_moment (self);
  if (self->moment.serial != 0)
    return;
  const uint64_t before = self->takes.moment.take;
  const bool looks_back = odl_plan_frames (self->plan) != 1;
  self->moment = odl_session_next_moment (self, &self->takes, self->image,
                                          self->continues, looks_back);
  odl_session_note_past (self, before);
}

// Another engine, or another context, has no history of the frames that this one has run.
static void
take_engine (OdlSession *self, OdlEngineChoice choice, bool in_canvas)
{
  if (self->ran.klass
      && (!odl_engine_choice_equal (self->ran, choice)
          || self->ran_in_canvas != in_canvas))
    odl_session_forget_past (self);
  self->ran = choice;
  self->ran_in_canvas = in_canvas;
}

static gboolean
show_next_cb (void *data)
{
  OdlSession *self = data;
  g_clear_pointer (&self->next_source, g_source_unref);
  if (self->next)
    odl_session_show (self, g_steal_pointer (&self->next));
  return G_SOURCE_REMOVE;
}

// Only during playback, and only if a frame is about to be painted.
static bool
may_wait (OdlSession *self, const OdlFrame *frame)
{
  return self->playing && self->frame && !frame->asked
         && frame->source_serial == self->frame->source_serial
         && frame->arrival > self->frame->arrival
         && self->frame->arrival > self->painted_arrival;
}

// Frames of a source that are still worked on. While a volume is read with those about
// it, the one before is shown once more, which does not finish it. Otherwise frames that
// were not painted are waited for as fast as possible alone: a hidden window paints none.
static void
tell_unfinished (OdlSession *self)
{
  OdlPlayer *player = odl_playback_player (self->playback);
  const bool fast = odl_playback_is_fast (self->playback);
  const int n = fast ? (int) (self->arrival - self->painted_arrival) : 0;
  if (player)
    odl_player_set_unfinished (player, MAX (n, odl_session_volumes_at_work (self)));
}

static gboolean
turn_cb (void *data)
{
  OdlSession *self = data;
  g_clear_pointer (&self->turn_source, g_source_unref);
  tell_unfinished (self);
  return G_SOURCE_REMOVE;
}

// A volume is read more slowly than it is played: pictures that show it once more are not
// new ones, and one that comes after its frame is.
static void
count_picture (OdlSession *self, const OdlFrame *frame)
{
  const bool again = frame->volume && frame->index == self->painted_index;

  if (frame->arrival > self->painted_arrival) {
    // Frames from before the canvas existed are not late.
    if (self->n_painted > 0)
      self->n_unseen += frame->arrival - self->painted_arrival - 1;
    self->n_unseen += again;
    self->n_painted += !again;
  } else if (frame->volume && !again) {
    self->n_painted++;
    self->n_unseen -= self->n_unseen > 0;
  }
  self->painted_index = frame->index;
}

// The frame was painted; as fast as possible, it suffices that it was computed. The next
// one then comes when there is nothing to be painted and nobody has pressed a key.
static bool
count_finished (OdlSession *self, const OdlFrame *frame)
{
  if (frame->source_serial != self->source_serial
      || frame->arrival < self->painted_arrival)
    return false;
  count_picture (self, frame);
  const bool first = frame->arrival != self->painted_arrival;
  self->painted_arrival = frame->arrival;
  if (!odl_playback_is_fast (self->playback)) {
    tell_unfinished (self);
  } else if (!self->turn_source) {
    self->turn_source = g_idle_source_new ();
    g_source_set_callback (self->turn_source, turn_cb, self, NULL);
    g_source_attach (self->turn_source, g_main_context_get_thread_default ());
  }
  return first;
}

// The frame to be shown gives way to a later one: where the screen had no time for it, it
// is computed all the same.
static void
finish_unseen (OdlSession *self)
{
  OdlFrame *frame = self->frame;
  if (frame && frame->engine && odl_frame_is_for_canvas (frame)
      && frame->arrival > self->painted_arrival && odl_session_run_unseen (self, frame))
    count_finished (self, frame);
}

static void
publish_fast (OdlSession *self, OdlFrame *frame)
{
  g_autoptr (OdlFrame) next = g_steal_pointer (&self->next);
  if (self->frame && self->frame->arrival < frame->arrival)
    finish_unseen (self);
  if (next && next->arrival < frame->arrival) {
    odl_session_show (self, g_steal_pointer (&next));
    finish_unseen (self);
  }
  odl_session_show (self, frame);
}

void
odl_session_publish (OdlSession *self, OdlFrame *frame)
{
  frame->ready_us = g_get_monotonic_time ();
  if (odl_playback_is_fast (self->playback)) {
    publish_fast (self, frame);
    return;
  }
  g_autoptr (OdlFrame) next = g_steal_pointer (&self->next);
  if (!may_wait (self, frame)) {
    odl_session_show (self, frame);
    return;
  }
  self->next = frame;
  if (next && next->arrival < frame->arrival)
    odl_session_show (self, g_steal_pointer (&next));
}

// Frames of a capture, frames after a seek and those that are played as fast as possible
// are shown at once.
static void
keep_pace (OdlSession *self, const OdlFrame *frame)
{
  if (!self->playing || frame->asked || frame->fast || odl_session_info (self)->capture)
    return;
  const int64_t early_us
      = odl_pace_painted (&self->pace, frame->ready_us, g_get_monotonic_time ());
  if (early_us > 0)
    odl_player_set_back (odl_playback_player (self->playback), early_us);
}

// The frames about it come with its plan.
static void
take_plan_back (OdlSession *self, const OdlFrame *seen)
{
  OdlNeighbours *about = seen->plan->geometry.neighbours;
  if (!odl_session_looks_about (self))
    return;
  const bool same = about && odl_recipe_equal (&seen->recipe, &self->planned);
  odl_session_about_take (self, same ? odl_neighbours_ref (about) : NULL);
  if (!same)
    return;
  odl_plan_ref (seen->plan);
  g_clear_pointer (&self->plan, odl_plan_unref);
  self->plan = seen->plan;
}

// The picture that is seen takes the place of the image that came last.
static void
take_back (OdlSession *self, OdlFrame *seen)
{
  g_clear_pointer (&self->next, odl_frame_unref);
  odl_renderer_drop (self->renderer);
  self->index = seen->index;
  self->arrival = self->held_arrival = seen->arrival;
  self->painted_arrival = self->held_until = self->n_arrived;
  self->dropped = seen->dropped;
  self->asked = false;
  // Of a volume the player has the slice.
  if (seen->volume) {
    odl_playback_seek (self->playback, seen->index);
    return;
  }
  odl_image_ref (odl_frame_came (seen));
  g_clear_pointer (&self->image, odl_image_unref);
  self->image = odl_frame_came (seen);
  self->moment = seen->moment;
  take_plan_back (self, seen);
  // The frames that are dropped here were filtered, perhaps.
  if (self->plan && odl_plan_lead_in (self->plan) > 0) {
    self->moment = (OdlMoment){ 0 };
    self->continues = false;
    odl_session_forget_past (self);
  }
}

bool
odl_session_hold (OdlSession *self)
{
  OdlFrame *last = self->painted ? self->painted : self->frame;
  if (!last || !odl_session_is_of_source (self, last)
      || last->arrival < self->asked_arrival || odl_playback_is_seeking (self->playback))
    return false;
  g_autoptr (OdlFrame) seen = odl_frame_ref (last);
  odl_playback_hold (self->playback, seen->index, seen->dropped);
  if (seen->arrival != self->arrival)
    take_back (self, seen);
  tell_unfinished (self);
  // Filters were changed meanwhile, or the mark of the speed goes.
  if (seen->plan != self->plan || seen->engine != self->ran.klass || seen->fast)
    odl_session_mark (self, ODL_MARK_PICTURE);
  else if (self->frame->arrival != seen->arrival)
    odl_session_show (self, odl_frame_ref (seen));
  odl_session_want_lead_in (self);
  return true;
}

void
odl_session_painted (OdlSession *self, OdlFrame *frame)
{
  if (odl_session_is_of_source (self, frame) && self->painted != frame) {
    g_clear_pointer (&self->painted, odl_frame_unref);
    self->painted = odl_frame_ref (frame);
  }
  if (!count_finished (self, frame))
    return;
  keep_pace (self, frame);
  // Not during painting.
  if (!self->next || self->next_source)
    return;
  self->next_source = g_idle_source_new ();
  g_source_set_priority (self->next_source, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->next_source, show_next_cb, self, NULL);
  g_source_attach (self->next_source, g_main_context_get_thread_default ());
}

// Differences of results are computed in software.
static OdlEngineChoice
choose_engine (OdlSession *self)
{
  const OdlEngineChoice cpu = { .klass = odl_engine_find ("cpu") };
  return odl_session_shows_difference (self) ? cpu : odl_session_choose_engine (self);
}

static void
request (OdlSession *self, OdlFrame *frame)
{
  odl_renderer_request (self->renderer, frame, self->want_original);
  odl_session_await_result (self);
  g_signal_emit_by_name (self, "work-begun");
}

// Computes the frame to show, here or in the canvas.
static void
render (OdlSession *self)
{
  if (!self->image || self->gl_level == ODL_GL_UNKNOWN)
    return;
  if (!odl_session_has_operands (self)) {
    odl_session_await_result (self);
    return;
  }
  odl_session_want_volume (self);
  if (odl_session_unmark (self, ODL_MARK_MEASURED))
    odl_session_measure_late (self);
  odl_session_want_cine (self);
  odl_session_tell_stride (self);
  // As fast as possible, frames without a volume are told when they are finished.
  if (odl_session_uses_volume (self) || !odl_playback_is_fast (self->playback))
    tell_unfinished (self);
  odl_session_lag_settle (self);
  odl_session_about_settle (self);
  if (odl_session_awaits_about (self)) {
    odl_session_await_result (self);
    return;
  }
  g_autoptr (GError) error = NULL;
  if (!ensure_plan (self, &error)) {
    odl_session_say (self, error->message);
    return;
  }
  tell_too_large (self);
  ensure_moment (self);
  OdlEngineChoice choice = choose_engine (self);
  if (!choice.klass && odl_session_gives_code_up (self)) {
    odl_session_code_changed (self);
    return;
  }
  if (!choice.klass) {
    odl_session_say (
        self, _ ("No engine works on this computer; the picture cannot be computed."));
    return;
  }
  if (odl_session_awaits_code (self, choice))
    return;
  // A slice that stands for its volume meanwhile says nothing about the engine.
  if (!odl_session_shows_difference (self) && !odl_session_awaits_volume (self))
    odl_session_tell_fallback (self, choice);
  const bool in_canvas = odl_session_runs_in_canvas (self, choice);
  take_engine (self, choice, in_canvas);
  // Engines on the CPU read every sample, for which ordinary memory is best.
  if (self->source)
    odl_source_set_pool (self->source, in_canvas ? self->pool : NULL);
  OdlFrame *frame = odl_session_new_frame (self, self->plan, choice, &self->planned);
  frame->dropped = self->dropped;
  frame->fast = self->playing && odl_playback_is_fast (self->playback);
  frame->apart = !in_canvas;
  frame->moment = self->moment;
  frame->past = odl_session_past (self);
  frame->behind = odl_session_lag_behind (self);
  odl_session_add_volume (self, frame);
  odl_session_add_other (self, frame);
  if (odl_frame_is_for_canvas (frame) && !frame->other)
    odl_session_publish (self, frame);
  else
    request (self, frame);
  odl_session_want_lead_in (self);
  odl_session_want_measured (self);
  odl_session_want_prices (self);
}

// What is marked on the way is done in the same go: there is no second one within it.
void
odl_session_settle (OdlSession *self)
{
  if (self->settles)
    return;
  self->settles = true;
  while (self->marks != 0) {
    if (odl_session_unmark (self, ODL_MARK_OPERANDS))
      odl_session_take_operands (self);
    if (odl_session_unmark (self, ODL_MARK_MEASURED))
      odl_session_measure_late (self);
    if (odl_session_unmark (self, ODL_MARK_LEAD_IN))
      odl_session_pump_lead_in (self);
    if (odl_session_unmark (self, ODL_MARK_PICTURE))
      render (self);
  }
  self->settles = false;
}

void
odl_session_rendered (OdlFrame *frame, const GError *error, void *data)
{
  OdlSession *self = data;
  if (frame->source_serial != self->source_serial)
    return;
  if (frame->lead_in) {
    odl_session_led (self, frame, error);
    return;
  }
  if (frame->arrival > self->held_arrival && frame->arrival <= self->held_until)
    return;
  // Meanwhile the user has chosen an engine in the canvas, whose frames are newer.
  OdlEngineChoice choice = choose_engine (self);
  if (choice.klass && odl_session_runs_in_canvas (self, choice)
      && !odl_frame_is_for_canvas (frame))
    return;
  if (frame->numbers)
    odl_session_take_observed (self, frame->plan, frame->numbers);
  if (!error) {
    odl_session_note_filtered (self, frame);
    if (odl_playback_is_fast (self->playback))
      count_finished (self, frame);
    odl_session_publish (self, odl_frame_ref (frame));
    odl_session_want_prices (self);
  } else if (frame->plan->geometry.depth > 1 && !frame->engine->needs_gl
             && g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE)) {
    odl_session_volume_is_too_large (self, error);
  } else if (!g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    odl_session_engine_failed (self, (OdlEngineChoice){ frame->engine, frame->variant },
                               error);
}
