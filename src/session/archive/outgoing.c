// SPDX-License-Identifier: MIT
#include "session/archive/outgoing.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

// Until what is due goes; longer, and ever longer, where what became of it cannot be
// noted or another window sends to that node.
#define LEAST_WAIT_SECONDS 2
#define MOST_WAIT_SECONDS 600

struct _OdlOutgoing {
  OdlOutgoingParams params;
  OdlArchiveWork *sending; // NULL: nothing is
  OdlArchiveNode *to; // of that
  guint timer; // 0: nothing waits, or something is being sent
  guint least_wait; // seconds
};

static void
changed (OdlOutgoing *self)
{
  self->params.changed (self->params.data);
}

const OdlArchiveNode *
odl_outgoing_node_of (const GPtrArray *nodes, const OdlWaiting *waiting)
{
  for (guint i = 0; i < nodes->len; i++) {
    g_autofree char *address = odl_archive_node_address (nodes->pdata[i]);
    g_autoptr (OdlWaiting) its = odl_waiting_of (address);
    if (g_str_equal (its->folder, waiting->folder)
        && odl_archive_node_check (nodes->pdata[i], NULL))
      return nodes->pdata[i];
  }
  return NULL;
}

// ---- Sending -------------------------------------------------------------------------

static void
sent_cb (const OdlArchiveSent *sent, void *data)
{
}

static void
ended_cb (const OdlArchiveSendCounts *counts, const GError *error, void *data)
{
  OdlOutgoing *self = data;
  g_autoptr (OdlArchiveNode) to = g_steal_pointer (&self->to);

  g_clear_pointer (&self->sending, odl_archive_work_drop);
  self->least_wait = error == NULL ? LEAST_WAIT_SECONDS
                                   : MIN (2 * self->least_wait, MOST_WAIT_SECONDS);
  if (counts->n_sent > 0)
    self->params.went (to, counts, self->params.data);
  odl_outgoing_look (self);
}

bool
odl_outgoing_send_now (OdlOutgoing *self, const OdlArchiveNode *node, GError **error)
{
  static const char *const nothing_new[] = { NULL };
  const OdlArchiveSendParams params = {
    .node = node, .paths = nothing_new, .sent = sent_cb, .ended = ended_cb, .data = self
  };

  if (self->sending != NULL)
    return odl_error_set (error, ODL_ERROR_BUSY,
                          _ ("something else is being sent; wait until that is done"));
  self->sending = odl_archive_send_start (&params, error);
  if (self->sending == NULL)
    return false;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->to = odl_archive_node_copy (node);
  changed (self);
  return true;
}

bool
odl_outgoing_is_sending (const OdlOutgoing *self, const char *address)
{
  g_autofree char *own = self->to != NULL ? odl_archive_node_address (self->to) : NULL;

  return own != NULL && g_str_equal (own, address);
}

// ---- Looking -------------------------------------------------------------------------

// The node that has waited longest among those that are due; NULL: none is, and *wait
// are the seconds until one may be (0: nothing waits that could be sent). Transfer full.
static OdlArchiveNode *
find_due (OdlOutgoing *self, guint *wait)
{
  g_autoptr (GPtrArray) waiting = odl_waiting_list ();
  g_autoptr (GPtrArray) nodes = self->params.nodes (self->params.data);
  const OdlArchiveNode *due = NULL;
  gint64 tried_s = G_MAXINT64;

  *wait = 0;
  for (guint i = 0; i < waiting->len; i++) {
    const OdlWaiting *one = waiting->pdata[i];
    const OdlArchiveNode *node = odl_outgoing_node_of (nodes, one);
    if (node == NULL)
      continue;
    const guint in = odl_waiting_is_due_in (one);
    if (in == 0 && one->tried_s < tried_s) {
      due = node;
      tried_s = one->tried_s;
    }
    const guint then = MAX (in, self->least_wait);
    *wait = *wait == 0 ? then : MIN (*wait, then);
  }
  return due != NULL ? odl_archive_node_copy (due) : NULL;
}

static gboolean
timer_cb (void *data)
{
  OdlOutgoing *self = data;
  guint wait;
  g_autoptr (OdlArchiveNode) due = find_due (self, &wait);

  self->timer = 0;
  if (due == NULL || !odl_outgoing_send_now (self, due, NULL))
    odl_outgoing_look (self);
  return G_SOURCE_REMOVE;
}

void
odl_outgoing_look (OdlOutgoing *self)
{
  guint wait;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->sending == NULL) {
    g_autoptr (OdlArchiveNode) due = find_due (self, &wait);
    if (wait > 0)
      self->timer = g_timeout_add_seconds (wait, timer_cb, self);
  }
  changed (self);
}

OdlOutgoing *
odl_outgoing_new (const OdlOutgoingParams *params)
{
  OdlOutgoing *self = g_new0 (OdlOutgoing, 1);

  self->params = *params;
  self->least_wait = LEAST_WAIT_SECONDS;
  return self;
}

void
odl_outgoing_free (OdlOutgoing *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  odl_archive_work_drop (self->sending);
  odl_archive_node_free (self->to);
  g_free (self);
}
