// SPDX-License-Identifier: MIT
#include "archive/watch.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/thread.h"

struct _OdlWatch {
  GCancellable *own;
  GCancellable *given; // NULL: none
  gulong handler;
  GThread *thread; // NULL: there was none to be had, and it may take for ever
  GMutex mutex; // of the next ones
  GCond changed;
  gint64 until_us;
  bool ended;
  bool late;
};

static void *
look (void *data)
{
  OdlWatch *self = data;

  g_mutex_lock (&self->mutex);
  while (!self->ended && !self->late) {
    // It may have been extended meanwhile.
    g_cond_wait_until (&self->changed, &self->mutex, self->until_us);
    self->late = g_get_monotonic_time () >= self->until_us;
  }
  const bool late = self->late && !self->ended;
  g_mutex_unlock (&self->mutex);
  if (late)
    g_cancellable_cancel (self->own);
  return NULL;
}

static void
cancelled_cb (GCancellable *cancellable, void *data)
{
  g_cancellable_cancel (data);
}

OdlWatch *
odl_watch_start (GCancellable *cancellable, guint seconds)
{
  OdlWatch *self = g_new0 (OdlWatch, 1);

  self->own = g_cancellable_new ();
  self->given = cancellable;
  self->until_us = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  if (cancellable != NULL)
    self->handler = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb),
                                           g_object_ref (self->own), g_object_unref);
  self->thread = odl_thread_new ("watch", look, self, NULL);
  return self;
}

void
odl_watch_extend (OdlWatch *self, guint seconds)
{
  g_mutex_lock (&self->mutex);
  self->until_us = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

bool
odl_watch_is_late (OdlWatch *self)
{
  g_mutex_lock (&self->mutex);
  const bool late = self->late;
  g_mutex_unlock (&self->mutex);
  return late;
}

GCancellable *
odl_watch_cancellable (OdlWatch *self)
{
  return self->own;
}

void
odl_watch_end (OdlWatch *self, GError **error)
{
  g_mutex_lock (&self->mutex);
  self->ended = true;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  odl_thread_join (self->thread);
  if (self->given != NULL)
    g_cancellable_disconnect (self->given, self->handler);
  if (self->late && g_error_matches (*error, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_clear_error (error);
    odl_error_set (error, ODL_ERROR_TOO_LARGE,
                   _ ("it took longer than it may, and was cut off"));
  }
  g_object_unref (self->own);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}
