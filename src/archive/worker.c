// SPDX-License-Identifier: MIT
#include "archive/worker.h"

#include "base/thread.h"

struct _OdlWorker {
  GCancellable *cancellable;
  GThread *thread; // NULL: not started
  GMutex mutex; // of the next one
  GCond changed;
  bool news; // something came
  gint closing; // atomic
};

OdlWorker *
odl_worker_new (void)
{
  OdlWorker *self = g_new0 (OdlWorker, 1);

  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  return self;
}

bool
odl_worker_start (OdlWorker *self,
                  const char *name,
                  GThreadFunc run,
                  void *data,
                  GError **error)
{
  self->thread = odl_thread_new (name, run, data, error);
  return self->thread != NULL;
}

void
odl_worker_free (OdlWorker *self)
{
  if (self == NULL)
    return;
  g_atomic_int_set (&self->closing, 1);
  odl_worker_wake (self);
  g_cancellable_cancel (self->cancellable);
  odl_thread_join (self->thread);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

void
odl_worker_wake (OdlWorker *self)
{
  g_mutex_lock (&self->mutex);
  self->news = true;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static void
wait_for (OdlWorker *self, guint seconds, bool for_news)
{
  const gint64 until = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  bool late = false;

  g_mutex_lock (&self->mutex);
  while (!odl_worker_is_closing (self) && !late && !(for_news && self->news)) {
    if (seconds == 0)
      g_cond_wait (&self->changed, &self->mutex);
    else
      late = !g_cond_wait_until (&self->changed, &self->mutex, until);
  }
  self->news = false;
  g_mutex_unlock (&self->mutex);
}

void
odl_worker_rest (OdlWorker *self, guint seconds)
{
  wait_for (self, seconds, false);
}

void
odl_worker_wait (OdlWorker *self, guint seconds)
{
  wait_for (self, seconds, true);
}

bool
odl_worker_is_closing (OdlWorker *self)
{
  return g_atomic_int_get (&self->closing) != 0;
}

GCancellable *
odl_worker_cancellable (OdlWorker *self)
{
  return self->cancellable;
}
