// SPDX-License-Identifier: MIT
#include "session/aside.h"

#include <gio/gio.h>

#include "base/clock.h"

// Of the time that was worked; and so long at least.
#define REST 19
#define LEAST_REST_MS 100
#define MOST_STILL_MS 3000
#define NS_PER_MS 1000000

struct _OdlAside {
  const OdlAsideKind *kind;
  bool freed; // while it worked
  void *data;
  void *waiting; // NULL: none
  bool working;
  guint rest_id;
};

typedef struct {
  const OdlAsideKind *kind;
  void *job;
  int64_t worked_ns;
} Run;

static void
run_free (void *data)
{
  Run *run = data;
  run->kind->free_job (run->job);
  g_free (run);
}

static void
work_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Run *run = data;
  const int64_t begin = odl_clock_now_ns ();
  const bool came = run->kind->work (run->job);
  run->worked_ns = odl_clock_now_ns () - begin;
  g_task_return_boolean (task, came);
}

static void
drop_waiting (OdlAside *self)
{
  if (self->waiting)
    self->kind->free_job (g_steal_pointer (&self->waiting));
}

static void begin (OdlAside *self);

static gboolean
rested_cb (void *data)
{
  OdlAside *self = data;
  self->rest_id = 0;
  begin (self);
  return G_SOURCE_REMOVE;
}

static void
worked_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlAside *self = data;
  const Run *run = g_task_get_task_data (G_TASK (result));
  const bool came = g_task_propagate_boolean (G_TASK (result), NULL);
  self->working = false;
  if (!self->freed && came)
    self->kind->done (run->job, self->data);
  const bool still = self->kind->is_still && self->kind->is_still (run->job);
  const int64_t rest_ms = MAX (REST * run->worked_ns / NS_PER_MS, LEAST_REST_MS);
  if (!self->freed)
    self->rest_id = g_timeout_add (
        (guint) (still ? MIN (rest_ms, MOST_STILL_MS) : rest_ms), rested_cb, self);
  g_rc_box_release (self);
}

static void
begin (OdlAside *self)
{
  if (self->working || self->rest_id || !self->waiting)
    return;
  Run *run = g_new0 (Run, 1);
  run->kind = self->kind;
  run->job = g_steal_pointer (&self->waiting);
  self->working = true;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, worked_cb, g_rc_box_acquire (self));
  g_task_set_source_tag (task, begin);
  g_task_set_task_data (task, run, run_free);
  g_task_run_in_thread (task, work_thread);
}

void
odl_aside_want (OdlAside *self, void *job)
{
  drop_waiting (self);
  self->waiting = job;
  begin (self);
}

OdlAside *
odl_aside_new (const OdlAsideKind *kind, void *data)
{
  OdlAside *self = g_rc_box_new0 (OdlAside);
  self->kind = kind;
  self->data = data;
  return self;
}

void
odl_aside_free (OdlAside *self)
{
  if (!self)
    return;
  self->freed = true;
  g_clear_handle_id (&self->rest_id, g_source_remove);
  drop_waiting (self);
  g_rc_box_release (self);
}
