// SPDX-License-Identifier: MIT
// The helper process that speaks DICOM with one peer, or looks at files for it
// (network/protocol.h). One thread at a time.
#pragma once

#include <gio/gio.h>

#include "network/protocol.h"

typedef struct _OdlPeer OdlPeer;

// Files of TLS, in PEM.
typedef struct {
  char *key; // NULL with the next one: we have no certificate
  char *certificate;
  char *authorities; // that vouch for peers
  gboolean any_host; // those that we call need no certificate of the host that was typed
} OdlPeerTls;

// Whether the names fit together. ODL_ERROR_USAGE, ODL_ERROR_IO.
bool odl_peer_tls_check (const OdlPeerTls *tls, bool needs_key, GError **error);

typedef struct {
  const char *role; // ODL_NETWORK_RECEIVE …
  int connection_fd; // of ODL_NETWORK_RECEIVE; the caller keeps it
  guint idle_seconds; // for how long a peer may be silent
  guint64 most_bytes; // of an instance
  const OdlPeerTls *tls; // NULL: nothing is encrypted
} OdlPeerStart;

// ODL_ERROR_INSTALLATION, ODL_ERROR_IO.
OdlPeer *odl_peer_start (const OdlPeerStart *how, GError **error);

// Sends an order, whose common fields are filled in, with a file (−1: none) and the
// contexts or bytes that follow it (NULL: none). After a failure the peer has ended.
bool odl_peer_order (OdlPeer *self,
                     OdlNetworkOrder *order,
                     const void *more,
                     int fd,
                     GError **error);

// Waits for a report, whose texts are made sure to end. `bytes` (may be NULL) has room
// for what follows. Errors: ODL_ERROR_CANCELLED, and any that tell why the
// helper has ended.
bool odl_peer_receive (OdlPeer *self,
                       OdlNetworkReport *report,
                       guint8 *bytes,
                       gsize room,
                       GCancellable *cancellable,
                       GError **error);

// Waits until the helper has closed its side, which ends what is still on its way.
void odl_peer_wait (OdlPeer *self, GCancellable *cancellable);

// Kills the helper. Accepts NULL.
void odl_peer_end (OdlPeer *self);

// How an association ended, as a sentence. Transfer full.
char *odl_peer_end_to_text (const OdlNetworkReport *report);
