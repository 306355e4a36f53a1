// SPDX-License-Identifier: MIT
// Sends by itself what waits for nodes (archive/waiting.h), for as long as somebody has
// it: one node after the other, after pauses that grow. Main thread.
#pragma once

#include "archive/waiting.h"
#include "session/archive/parcel.h"

typedef struct _OdlOutgoing OdlOutgoing;

typedef struct {
  // The nodes that somebody has named, OdlArchiveNode; transfer full.
  GPtrArray *(*nodes) (void *data);
  // Something waits, is being sent, or does not wait any more.
  void (*changed) (void *data);
  // Some of what waited went, or all that there was.
  void (*went) (const OdlArchiveNode *node,
                const OdlArchiveSendCounts *counts,
                void *data);
  void *data;
} OdlOutgoingParams;

OdlOutgoing *odl_outgoing_new (const OdlOutgoingParams *params);
// Stops what is being sent, which waits then. Accepts NULL.
void odl_outgoing_free (OdlOutgoing *self);

// Looks what is due; something may wait that did not before.
void odl_outgoing_look (OdlOutgoing *self);

// Sends at once what waits for a node. False: ODL_ERROR_BUSY, and as of
// odl_archive_send_start.
bool
odl_outgoing_send_now (OdlOutgoing *self, const OdlArchiveNode *node, GError **error);
// Whether that is what it is sending.
bool odl_outgoing_is_sending (const OdlOutgoing *self, const char *address);

// The one that has this address; NULL: nobody has named it, or its entry is damaged.
// Borrowed.
const OdlArchiveNode *odl_outgoing_node_of (const GPtrArray *nodes,
                                            const OdlWaiting *waiting);
