// SPDX-License-Identifier: MIT
// The DICOM nodes that somebody has named in the preferences. Any thread.
#pragma once

#include "archive/link.h"

// Under which they are kept in the settings. There are no secrets among them: of keys and
// certificates it has the names of the files.
#define ODL_ARCHIVE_NODES_KEY "archive-nodes"

typedef struct {
  char *name; // for people
  char *title, *host;
  guint port;
  char *own_title; // with which we call; "": the usual one
  bool encrypted; // TLS; the next ones count only then
  bool any_host; // the certificate may be of another host
  char *authorities; // files in PEM; "": none
  char *key, *certificate;
} OdlArchiveNode;

// Texts are "".
OdlArchiveNode *odl_archive_node_new (void);
OdlArchiveNode *odl_archive_node_copy (const OdlArchiveNode *self);
void odl_archive_node_free (OdlArchiveNode *self);

// Whether it can be called: ODL_ERROR_USAGE, ODL_ERROR_IO, as a sentence.
bool odl_archive_node_check (const OdlArchiveNode *self, GError **error);

// "TITLE@HOST:PORT", as it is typed. Transfer full.
char *odl_archive_node_address (const OdlArchiveNode *self);

// OdlArchiveNode, in the order in which they are listed; what is damaged is left out.
GPtrArray *odl_archive_nodes_parse (const char *text);
char *odl_archive_nodes_to_text (const GPtrArray *nodes); // transfer full

// The one of that name; NULL: none. Borrowed.
OdlArchiveNode *odl_archive_nodes_find (const GPtrArray *nodes, const char *name);

// A node as the archive layer has it; what `link` points to is in the rest, and in the
// node, which stays meanwhile.
typedef struct {
  OdlNodeName name;
  OdlPeerTls tls;
  OdlLinkParams link;
} OdlArchiveLink;

void odl_archive_link_init (OdlArchiveLink *self, const OdlArchiveNode *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlArchiveNode, odl_archive_node_free)
