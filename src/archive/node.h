// SPDX-License-Identifier: MIT
// A node that receives: listens, starts a helper for each association, and keeps what it
// delivers. Nothing that a peer says is read in this process.
#pragma once

#include "archive/callers.h"
#include "archive/instances.h"
#include "archive/peer.h"

// Of one caller, which is an address of IPv4, or a network of 64 bits of IPv6; 0: the
// usual.
typedef struct {
  guint associations; // at once
  guint seconds; // of an association
  guint idle_seconds; // without a word
  guint64 bytes; // of an association
  guint64 instance_bytes; // of an instance
} OdlNodeLimits;

typedef enum {
  ODL_NODE_LISTENS, // port
  ODL_NODE_COMES, // path, facts; before it is there
  ODL_NODE_KEPT, // kept, path, facts; before its sender hears of it
  ODL_NODE_NOT_KEPT, // facts.instance, text
  ODL_NODE_ENDED, // text, the counts
  ODL_NODE_TURNED_AWAY, // text; nobody asked the helper
  ODL_NODE_BEGAN, // somebody calls, whose ODL_NODE_ENDED will come
} OdlNodeEvent;

typedef struct {
  OdlNodeEvent event;
  const char *caller; // "TITLE at ADDRESS", or the address
  const char *text; // a sentence; NULL: none
  const char *path; // below the folder
  OdlKept kept;
  const OdlNetworkFacts *facts;
  guint port;
  guint n_kept, n_again, n_apart, n_failed; // instances of the association
  guint64 bytes; // of the instance that is kept; of all, when it has ended
} OdlNodeNews;

typedef struct {
  const char *title;
  const char *address; // to listen at, in numbers
  guint port; // 0: a free one
  const OdlCallers *callers;
  OdlInstances *instances;
  const OdlPeerTls *tls; // NULL: none
  OdlNodeLimits limits;
  int stop_fd; // readable: to end
  // Why an instance is not to be kept, transfer full; NULL: it is. Itself NULL: all are.
  // Called as the next one.
  char *(*refuse) (const OdlNetworkFacts *facts, void *data);
  // Called in any thread, one at a time.
  void (*told) (const OdlNodeNews *news, void *data);
  void *data;
} OdlNodeParams;

// Returns when it is told to end; associations are cut off then, so that what is not
// whole stays absent. ODL_ERROR_IO: it cannot listen.
bool odl_node_run (const OdlNodeParams *params, GError **error);
