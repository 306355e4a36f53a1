// SPDX-License-Identifier: MIT
// What one frame is before and after its filters, for the value under the pointer. What
// the canvas has not in memory another thread computes on `cpu`: the other side of a view
// of coefficients, and of what a GL engine made both, which so differ from what is shown
// by the bound of the engines at most.
#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "filter/strength.h"
#include "image/volume/volume.h"
#include "plan/scan.h"
#include "session/job.h"
#include "engine/choice.h"
#include "engine/grid_volume.h"
#include "engine/volume.h"
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
clear (OdlBeforeAfter *pair)
{
  g_clear_pointer (&pair->of, odl_frame_unref);
  g_clear_pointer (&pair->before, odl_image_unref);
  g_clear_pointer (&pair->after, odl_image_unref);
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&pair->volumes[i], odl_image_unref);
}

void
odl_viewport_forget_before_after (OdlViewport *self)
{
  g_clear_handle_id (&self->before_after.rest_id, g_source_remove);
  odl_job_cancel (&self->before_after.job);
  clear (&self->before_after);
}

// ---- in the other thread -------------------------------------------------------------

typedef struct {
  OdlFrame *frame;
  OdlBeforeAfter kept; // of an earlier one, whose volumes may be those of this one
} Order;

typedef struct {
  OdlEngine *engine; // NULL: it does not open
  OdlProgress progress; // of the engine
} Work;

static void
order_free (void *data)
{
  Order *order = data;
  odl_frame_unref (order->frame);
  clear (&order->kept);
  g_free (order);
}

static OdlImage *
compute_volume (Work *work,
                const OdlFrame *frame,
                const OdlRecipe *recipe,
                const OdlPlan *plan)
{
  g_auto (OdlGridVolume) made = { 0 };
  g_autofree char *sections = NULL;
  return odl_grid_volume_process (work->engine, recipe, plan, frame->volume,
                                  odl_engine_process_volume, &made, &sections, NULL)
             ? odl_grid_volume_whole (&made, NULL)
             : NULL;
}

// NULL: that fails, or was given up.
static OdlImage *
compute (Work *work, const OdlFrame *frame, OdlViewKind view)
{
  OdlRecipe recipe = odl_recipe_at_strength (&frame->recipe);
  recipe.view = view;
  odl_scan_take_references (&recipe, frame->plan);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &frame->plan->geometry, NULL);
  if (!plan)
    return NULL;
  work->engine->moment = (OdlMoment){ 0 };
  return frame->volume
             ? compute_volume (work, frame, &recipe, plan)
             : odl_engine_process (work->engine, plan, odl_frame_came (frame), NULL);
}

// What is seen of a volume, as the frame sees it.
static OdlImage *
look_at (const OdlFrame *frame, OdlImage *volume)
{
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, frame->box };
  return frame->planes ? odl_planes_compose (volume, &look, NULL)
                       : odl_volume_slice (volume, frame->voxel.at[2]);
}

// One side: the picture in memory, or what is computed, of volumes kept for their other
// slices in *volume.
static OdlImage *
find_side (Work *work, const OdlFrame *frame, OdlViewKind view, OdlImage **volume)
{
  if (frame->result && frame->recipe.view == view)
    return odl_image_ref (frame->result);
  if (!frame->volume)
    return compute (work, frame, view);
  if (!*volume)
    *volume = compute (work, frame, view);
  return *volume ? look_at (frame, *volume) : NULL;
}

static void
pair_free (void *data)
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
compute_pair (void *data, GCancellable *cancellable, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  Order *order = data;
  OdlFrame *frame = order->frame;
  const OdlViewKind shown = frame->recipe.view;
  const bool analysis = odl_view_is_analysis (shown),
             falling = odl_view_is_falling (shown);
  const int64_t begin = odl_clock_now_ns ();
  OdlBeforeAfter *pair = g_new0 (OdlBeforeAfter, 1);
  Work work = { odl_engine_open_choice (cpu, NULL), { 0 } };
  odl_progress_begin (&work.progress);
  const gulong id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb),
                                           &work.progress, NULL);
  pair->of = odl_frame_ref (frame);
  for (int i = 0; i < 2; i++)
    pair->volumes[i] = g_steal_pointer (&order->kept.volumes[i]);
  if (work.engine) {
    work.engine->progress = &work.progress;
    pair->before
        = analysis ? find_side (&work, frame, odl_view_of_coefficients (false, falling),
                                &pair->volumes[0])
                   : odl_image_ref (frame->input);
    pair->after = find_side (&work, frame,
                             analysis ? odl_view_of_coefficients (true, falling)
                                      : ODL_VIEW_SYNTHESIS,
                             &pair->volumes[1]);
  }
  g_cancellable_disconnect (cancellable, id);
  g_clear_pointer (&work.engine, odl_engine_close);
  pair->worked_ns = odl_clock_now_ns () - begin;
  return pair;
}

// ---- in the main thread --------------------------------------------------------------

static gboolean
rested_cb (void *data)
{
  OdlViewport *self = data;
  self->before_after.rest_id = 0;
  odl_viewport_tell_stale (self, ODL_STALE_VALUE);
  return G_SOURCE_REMOVE;
}

static void
computed (void *owner, void *result, const GError *error, void *data)
{
  OdlViewport *self = owner;
  g_autofree OdlBeforeAfter *pair = result;
  odl_viewport_forget_before_after (self);
  self->before_after = *pair;
  self->before_after.made_us = g_get_monotonic_time ();
  if (plays (self))
    self->before_after.rest_id = g_timeout_add (
        (guint) MAX (REST * self->before_after.worked_ns / NS_PER_MS, LEAST_REST_MS),
        rested_cb, self);
  odl_viewport_tell_stale (self, ODL_STALE_VALUE);
}

// Another look at the same volume, filtered alike: it need not be filtered again.
static bool
has_volumes_of (const OdlBeforeAfter *pair, const OdlFrame *frame)
{
  return pair->of && frame->volume && pair->of->volume == frame->volume
         && odl_recipe_equal (&pair->of->recipe, &frame->recipe);
}

static void
begin (OdlViewport *self, const OdlFrame *frame)
{
  static const OdlJobClass klass = { compute_pair, computed, pair_free, order_free };
  g_autoptr (OdlGate) gate = odl_gate_new (); // nobody waits for it
  if (self->before_after.job || (plays (self) && self->before_after.rest_id))
    return;
  Order *order = g_new0 (Order, 1);
  order->frame = odl_frame_ref ((OdlFrame *) frame);
  for (int i = 0; i < 2 && has_volumes_of (&self->before_after, frame); i++)
    if (self->before_after.volumes[i])
      order->kept.volumes[i] = odl_image_ref (self->before_after.volumes[i]);
  self->before_after.job = odl_job_run (G_OBJECT (self), gate, &klass, order);
}

const char *
odl_viewport_why_no_before_after (const OdlFrame *frame)
{
  return odl_plan_frames (frame->plan) != 1 ? _ ("unknown (a filter over time)") : NULL;
}

const OdlBeforeAfter *
odl_viewport_before_after (OdlViewport *self, const OdlFrame *frame)
{
  const OdlBeforeAfter *pair = &self->before_after;
  if (odl_viewport_why_no_before_after (frame))
    return NULL;
  if (pair->of != frame)
    begin (self, frame);
  const bool fits
      = pair->of == frame
        || (pair->of && plays (self) && pair->of->source_serial == frame->source_serial
            && odl_recipe_equal (&pair->of->recipe, &frame->recipe)
            && g_get_monotonic_time () - pair->made_us < STALE_US);
  return fits && pair->before && pair->after ? pair : NULL;
}
