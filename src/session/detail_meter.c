// SPDX-License-Identifier: MIT
#include "session/detail_meter.h"

#include <gio/gio.h>

struct _OdlDetailMeasuring {
  OdlRecipe recipe;
  OdlPlan *plan; // of it
  guint64 source_serial; // of the frame
  GMutex mutex; // guards what follows
  OdlFrame *frame; // NULL: it was measured
  OdlDetailReach reach;
};

struct _OdlDetailMeter {
  OdlDetailMeterCb cb; // NULL: freed
  void *data;
  OdlPlan *seen; // of the last frame; NULL: none
  guint64 source_serial; // of that frame
  bool shows; // its view has levels
  OdlDetailMeasuring *held; // what `reach` is of, or will be; NULL: nothing
  OdlDetailReach reach;
  OdlDetailMeasuring *waiting; // NULL: none
  bool working;
};

// ---- what is measured ----------------------------------------------------------------

static void
measuring_clear (void *data)
{
  OdlDetailMeasuring *self = data;
  g_clear_pointer (&self->frame, odl_frame_unref);
  odl_plan_unref (self->plan);
  g_mutex_clear (&self->mutex);
}

void
odl_detail_measuring_unref (OdlDetailMeasuring *self)
{
  g_atomic_rc_box_release_full (self, measuring_clear);
}

// NULL: it cannot be planned.
static OdlDetailMeasuring *
measuring_new (OdlFrame *frame, const OdlRecipe *recipe)
{
  OdlGeometry geometry = odl_geometry_of (odl_frame_came (frame));
  geometry.operands = frame->plan->geometry.operands;
  OdlPlan *plan = odl_plan_new (recipe, &geometry, NULL);
  if (!plan)
    return NULL;
  OdlDetailMeasuring *self = g_atomic_rc_box_new0 (OdlDetailMeasuring);
  self->recipe = *recipe;
  self->plan = plan;
  self->source_serial = frame->source_serial;
  self->frame = odl_frame_ref (frame);
  g_mutex_init (&self->mutex);
  return self;
}

OdlDetailReach
odl_detail_measuring_wait (OdlDetailMeasuring *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  g_autoptr (GError) error = NULL;
  if (self->frame
      && !odl_detail_reach_measure (&self->recipe, odl_frame_came (self->frame),
                                    self->plan->geometry.operands, &self->reach, &error))
    g_debug ("details: %s", error->message);
  g_clear_pointer (&self->frame, odl_frame_unref);
  return self->reach;
}

// ---- the meter -----------------------------------------------------------------------

static void
meter_clear (void *data)
{
  OdlDetailMeter *self = data;
  g_clear_pointer (&self->seen, odl_plan_unref);
  g_clear_pointer (&self->held, odl_detail_measuring_unref);
  g_clear_pointer (&self->waiting, odl_detail_measuring_unref);
}

static void
measure_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  odl_detail_measuring_wait (data);
  g_task_return_boolean (task, TRUE);
}

static void begin (OdlDetailMeter *self);

static void
measured_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlDetailMeter *self = data;
  OdlDetailMeasuring *measured = g_task_get_task_data (G_TASK (result));
  self->working = false;
  if (self->cb && measured == self->held) {
    self->reach = odl_detail_measuring_wait (measured);
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
  g_task_set_task_data (task, g_steal_pointer (&self->waiting),
                        (GDestroyNotify) odl_detail_measuring_unref);
  g_task_run_in_thread (task, measure_thread);
}

static bool
is_held (const OdlDetailMeter *self, const OdlDetailMeasuring *measuring)
{
  return self->held && self->held->source_serial == measuring->source_serial
         && odl_plan_does_the_same (self->held->plan, measuring->plan);
}

// Unless what is held was measured so, in the same source and since the view was entered.
static void
measure (OdlDetailMeter *self, OdlFrame *frame, const OdlRecipe *recipe, bool entered)
{
  g_autoptr (OdlDetailMeasuring) measuring = measuring_new (frame, recipe);
  if (!measuring || (!entered && is_held (self, measuring)))
    return;
  g_clear_pointer (&self->held, odl_detail_measuring_unref);
  g_clear_pointer (&self->waiting, odl_detail_measuring_unref);
  self->held = g_atomic_rc_box_acquire (measuring);
  self->waiting = g_steal_pointer (&measuring);
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
      g_clear_pointer (&self->held, odl_detail_measuring_unref);
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

OdlDetailMeasuring *
odl_detail_meter_measuring (OdlDetailMeter *self,
                            OdlFrame *frame,
                            const OdlRecipe *recipe)
{
  OdlRecipe measured;
  odl_detail_meter_reach (self, frame);
  if (recipe == &frame->recipe)
    return self->shows && self->held ? g_atomic_rc_box_acquire (self->held) : NULL;
  if (!odl_detail_reach_recipe (recipe, &measured))
    return NULL;
  OdlDetailMeasuring *measuring = measuring_new (frame, &measured);
  if (!measuring || !self->shows || !is_held (self, measuring))
    return measuring;
  odl_detail_measuring_unref (measuring);
  return g_atomic_rc_box_acquire (self->held);
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
  g_clear_pointer (&self->waiting, odl_detail_measuring_unref);
  g_rc_box_release_full (self, meter_clear);
}
