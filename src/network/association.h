// SPDX-License-Identifier: MIT
// An association (PS3.8) by DCMTK's functions ASC_… and DUL_…, the only part of the
// helper in C++. Its classes for users and providers of services are not used: they
// resolve names, listen, look callers up backwards, write files of their own choice and
// refuse transfer syntaxes that this DCMTK does not know.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "network/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _OdlAssociation OdlAssociation;

// Before the sandbox is entered. `idle_seconds`: for how long a peer may be silent. There
// is one in a process, and it stays: DCMTK's settings are global, and the helper ends
// with its association.
OdlAssociation *odl_association_new (unsigned idle_seconds);

// Files, in PEM; an empty name: none, where one that calls has no certificate.
typedef struct {
  const char *key;
  const char *certificate;
  const char *authorities; // that vouch for peers
} OdlNetworkTls;

// Encrypts what follows, by TLS of BCP 195, with peers that such an authority vouches
// for. Before the sandbox is entered. False: these files are of no use.
bool odl_association_set_tls (OdlAssociation *self, bool calls, const OdlNetworkTls *how);

// What was said about the end, in English. Never NULL.
const char *odl_association_reason (const OdlAssociation *self);

// ---- Of those who call ----

// Reads the request on the connection `fd`. False: *end.
bool odl_association_receive (OdlAssociation *self, int fd, OdlNetworkEnd *end);
const char *odl_association_calling (const OdlAssociation *self);
const char *odl_association_called (const OdlAssociation *self);
unsigned odl_association_n_contexts (const OdlAssociation *self);

// Takes the contexts whose class is a storage class or verification, each in the first of
// its transfer syntaxes that the program reads.
bool odl_association_accept (OdlAssociation *self, OdlNetworkEnd *end);
void odl_association_reject (OdlAssociation *self, OdlNetworkVerdict why);

// ---- Of those that we call ----

// Connects to an address in numbers. `connected` is called when the connection stands and
// nothing was read yet; false ends it. `taken` says of each context whether
// the peer takes it.
bool odl_association_request (OdlAssociation *self,
                              const OdlNetworkOrder *order,
                              const OdlNetworkContext *contexts,
                              bool (*connected) (void),
                              uint8_t *taken,
                              OdlNetworkEnd *end);

// ---- Of both ----

// A fragment of a message (PS3.8 E.2); its bytes stay until the next one is read.
typedef struct {
  uint8_t context;
  bool is_command;
  bool is_last;
  const uint8_t *bytes;
  size_t n;
} OdlFragment;

bool odl_association_read (OdlAssociation *self, OdlFragment *part, OdlNetworkEnd *end);
// Cut into as many as the peer wants.
bool
odl_association_write (OdlAssociation *self, const OdlFragment *part, OdlNetworkEnd *end);
// The most that is worth writing at once.
size_t odl_association_room (const OdlAssociation *self);

// The transfer syntax and class of an accepted context. False: it is none. Texts are
// borrowed until the next call.
bool odl_association_find (OdlAssociation *self,
                           uint8_t context,
                           const char **sop_class,
                           const char **syntax);

// Answers a release that the peer asked for; asks for one, and waits for the answer; cuts
// it off.
void odl_association_confirm_release (OdlAssociation *self);
bool odl_association_release (OdlAssociation *self, OdlNetworkEnd *end);
void odl_association_abort (OdlAssociation *self);

#ifdef __cplusplus
}
#endif
