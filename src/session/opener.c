// SPDX-License-Identifier: MIT
#include "session/opener.h"

#include <string.h>

#include "source/source_file.h"

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

OdlGate *
odl_gate_ref (OdlGate *gate)
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

void
odl_gate_enter (OdlGate *gate)
{
  g_mutex_lock (&gate->mutex);
  gate->inside++;
  g_mutex_unlock (&gate->mutex);
}

void
odl_gate_leave (OdlGate *gate)
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
  char *location;
  OdlSource *before;
  OdlGate *gate;
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  g_free (job->location);
  g_clear_pointer (&job->before, odl_source_unref);
  odl_gate_unref (job->gate);
  g_free (job);
}

void
odl_opened_free (OdlOpened *opened)
{
  if (!opened)
    return;
  g_clear_pointer (&opened->image, odl_image_unref);
  g_clear_pointer (&opened->source, odl_source_unref);
  g_free (opened);
}

static OdlOpened *
open_location (const char *location, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlOpened) opened = g_new0 (OdlOpened, 1);
  opened->source = odl_source_open (location, cancellable, error);
  if (!opened->source)
    return NULL;
  opened->image = odl_source_read_first (opened->source, cancellable, error);
  return opened->image ? g_steal_pointer (&opened) : NULL;
}

static void
open_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (OdlGate) gate = odl_gate_ref (job->gate);
  GError *error = NULL;
  if (job->before)
    odl_source_park (job->before, true);
  OdlOpened *opened = open_location (job->location, cancellable, &error);
  // Also after a cancel: then the one before stays in place.
  if (job->before && (!opened || g_cancellable_is_cancelled (cancellable)))
    odl_source_park (job->before, false);
  if (opened)
    g_task_return_pointer (task, opened, (GDestroyNotify) odl_opened_free);
  else
    g_task_return_error (task, error);
  odl_gate_leave (gate);
}

void
odl_opener_open (const char *location,
                 OdlSource *before,
                 OdlGate *gate,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Job *job = g_new (Job, 1);
  *job = (Job){ g_strdup (location), before ? odl_source_ref (before) : NULL,
                odl_gate_ref (gate) };
  g_task_set_source_tag (task, odl_opener_open);
  g_task_set_task_data (task, job, job_free);
  odl_gate_enter (gate);
  g_task_run_in_thread (task, open_thread);
}

OdlOpened *
odl_opener_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

const char *
odl_opener_reason (const char *location, const GError *error)
{
  g_autofree char *start = odl_source_file_error_start (location);
  return error->message + (g_str_has_prefix (error->message, start) ? strlen (start) : 0);
}
