// SPDX-License-Identifier: MIT
#include "session/job.h"

struct _OdlGate {
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond changed;
  int inside;
};

OdlGate *
odl_gate_new (void)
{
  OdlGate *gate = g_new0 (OdlGate, 1);
  g_atomic_ref_count_init (&gate->ref_count);
  g_mutex_init (&gate->mutex);
  g_cond_init (&gate->changed);
  return gate;
}

static OdlGate *
gate_ref (OdlGate *gate)
{
  g_atomic_ref_count_inc (&gate->ref_count);
  return gate;
}

void
odl_gate_unref (OdlGate *gate)
{
  if (!g_atomic_ref_count_dec (&gate->ref_count))
    return;
  g_mutex_clear (&gate->mutex);
  g_cond_clear (&gate->changed);
  g_free (gate);
}

static void
gate_enter (OdlGate *gate)
{
  g_mutex_lock (&gate->mutex);
  gate->inside++;
  g_mutex_unlock (&gate->mutex);
}

static void
gate_leave (OdlGate *gate)
{
  g_mutex_lock (&gate->mutex);
  gate->inside--;
  g_cond_broadcast (&gate->changed);
  g_mutex_unlock (&gate->mutex);
}

bool
odl_gate_wait (OdlGate *gate, int64_t timeout_us)
{
  int64_t end = g_get_monotonic_time () + timeout_us;
  g_mutex_lock (&gate->mutex);
  while (gate->inside > 0 && g_cond_wait_until (&gate->changed, &gate->mutex, end))
    ;
  bool empty = gate->inside == 0;
  g_mutex_unlock (&gate->mutex);
  return empty;
}

typedef struct {
  const OdlJobClass *klass;
  GWeakRef owner;
  OdlGate *gate;
  void *data;
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  job->klass->free_data (job->data);
  g_weak_ref_clear (&job->owner);
  odl_gate_unref (job->gate);
  g_free (job);
}

static void
job_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (OdlGate) gate = gate_ref (job->gate);
  GError *error = NULL;
  void *result = job->klass->work (job->data, cancellable, &error);
  if (result)
    g_task_return_pointer (task, result, job->klass->free_result);
  else
    g_task_return_error (task, error);
  gate_leave (gate);
}

static void
done_cb (GObject *object, GAsyncResult *result, void *data)
{
  GTask *task = G_TASK (result);
  Job *job = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) owner = g_weak_ref_get (&job->owner);
  if (!owner || g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    return;
  void *value = g_task_propagate_pointer (task, &error);
  job->klass->done (owner, value, error, job->data);
}

GCancellable *
odl_job_run (GObject *owner, OdlGate *gate, const OdlJobClass *klass, void *data)
{
  GCancellable *cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, done_cb, NULL);
  Job *job = g_new (Job, 1);
  *job = (Job){ .klass = klass, .gate = gate_ref (gate), .data = data };
  g_weak_ref_init (&job->owner, owner);
  g_task_set_source_tag (task, odl_job_run);
  g_task_set_task_data (task, job, job_free);
  gate_enter (gate);
  g_task_run_in_thread (task, job_thread);
  return cancellable;
}

void
odl_job_cancel (GCancellable **job)
{
  if (*job)
    g_cancellable_cancel (*job);
  g_clear_object (job);
}
