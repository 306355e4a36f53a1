// SPDX-License-Identifier: MIT
#include "archive/mover.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/thread.h"

#define ANY_PORT 104 // nothing is sent there

struct _OdlMover {
  const OdlNodeParams *given;
  OdlNodeParams params;
  GThread *thread;
  int stop_fd;
  GMutex mutex; // of the next ones
  GCond changed;
  bool decided; // it listens, or cannot
  guint port;
  GError *error;
};

static void
decide (OdlMover *self, guint port)
{
  g_mutex_lock (&self->mutex);
  self->decided = true;
  self->port = port;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static void
told_cb (const OdlNodeNews *news, void *data)
{
  OdlMover *self = data;

  if (news->event == ODL_NODE_LISTENS)
    decide (self, news->port);
  else
    self->given->told (news, self->given->data);
}

static char *
refuse_cb (const OdlNetworkFacts *facts, void *data)
{
  const OdlMover *self = data;

  return self->given->refuse (facts, self->given->data);
}

static void *
run (void *data)
{
  OdlMover *self = data;

  if (!odl_node_run (&self->params, &self->error))
    decide (self, 0);
  return NULL;
}

OdlMover *
odl_mover_start (const OdlNodeParams *params, GError **error)
{
  OdlMover *self = g_new0 (OdlMover, 1);

  self->given = params;
  self->params = *params;
  self->params.told = told_cb;
  self->params.refuse = params->refuse != NULL ? refuse_cb : NULL;
  self->params.data = self;
  self->stop_fd = self->params.stop_fd = eventfd (0, EFD_CLOEXEC);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = odl_thread_new ("node", run, self, &self->error);
  g_mutex_lock (&self->mutex);
  while (self->thread != NULL && !self->decided)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
  if (self->port > 0)
    return self;
  odl_thread_join (self->thread);
  self->thread = NULL;
  g_propagate_error (error, g_steal_pointer (&self->error));
  odl_mover_end (self);
  return NULL;
}

guint
odl_mover_port (const OdlMover *self)
{
  return self->port;
}

void
odl_mover_end (OdlMover *self)
{
  const uint64_t one = 1;

  if (self == NULL)
    return;
  if (write (self->stop_fd, &one, sizeof one) != sizeof one)
    g_warn_if_reached ();
  odl_thread_join (self->thread);
  close (self->stop_fd);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

char *
odl_mover_own_address (const char *peer, GError **error)
{
  g_autoptr (GInetAddress) there = g_inet_address_new_from_string (peer);
  g_autoptr (GSocketAddress) place = g_inet_socket_address_new (there, ANY_PORT);
  g_autoptr (GError) given = NULL;
  g_autoptr (GSocket) one
      = g_socket_new (g_inet_address_get_family (there), G_SOCKET_TYPE_DATAGRAM,
                      G_SOCKET_PROTOCOL_UDP, &given);
  g_autoptr (GSocketAddress) here = NULL;

  // Which way it would go.
  if (one != NULL && g_socket_connect (one, place, NULL, &given))
    here = g_socket_get_local_address (one, &given);
  if (here != NULL)
    return g_inet_address_to_string (
        g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (here)));
  return odl_error_null (error, ODL_ERROR_IO, "%s: %s", peer, given->message);
}
