// SPDX-License-Identifier: MIT
// What one frame is before and after its filters, for the value under the pointer. What
// the canvas has not in memory another thread computes on `cpu`: the other side of a view
// of coefficients, and of what a GL engine made both, which so differ from what is shown
// by the bound of the engines at most.
#include <glib/gi18n-lib.h>

#include "config.h"

#include "base/clock.h"
#include "filter/strength.h"
#include "session/job.h"
#include "session/render/offscreen.h"
#include "widgets/viewport/private.h"

// While pictures play: of the time that was worked, and so long at least.
#define REST 19
#define LEAST_REST_MS 100
#define NS_PER_MS 1000000
// What was computed of an earlier frame is shown so long.
#define STALE_US (3 * G_USEC_PER_SEC / 2)

static bool
plays (OdlViewport *self)
{
  return odl_playback_is_moving (odl_session_playback (self->session))
         && odl_session_playing (self->session);
}

static void
clear (OdlSides *sides)
{
  g_clear_pointer (&sides->of, odl_frame_unref);
  g_clear_pointer (&sides->before, odl_image_unref);
  g_clear_pointer (&sides->after, odl_image_unref);
}

void
odl_viewport_forget_sides (OdlViewport *self)
{
  g_clear_handle_id (&self->sides.rest_id, g_source_remove);
  odl_job_cancel (&self->sides.job);
  clear (&self->sides);
}

// ---- in the other thread -------------------------------------------------------------

typedef struct {
  OdlOffscreen *offscreen;
  OdlProgress progress;
} Work;

// NULL: that fails, or was given up.
static OdlImage *
compute (Work *work, const OdlFrame *frame, OdlViewKind view)
{
  if (frame->result && frame->recipe.view == view)
    return odl_image_ref (frame->result);
  OdlRecipe recipe = odl_recipe_at_strength (&frame->recipe);
  recipe.view = view;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &frame->plan->geometry, NULL);
  return plan ? odl_offscreen_process (work->offscreen, plan, frame->input,
                                       (OdlMoment){ 0 }, &work->progress, NULL)
              : NULL;
}

static void
sides_free (void *data)
{
  clear (data);
  g_free (data);
}

static void
cancelled_cb (GCancellable *cancellable, OdlProgress *progress)
{
  odl_progress_stop (progress);
}

static void *
compute_sides (void *data, GCancellable *cancellable, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  OdlFrame *frame = data;
  const OdlViewKind shown = frame->recipe.view;
  const bool analysis = odl_view_is_analysis (shown),
             falling = odl_view_is_falling (shown);
  const int64_t begin = odl_clock_now_ns ();
  OdlSides *sides = g_new0 (OdlSides, 1);
  Work work = { odl_offscreen_open (cpu, NULL), { 0 } };
  odl_progress_begin (&work.progress);
  const gulong id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb),
                                           &work.progress, NULL);
  sides->of = odl_frame_ref (frame);
  if (work.offscreen) {
    sides->before
        = analysis ? compute (&work, frame, odl_view_of_coefficients (false, falling))
                   : odl_image_ref (frame->input);
    sides->after = compute (&work, frame,
                            analysis ? odl_view_of_coefficients (true, falling)
                                     : ODL_VIEW_SYNTHESIS);
  }
  g_cancellable_disconnect (cancellable, id);
  odl_offscreen_close (work.offscreen);
  sides->worked_ns = odl_clock_now_ns () - begin;
  return sides;
}

// ---- in the main thread --------------------------------------------------------------

static gboolean
rested_cb (void *data)
{
  OdlViewport *self = data;
  self->sides.rest_id = 0;
  odl_viewport_update_probe (self);
  return G_SOURCE_REMOVE;
}

static void
computed (void *owner, void *result, const GError *error, void *data)
{
  OdlViewport *self = owner;
  g_autofree OdlSides *sides = result;
  odl_viewport_forget_sides (self);
  self->sides = *sides;
  self->sides.made_us = g_get_monotonic_time ();
  if (plays (self))
    self->sides.rest_id = g_timeout_add (
        (guint) MAX (REST * self->sides.worked_ns / NS_PER_MS, LEAST_REST_MS), rested_cb,
        self);
  odl_viewport_update_probe (self);
}

static void
begin (OdlViewport *self, const OdlFrame *frame)
{
  static const OdlJobClass klass
      = { compute_sides, computed, sides_free, (GDestroyNotify) odl_frame_unref };
  g_autoptr (OdlGate) gate = odl_gate_new (); // nobody waits for it
  if (self->sides.job || (plays (self) && self->sides.rest_id))
    return;
  self->sides.job
      = odl_job_run (G_OBJECT (self), gate, &klass, odl_frame_ref ((OdlFrame *) frame));
}

const char *
odl_viewport_no_sides (const OdlFrame *frame)
{
  if (odl_plan_frames (frame->plan) != 1)
    return _ ("unknown (a filter over time)");
  return frame->volume ? _ ("unknown (a volume)") : NULL;
}

const OdlSides *
odl_viewport_sides (OdlViewport *self, const OdlFrame *frame)
{
  const OdlSides *sides = &self->sides;
  if (odl_viewport_no_sides (frame))
    return NULL;
  if (sides->of != frame)
    begin (self, frame);
  const bool fits
      = sides->of == frame
        || (sides->of && plays (self) && sides->of->source_serial == frame->source_serial
            && odl_recipe_equal (&sides->of->recipe, &frame->recipe)
            && g_get_monotonic_time () - sides->made_us < STALE_US);
  return fits && sides->before && sides->after ? sides : NULL;
}
