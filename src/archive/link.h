// SPDX-License-Identifier: MIT
// An association that we begin.
#pragma once

#include "archive/peer.h"

// A node as it is typed: "TITLE@HOST:PORT", where an address of IPv6 stands in brackets.
typedef struct {
  char *title;
  char *host; // without brackets
  guint port;
} OdlNodeName;

// ODL_ERROR_USAGE.
bool odl_node_name_parse (const char *text, OdlNodeName *name, GError **error);
void odl_node_name_clear (OdlNodeName *name);
// As it is typed. Transfer full.
char *odl_node_name_to_text (const OdlNodeName *name);

typedef struct {
  const OdlNodeName *to;
  const char *calling;
  const OdlPeerTls *tls; // NULL: none
  guint idle_seconds; // for how long the node may be silent; 0: the usual
} OdlLinkParams;

// In numbers, of IPv4 where it has both. NULL: ODL_ERROR_IO. Transfer full.
char *odl_link_resolve (const OdlNodeName *to, GCancellable *cancellable, GError **error);

// A helper that speaks with nobody, or is to call. ODL_ERROR_INSTALLATION, ODL_ERROR_IO.
OdlPeer *odl_link_start (const OdlLinkParams *params,
                         const char *role,
                         guint64 most_bytes,
                         GError **error);

// What is proposed, and what the node takes of it.
typedef struct {
  OdlNetworkContext contexts[ODL_NETWORK_MAX_CONTEXTS];
  guint8 taken[ODL_NETWORK_MAX_CONTEXTS]; // 0, 1
  guint n;
} OdlProposal;

// Index of the context; the number of contexts: there is none.
guint
odl_proposal_find (const OdlProposal *self, const char *sop_class, const char *syntax);
bool odl_proposal_is_taken (const OdlProposal *self, guint context);
// False: there is no room for it.
bool odl_proposal_add (OdlProposal *self,
                       const char *sop_class,
                       const char *syntax,
                       bool we_receive);

// Connects one that was started, which it takes over; NULL: *end says why not. `params`
// as it was started with.
OdlPeer *odl_link_connect (const OdlLinkParams *params,
                           OdlPeer *peer,
                           const char *address,
                           OdlProposal *proposal,
                           GCancellable *cancellable,
                           char **end);
// Starts one, and connects it. `role` and `most_bytes` as of the peer.
OdlPeer *odl_link_open (const OdlLinkParams *params,
                        const char *role,
                        guint64 most_bytes,
                        const char *address,
                        OdlProposal *proposal,
                        GCancellable *cancellable,
                        char **end);

// Releases the association, whatever comes of it. The caller ends the peer.
void odl_link_release (OdlPeer *peer, GCancellable *cancellable);

// What the node answered, where that is no success, as a sentence. Transfer full.
char *odl_link_status_to_text (const OdlNetworkReport *report);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlNodeName, odl_node_name_clear)
