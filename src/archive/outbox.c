// SPDX-License-Identifier: MIT
#include "archive/outbox.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "archive/queue.h"
#include "base/error.h"
#include "base/thread.h"

#define FOLDER_MODE 0700
#define MOST_AT_ONCE 500
#define FIRST_WAIT_SECONDS 10
#define LAST_WAIT_SECONDS 600

struct _OdlOutbox {
  const OdlOutboxParams *params;
  GCancellable *cancellable;
  GThread *thread;
  GMutex mutex;
  GCond changed;
  bool news; // something came, or it is to end
  gint closing; // atomic
};

// ---- The thread ----

static void
told_cb (const OdlSendNews *news, void *data)
{
  OdlOutbox *self = data;

  if (g_atomic_int_get (&self->closing) != 0)
    return;
  if (news->taken)
    g_unlink (news->path);
  self->params->told (news, self->params->data);
}

// True: there is more, and the node takes it.
static bool
send_some (OdlOutbox *self, bool *failed)
{
  g_auto (GStrv) paths = odl_queue_list (self->params->folder, ".dcm", MOST_AT_ONCE);

  if (paths[0] == NULL)
    return false;
  const guint n_failed
      = odl_send (&(OdlSendParams){ .link = { .to = self->params->to,
                                              .calling = self->params->calling,
                                              .tls = self->params->tls },
                                    .paths = (const char *const *) paths,
                                    .told = told_cb,
                                    .data = self },
                  self->cancellable);
  *failed = n_failed > 0;
  return !*failed;
}

// For something new, or until what failed is tried again.
static void
wait_for_news (OdlOutbox *self, guint seconds)
{
  const gint64 until = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;

  while (g_atomic_int_get (&self->closing) == 0 && (seconds > 0 || !self->news)) {
    if (seconds == 0)
      g_cond_wait (&self->changed, &self->mutex);
    else if (!g_cond_wait_until (&self->changed, &self->mutex, until))
      break;
  }
  self->news = false;
}

static void *
send_all (void *data)
{
  OdlOutbox *self = data;
  const guint first = self->params->first_wait_seconds > 0
                          ? self->params->first_wait_seconds
                          : FIRST_WAIT_SECONDS;
  guint wait = 0;

  g_mutex_lock (&self->mutex);
  while (g_atomic_int_get (&self->closing) == 0) {
    bool failed = false;
    g_mutex_unlock (&self->mutex);
    const bool more = send_some (self, &failed);
    g_mutex_lock (&self->mutex);
    wait = !failed ? 0 : wait == 0 ? first : MIN (2 * wait, LAST_WAIT_SECONDS);
    if (!more)
      wait_for_news (self, wait);
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

// ---- The outbox ----

OdlOutbox *
odl_outbox_open (const OdlOutboxParams *params, GError **error)
{
  if (g_mkdir_with_parents (params->folder, FOLDER_MODE) != 0)
    return odl_error_null (error, ODL_ERROR_IO, "%s: %s", params->folder,
                           g_strerror (errno));
  OdlOutbox *self = g_new0 (OdlOutbox, 1);
  self->params = params;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = odl_thread_new ("outbox", send_all, self, error);
  if (self->thread != NULL)
    return self;
  odl_outbox_close (self);
  return NULL;
}

void
odl_outbox_close (OdlOutbox *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  g_atomic_int_set (&self->closing, 1);
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->cancellable);
  odl_thread_join (self->thread);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

static bool
put (OdlOutbox *self,
     int (*how) (const char *path, const char *target),
     const char *path,
     const char *name,
     GError **error)
{
  g_autofree char *target = g_build_filename (self->params->folder, name, NULL);

  if (how (path, target) != 0 && errno != EEXIST)
    return odl_error_set (error, ODL_ERROR_IO, "%s: %s", target, g_strerror (errno));
  g_mutex_lock (&self->mutex);
  self->news = true;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  return true;
}

bool
odl_outbox_move (OdlOutbox *self, const char *path, const char *name, GError **error)
{
  return put (self, rename, path, name, error);
}

bool
odl_outbox_refer (OdlOutbox *self, const char *path, const char *name, GError **error)
{
  return put (self, symlink, path, name, error);
}
