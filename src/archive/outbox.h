// SPDX-License-Identifier: MIT
// What is to be sent to a node, as files of a folder: it survives a kill and a loss of
// power, and each file goes when the node has answered Success for it. A thread sends,
// and tries again, after ever longer times, what was not taken.
#pragma once

#include "archive/send.h"

typedef struct _OdlOutbox OdlOutbox;

typedef struct {
  const char *folder; // made if need be
  const OdlNodeName *to;
  const char *calling;
  const OdlPeerTls *tls; // NULL: none
  guint first_wait_seconds; // before it is tried again; 0: the usual
  // As of odl_send, in the thread of the outbox.
  void (*told) (const OdlSendNews *news, void *data);
  void *data;
} OdlOutboxParams;

// ODL_ERROR_IO. `params` and what it points to stay until the outbox is closed.
OdlOutbox *odl_outbox_open (const OdlOutboxParams *params, GError **error);
// What was not sent stays in the folder.
void odl_outbox_close (OdlOutbox *self);

// Takes over a complete file of the same file system under a name of its own, or refers
// to one that stays where it is. False: ODL_ERROR_IO. Any thread.
bool
odl_outbox_move (OdlOutbox *self, const char *path, const char *name, GError **error);
bool
odl_outbox_refer (OdlOutbox *self, const char *path, const char *name, GError **error);
