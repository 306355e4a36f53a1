// SPDX-License-Identifier: MIT
#include "session/detail_meter.h"

#include <gio/gio.h>

typedef struct {
  OdlFrame *frame;
  OdlRecipe recipe;
  OdlPlan *plan; // of it
  OdlDetailReach reach;
} Job;

struct _OdlDetailMeter {
  OdlDetailMeterCb cb; // NULL: freed
  void *data;
  OdlPlan *seen; // of the last frame; NULL: none
  guint64 source_serial; // of that frame
  bool shows; // its view has levels
  OdlPlan *held; // what `reach` was, or is being, measured with; NULL: nothing
  OdlDetailReach reach;
  Job *waiting; // NULL: none
  bool working;
};

static void
job_free (void *data)
{
  Job *job = data;
  odl_frame_unref (job->frame);
  odl_plan_unref (job->plan);
  g_free (job);
}

static void
meter_clear (void *data)
{
  OdlDetailMeter *self = data;
  g_clear_pointer (&self->seen, odl_plan_unref);
  g_clear_pointer (&self->held, odl_plan_unref);
  g_clear_pointer (&self->waiting, job_free);
}

static void
measure_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  if (odl_detail_reach_measure (&job->recipe, job->frame->input,
                                job->plan->geometry.operands, &job->reach, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void begin (OdlDetailMeter *self);

static void
measured_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlDetailMeter *self = data;
  const Job *job = g_task_get_task_data (G_TASK (result));
  const bool done = g_task_propagate_boolean (G_TASK (result), NULL);
  self->working = false;
  if (done && self->cb && job->plan == self->held
      && job->frame->source_serial == self->source_serial) {
    self->reach = job->reach;
    self->cb (self->data);
  }
  if (self->cb)
    begin (self);
  g_rc_box_release_full (self, meter_clear);
}

static void
begin (OdlDetailMeter *self)
{
  if (self->working || !self->waiting)
    return;
  self->working = true;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, measured_cb, g_rc_box_acquire (self));
  g_task_set_source_tag (task, begin);
  g_task_set_task_data (task, g_steal_pointer (&self->waiting), job_free);
  g_task_run_in_thread (task, measure_thread);
}

// Unless what is held was measured so, in the same source and since the view was entered.
static void
measure (OdlDetailMeter *self, OdlFrame *frame, const OdlRecipe *recipe, bool entered)
{
  OdlGeometry geometry = odl_geometry_of (frame->input);
  geometry.operands = frame->plan->geometry.operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (recipe, &geometry, NULL);
  if (!plan || (!entered && self->held && odl_plan_does_the_same (plan, self->held)))
    return;
  g_clear_pointer (&self->held, odl_plan_unref);
  self->held = odl_plan_ref (plan);
  g_clear_pointer (&self->waiting, job_free);
  self->waiting = g_new0 (Job, 1);
  self->waiting->frame = odl_frame_ref (frame);
  self->waiting->recipe = *recipe;
  self->waiting->plan = g_steal_pointer (&plan);
  begin (self);
}

OdlDetailReach
odl_detail_meter_reach (OdlDetailMeter *self, OdlFrame *frame)
{
  const bool same_source = frame->source_serial == self->source_serial;
  if (self->seen != frame->plan || !same_source) {
    OdlRecipe recipe;
    const bool shows = odl_detail_reach_recipe (&frame->recipe, &recipe);
    if (!same_source) {
      g_clear_pointer (&self->held, odl_plan_unref);
      self->reach = (OdlDetailReach){ 0 };
    }
    self->source_serial = frame->source_serial;
    if (shows)
      measure (self, frame, &recipe, !self->shows);
    self->shows = shows;
    g_clear_pointer (&self->seen, odl_plan_unref);
    self->seen = odl_plan_ref (frame->plan);
  }
  return self->shows ? self->reach : (OdlDetailReach){ 0 };
}

OdlDetailMeter *
odl_detail_meter_new (OdlDetailMeterCb cb, void *data)
{
  OdlDetailMeter *self = g_rc_box_new0 (OdlDetailMeter);
  self->cb = cb;
  self->data = data;
  return self;
}

void
odl_detail_meter_free (OdlDetailMeter *self)
{
  self->cb = NULL;
  g_clear_pointer (&self->waiting, job_free);
  g_rc_box_release_full (self, meter_clear);
}
