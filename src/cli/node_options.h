// SPDX-License-Identifier: MIT
// Options of verbs that call a node. Whoever takes ODL_NODE_ENTRIES has N_ ().
#pragma once

#include <glib.h>

#include "archive/find.h"

typedef struct {
  char *node; // as typed
  char *title; // our own
  int idle;
  OdlPeerTls tls;
  OdlNodeName name; // the next two are made of these
  OdlLinkParams link;
} OdlNodeOptions;

// `word` names the option for the node, `about` says what it is for.
#define ODL_NODE_ENTRIES(options, word, about) \
  { word, 0, 0, G_OPTION_ARG_STRING, &(options)->node, about, "TITLE@HOST:PORT" }, \
      { "aet", \
        0, \
        0, \
        G_OPTION_ARG_STRING, \
        &(options)->title, \
        N_ ("Our own title (application entity); default: ONDELETTE"), \
        "TITLE" }, \
      { "most-idle", \
        0, \
        0, \
        G_OPTION_ARG_INT, \
        &(options)->idle, \
        N_ ("Seconds for which the node may be silent; default: 60"), \
        "N" }, \
      { "tls-ca", \
        0, \
        0, \
        G_OPTION_ARG_FILENAME, \
        &(options)->tls.authorities, \
        N_ ("Encrypt (TLS); certificates of those who vouch for the node, in PEM"), \
        "FILE" }, \
      { "tls-key", \
        0, \
        0, \
        G_OPTION_ARG_FILENAME, \
        &(options)->tls.key, \
        N_ ("Our own key, in PEM"), \
        "FILE" }, \
      { "tls-any-host", \
        0, \
        0, \
        G_OPTION_ARG_NONE, \
        &(options)->tls.any_host, \
        N_ ("The node's certificate need not be of the host that is called"), \
        NULL }, \
  { \
    "tls-cert", 0, 0, G_OPTION_ARG_FILENAME, &(options)->tls.certificate, \
        N_ ("The certificate of that key, in PEM"), "FILE" \
  }

// Makes `link` of what was typed. `missing` (translated) says that the node is. Errors:
// ODL_ERROR_USAGE, ODL_ERROR_IO.
bool odl_node_options_check (OdlNodeOptions *self, const char *missing, GError **error);
void odl_node_options_clear (OdlNodeOptions *self);

// Lines about what a query found besides what was told. `done`: it came to its end.
void odl_node_options_tell (const OdlNodeOptions *self, const OdlFound *found, bool done);
