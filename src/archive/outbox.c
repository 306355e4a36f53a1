// SPDX-License-Identifier: MIT
#include "archive/outbox.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "archive/queue.h"
#include "archive/worker.h"
#include "base/error.h"

#define FOLDER_MODE 0700
#define MOST_AT_ONCE 500
#define FIRST_WAIT_SECONDS 10
#define LAST_WAIT_SECONDS 600

struct _OdlOutbox {
  const OdlOutboxParams *params;
  OdlWorker *worker;
};

// ---- The thread ----

static void
told_cb (const OdlSendNews *news, void *data)
{
  OdlOutbox *self = data;

  if (odl_worker_is_closing (self->worker))
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
                  odl_worker_cancellable (self->worker));
  *failed = n_failed > 0;
  return !*failed;
}

static void *
send_all (void *data)
{
  OdlOutbox *self = data;
  const guint first = self->params->first_wait_seconds > 0
                          ? self->params->first_wait_seconds
                          : FIRST_WAIT_SECONDS;
  guint wait = 0;

  while (!odl_worker_is_closing (self->worker)) {
    bool failed = false;
    const bool more = send_some (self, &failed);
    // What failed is tried again after a while.
    wait = !failed ? 0 : wait == 0 ? first : MIN (2 * wait, LAST_WAIT_SECONDS);
    if (!more)
      odl_worker_wait (self->worker, wait);
  }
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
  self->worker = odl_worker_new ();
  if (odl_worker_start (self->worker, "outbox", send_all, self, error))
    return self;
  odl_outbox_close (self);
  return NULL;
}

void
odl_outbox_close (OdlOutbox *self)
{
  if (self == NULL)
    return;
  odl_worker_free (self->worker);
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
  odl_worker_wake (self->worker);
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
