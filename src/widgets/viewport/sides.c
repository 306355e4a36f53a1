// SPDX-License-Identifier: MIT
// What one frame is before and after its filters, for the value under the pointer. What
// the canvas has not in memory another thread computes on `cpu`: the other side of a view
// of coefficients, and of what a GL engine made both, which so differ from what is shown
// by the bound of the engines at most.
#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "config.h"

#include "base/clock.h"
#include "filter/strength.h"
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
  clear (&self->sides);
}

// ---- in the other thread -------------------------------------------------------------

// NULL: that fails.
static OdlImage *
compute (OdlOffscreen *offscreen, const OdlFrame *frame, OdlViewKind view)
{
  if (frame->result && frame->recipe.view == view)
    return odl_image_ref (frame->result);
  OdlRecipe recipe = odl_recipe_at_strength (&frame->recipe);
  recipe.view = view;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &frame->plan->geometry, NULL);
  return plan ? odl_offscreen_process (offscreen, plan, frame->input, (OdlMoment){ 0 },
                                       NULL)
              : NULL;
}

static void
sides_free (void *data)
{
  clear (data);
  g_free (data);
}

static void
compute_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  OdlSides *sides = data;
  const bool analysis = odl_view_is_analysis (sides->of->recipe.view);
  const int64_t begin = odl_clock_now_ns ();
  g_autoptr (OdlOffscreen) offscreen = odl_offscreen_open (cpu, NULL);
  if (offscreen) {
    sides->before = analysis ? compute (offscreen, sides->of, ODL_VIEW_ANALYSIS)
                             : odl_image_ref (sides->of->input);
    sides->after = compute (offscreen, sides->of,
                            analysis ? ODL_VIEW_FILTERED_ANALYSIS : ODL_VIEW_SYNTHESIS);
  }
  sides->worked_ns = odl_clock_now_ns () - begin;
  g_task_return_boolean (task, true);
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
computed_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlViewport *self = ODL_VIEWPORT (object);
  OdlSides *computed = g_task_get_task_data (G_TASK (result));
  self->sides.at_work = false;
  if (!self->session) // it was closed meanwhile
    return;
  odl_viewport_forget_sides (self);
  self->sides = *computed;
  *computed = (OdlSides){ 0 };
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
  if (self->sides.at_work || (plays (self) && self->sides.rest_id))
    return;
  self->sides.at_work = true;
  OdlSides *wanted = g_new0 (OdlSides, 1);
  wanted->of = odl_frame_ref ((OdlFrame *) frame);
  g_autoptr (GTask) task = g_task_new (self, NULL, computed_cb, NULL);
  g_task_set_source_tag (task, begin);
  g_task_set_task_data (task, wanted, sides_free);
  g_task_run_in_thread (task, compute_thread);
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
