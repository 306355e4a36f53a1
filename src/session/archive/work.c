// SPDX-License-Identifier: MIT
#include "session/archive/work.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/thread.h"

// What is told at a time, and the pause between two times, in which the main loop paints
// and answers. It does not wait until there is nothing to paint: a picture that moves on
// a slow machine leaves no such time.
#define MOST_TOLD 200
#define PAUSE_MS 10

struct _OdlArchiveWork {
  gatomicrefcount refs;
  const OdlArchiveWorkClass *klass;
  void *job;
  GCancellable *cancellable;
  bool dropped; // main thread
  GMutex mutex; // of the next ones
  GQueue told;
  bool is_on_its_way; // to the main thread
  bool done;
};

static void
unref (void *data)
{
  OdlArchiveWork *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_queue_clear_full (&self->told, self->klass->free_told);
  self->klass->free_job (self->job);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

// Takes a batch; *last: that is all there will ever be. *more: there is more now.
static GPtrArray *
take_batch (OdlArchiveWork *self, bool *more, bool *last)
{
  GPtrArray *batch = g_ptr_array_new_with_free_func (self->klass->free_told);

  g_mutex_lock (&self->mutex);
  while (batch->len < MOST_TOLD && !g_queue_is_empty (&self->told))
    g_ptr_array_add (batch, g_queue_pop_head (&self->told));
  *more = !g_queue_is_empty (&self->told);
  *last = self->done && !*more;
  self->is_on_its_way = *more;
  g_mutex_unlock (&self->mutex);
  return batch;
}

static void deliver_later (OdlArchiveWork *self);

static gboolean
deliver_cb (void *data)
{
  OdlArchiveWork *self = data;
  bool more, last;
  g_autoptr (GPtrArray) batch = take_batch (self, &more, &last);

  if (batch->len > 0 && !self->dropped)
    self->klass->took (batch, self->job);
  if (last && !self->dropped)
    self->klass->ended (self->job);
  if (more)
    deliver_later (self);
  return G_SOURCE_REMOVE;
}

static void
deliver_later (OdlArchiveWork *self)
{
  g_atomic_ref_count_inc (&self->refs);
  g_timeout_add_full (G_PRIORITY_DEFAULT, PAUSE_MS, deliver_cb, self, unref);
}

// With the lock held.
static void
deliver (OdlArchiveWork *self)
{
  if (!self->is_on_its_way)
    deliver_later (self);
  self->is_on_its_way = true;
}

void
odl_archive_work_tell (OdlArchiveWork *self, void *told)
{
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->told, told);
  deliver (self);
  g_mutex_unlock (&self->mutex);
}

GCancellable *
odl_archive_work_cancellable (OdlArchiveWork *self)
{
  return self->cancellable;
}

void
odl_archive_work_explain (OdlArchiveWork *self, GError **error)
{
  if (*error == NULL || !g_cancellable_is_cancelled (self->cancellable))
    return;
  g_clear_error (error);
  odl_error_set (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
}

static void *
thread (void *data)
{
  OdlArchiveWork *self = data;

  self->klass->run (self, self->job);
  g_mutex_lock (&self->mutex);
  self->done = true;
  deliver (self);
  g_mutex_unlock (&self->mutex);
  unref (self);
  return NULL;
}

OdlArchiveWork *
odl_archive_work_start (const OdlArchiveWorkClass *klass, void *job, GError **error)
{
  OdlArchiveWork *self = g_new0 (OdlArchiveWork, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  g_queue_init (&self->told);
  self->klass = klass;
  self->job = job;
  self->cancellable = g_cancellable_new ();
  g_atomic_ref_count_inc (&self->refs);
  GThread *made = odl_thread_new ("archive", thread, self, error);
  if (made == NULL) {
    unref (self);
    unref (self);
    return NULL;
  }
  g_thread_unref (made);
  return self;
}

void
odl_archive_work_cancel (OdlArchiveWork *self)
{
  g_cancellable_cancel (self->cancellable);
}

void
odl_archive_work_drop (OdlArchiveWork *self)
{
  if (self == NULL)
    return;
  self->dropped = true;
  g_cancellable_cancel (self->cancellable);
  unref (self);
}
