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

// What the node did not take, until it is tried again.
typedef struct {
  guint wait; // seconds
  gint64 due_us;
} Refusal;

struct _OdlOutbox {
  const OdlOutboxParams *params;
  OdlWorker *worker;
  GHashTable *refused; // names; of its thread, as the next one
  bool is_away; // the node was not there for some
};

static guint
next_wait (const OdlOutbox *self, guint wait)
{
  const guint first = self->params->first_wait_seconds;

  return wait > 0 ? MIN (2 * wait, LAST_WAIT_SECONDS)
                  : (first > 0 ? first : FIRST_WAIT_SECONDS);
}

// ---- What was refused ----

static void
refuse (OdlOutbox *self, char *name)
{
  const Refusal *before = g_hash_table_lookup (self->refused, name);
  Refusal *refusal = g_new (Refusal, 1);

  refusal->wait = next_wait (self, before != NULL ? before->wait : 0);
  refusal->due_us = g_get_monotonic_time () + (gint64) refusal->wait * G_USEC_PER_SEC;
  g_hash_table_replace (self->refused, name, refusal);
}

static bool
is_due (const OdlOutbox *self, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  const Refusal *refusal = g_hash_table_lookup (self->refused, name);

  return refusal == NULL || g_get_monotonic_time () >= refusal->due_us;
}

// Seconds until one of those that were refused is due; 0: none is there.
static guint
until_due (const OdlOutbox *self)
{
  const gint64 now = g_get_monotonic_time ();
  gint64 first = G_MAXINT64;
  GHashTableIter iter;
  void *refusal;

  g_hash_table_iter_init (&iter, self->refused);
  while (g_hash_table_iter_next (&iter, NULL, &refusal))
    first = MIN (first, ((const Refusal *) refusal)->due_us);
  return first == G_MAXINT64 ? 0 : (guint) (MAX (first - now, 0) / G_USEC_PER_SEC + 1);
}

// ---- The thread ----

static void
told_cb (const OdlSendNews *news, void *data)
{
  OdlOutbox *self = data;
  g_autofree char *name = g_path_get_basename (news->path);

  if (news->taken || news->hopeless) {
    g_unlink (news->path);
    g_hash_table_remove (self->refused, name);
  } else if (news->not_begun) {
    self->is_away = true;
  } else {
    refuse (self, g_steal_pointer (&name));
  }
  if (news->taken || !odl_worker_is_closing (self->worker))
    self->params->told (news, self->params->data);
}

static gboolean
is_gone (void *name, void *refusal, void *data)
{
  const OdlOutbox *self = data;
  g_autofree char *path = g_build_filename (self->params->folder, name, NULL);
  GStatBuf status;

  return g_lstat (path, &status) != 0;
}

// What is due, in its order. Transfer full.
static GPtrArray *
list_due (OdlOutbox *self)
{
  g_auto (GStrv) paths = odl_queue_list (self->params->folder, ".dcm", 0);
  GPtrArray *due = g_ptr_array_new_with_free_func (g_free);

  g_hash_table_foreach_remove (self->refused, is_gone, self);
  for (guint i = 0; paths[i] != NULL; i++)
    if (is_due (self, paths[i]))
      g_ptr_array_add (due, g_strdup (paths[i]));
  return due;
}

// True: there was something.
static bool
send_round (OdlOutbox *self)
{
  g_autoptr (GPtrArray) due = list_due (self);
  const char *some[MOST_AT_ONCE + 1];

  self->is_away = false;
  for (guint i = 0;
       i < due->len && !self->is_away && !odl_worker_is_closing (self->worker);) {
    guint n = 0;
    while (n < MOST_AT_ONCE && i < due->len)
      some[n++] = due->pdata[i++];
    some[n] = NULL;
    odl_send (&(OdlSendParams){ .link = { .to = self->params->to,
                                          .calling = self->params->calling,
                                          .tls = self->params->tls },
                                .paths = some,
                                .told = told_cb,
                                .data = self },
              odl_worker_cancellable (self->worker));
  }
  return due->len > 0;
}

// What the node refuses keeps nothing back that comes after it; a node that is away is
// left alone for a while.
static void *
send_all (void *data)
{
  OdlOutbox *self = data;
  guint wait = 0;

  while (!odl_worker_is_closing (self->worker)) {
    const bool sent = send_round (self);
    wait = self->is_away ? next_wait (self, wait) : 0;
    if (self->is_away)
      odl_worker_rest (self->worker, wait);
    else if (!sent)
      odl_worker_wait (self->worker, until_due (self));
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
  self->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
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
  g_hash_table_unref (self->refused);
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
