// SPDX-License-Identifier: MIT
#include "archive/call.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "archive/arrival.h"
#include "archive/peer.h"
#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"

// Who does not say in that time what is wanted.
#define GREETING_SECONDS 30
// For what is still on its way when an association has ended.
#define FAREWELL_SECONDS 2

struct _OdlCall {
  const OdlNodeParams *params;
  GInetAddress *address;
  GCancellable *cancellable;
  GThread *thread;
  int connection_fd;
  GMutex mutex; // of the next one
  gint64 until_us;
  gint done; // atomic
  GError *no_file; // why there is none for the next instance; NULL: there is one
  char *caller; // for people
  OdlNodeNews counts;
};

// ---- Time ----

static void
allow (OdlCall *self, guint seconds)
{
  g_mutex_lock (&self->mutex);
  self->until_us = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  g_mutex_unlock (&self->mutex);
}

bool
odl_call_look (OdlCall *self)
{
  g_mutex_lock (&self->mutex);
  const bool late = g_get_monotonic_time () > self->until_us;
  g_mutex_unlock (&self->mutex);
  if (late)
    g_cancellable_cancel (self->cancellable);
  return g_atomic_int_get (&self->done) != 0;
}

GInetAddress *
odl_call_address (const OdlCall *self)
{
  return self->address;
}

// ---- News ----

static void
tell (OdlCall *self, OdlNodeNews news)
{
  news.caller = self->caller;
  self->params->told (&news, self->params->data);
}

static void
tell_end (OdlCall *self, const char *text)
{
  OdlNodeNews news = self->counts;

  news.event = ODL_NODE_ENDED;
  news.text = text;
  tell (self, news);
}

// ---- The call ----

static int
next_file (OdlCall *self)
{
  g_clear_error (&self->no_file);
  return odl_instances_new_file (self->params->instances, &self->no_file);
}

static bool
order (OdlPeer *peer, OdlNetworkOrder *what, int fd, GError **error)
{
  return odl_peer_order (peer, what, NULL, fd, error);
}

// Sets `file` to that of the first instance.
static bool
decide (OdlCall *self,
        OdlPeer *peer,
        const OdlNetworkReport *report,
        int *file,
        GError **error)
{
  const OdlNodeParams *params = self->params;
  g_autofree char *title = odl_text_in_one_line (report->calling);
  g_autofree char *address = g_inet_address_to_string (self->address);
  g_autofree char *called = g_strstrip (odl_text_in_one_line (report->called));
  OdlNetworkOrder verdict = { .kind = ODL_NETWORK_VERDICT };

  g_free (self->caller);
  self->caller = g_strdup_printf (_ ("%s at %s"), title, address);
  if (!odl_callers_know (params->callers, report->calling, self->address))
    verdict.value = ODL_NETWORK_UNKNOWN_CALLER;
  else if (!g_str_equal (called, params->title))
    verdict.value = ODL_NETWORK_NOT_THIS_TITLE;
  if (verdict.value == ODL_NETWORK_ACCEPT) {
    *file = next_file (self);
    allow (self, params->limits.seconds);
    return order (peer, &verdict, *file, error);
  }
  if (!order (peer, &verdict, -1, error))
    return false;
  if (verdict.value == ODL_NETWORK_UNKNOWN_CALLER)
    return odl_error_set (error, ODL_ERROR_DENIED,
                          _ ("rejected, since --callers does not name that caller"));
  return odl_error_set (error, ODL_ERROR_DENIED,
                        _ ("rejected, since it calls “%s”, not this node"), called);
}

// Gives the file its name, unless the helper found something wrong with it. Returns the
// status of the answer; `why` is set where it is no success.
static guint32
keep (OdlCall *self, const OdlNetworkReport *report, int file, char **why)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  OdlNodeNews news = { .event = ODL_NODE_KEPT, .facts = &report->facts };
  const guint32 status = odl_arrival_check (
      report, self->no_file != NULL ? self->no_file->message : NULL, why);

  if (status != ODL_STATUS_SUCCESS)
    return status;
  if (self->params->refuse != NULL)
    *why = self->params->refuse (&report->facts, self->params->data);
  if (*why != NULL)
    return ODL_STATUS_NOT_AUTHORISED;
  if (self->counts.bytes + report->bytes > self->params->limits.bytes) {
    *why = g_strdup (_ ("its caller has sent more than it may in one association"));
    return ODL_STATUS_NO_RESOURCES;
  }
  path = odl_instances_path (&report->facts);
  tell (self,
        (OdlNodeNews){ .event = ODL_NODE_COMES, .facts = &report->facts, .path = path });
  g_clear_pointer (&path, g_free);
  if (!odl_instances_keep (self->params->instances, file, &report->facts, &news.kept,
                           &path, &error)) {
    *why = g_strdup (error->message);
    return ODL_STATUS_NO_RESOURCES;
  }
  news.path = path;
  news.bytes = report->bytes;
  self->counts.bytes += report->bytes;
  self->counts.n_kept += news.kept == ODL_KEPT_NEW;
  self->counts.n_again += news.kept == ODL_KEPT_AGAIN || news.kept == ODL_KEPT_ALIKE;
  self->counts.n_apart += news.kept == ODL_KEPT_APART;
  tell (self, news);
  return ODL_STATUS_SUCCESS;
}

static bool
take_instance (OdlCall *self,
               OdlPeer *peer,
               const OdlNetworkReport *report,
               int *file,
               GError **error)
{
  g_autofree char *why = NULL;
  OdlNetworkOrder status = { .kind = ODL_NETWORK_STATUS };

  status.value = keep (self, report, *file, &why);
  g_strlcpy (status.comment, odl_arrival_comment (status.value), sizeof status.comment);
  if (why != NULL) {
    self->counts.n_failed++;
    tell (self, (OdlNodeNews){
                    .event = ODL_NODE_NOT_KEPT, .facts = &report->facts, .text = why });
  }
  if (*file >= 0)
    close (*file);
  *file = next_file (self);
  return order (peer, &status, *file, error);
}

// Returns how it ended, for people; NULL: *error.
static char *
converse (OdlCall *self, OdlPeer *peer, int *file, GError **error)
{
  OdlNetworkReport report;
  bool greeted = false;

  while (odl_peer_receive (peer, &report, NULL, 0, self->cancellable, error)) {
    bool good = false;
    if (report.kind == ODL_NETWORK_ENDED) {
      allow (self, FAREWELL_SECONDS);
      odl_peer_wait (peer, self->cancellable);
      return odl_peer_end_to_text (&report);
    }
    if (report.kind == ODL_NETWORK_CALLED && !greeted)
      good = decide (self, peer, &report, file, error);
    else if (report.kind == ODL_NETWORK_STORED && greeted)
      good = take_instance (self, peer, &report, file, error);
    else
      odl_error_set (error, ODL_ERROR_CORRUPT,
                     _ ("the helper for the network gave an invalid answer"));
    greeted = true;
    if (!good) {
      allow (self, FAREWELL_SECONDS);
      odl_peer_wait (peer, self->cancellable);
      return NULL;
    }
  }
  return NULL;
}

static void *
serve (void *data)
{
  OdlCall *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  int file = -1;
  OdlPeer *peer = odl_peer_start (
      &(OdlPeerStart){ .role = ODL_NETWORK_RECEIVE,
                       .connection_fd = self->connection_fd,
                       .tls = self->params->tls,
                       .idle_seconds = self->params->limits.idle_seconds,
                       .most_bytes = self->params->limits.instance_bytes },
      &error);

  close (self->connection_fd);
  tell (self, (OdlNodeNews){ .event = ODL_NODE_BEGAN });
  if (peer != NULL)
    text = converse (self, peer, &file, &error);
  odl_peer_end (peer);
  if (file >= 0)
    close (file);
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    tell_end (self, _ ("cut off, since it took longer than it may"));
  else
    tell_end (self, text != NULL ? text : error->message);
  g_atomic_int_set (&self->done, 1);
  return NULL;
}

OdlCall *
odl_call_start (const OdlNodeParams *params,
                int connection_fd,
                GInetAddress *address,
                GError **error)
{
  OdlCall *self = g_new0 (OdlCall, 1);

  self->params = params;
  self->address = g_object_ref (address);
  self->caller = g_inet_address_to_string (address);
  self->cancellable = g_cancellable_new ();
  self->connection_fd = connection_fd;
  g_mutex_init (&self->mutex);
  allow (self, GREETING_SECONDS);
  self->thread = odl_thread_new ("association", serve, self, error);
  if (self->thread != NULL)
    return self;
  close (connection_fd);
  odl_call_free (self);
  return NULL;
}

void
odl_call_free (OdlCall *self)
{
  g_cancellable_cancel (self->cancellable);
  odl_thread_join (self->thread);
  g_object_unref (self->cancellable);
  g_object_unref (self->address);
  g_mutex_clear (&self->mutex);
  g_clear_error (&self->no_file);
  g_free (self->caller);
  g_free (self);
}
