// SPDX-License-Identifier: MIT
// OdlTrust: which code of the user's own (filter/own/own.h) he has allowed to run, by the
// SHA-256 of its bytes. It is kept with its bytes in
// $XDG_STATE_HOME/ondelette/trusted-code, so that recipes that name it by its hash find
// it again. One of a program; main thread.
//
// Signals:
//   changed ()   code was allowed, refused or revoked
#pragma once

#include <glib-object.h>

#include "filter/own/own.h"

#define ODL_TRUST_MOST 100 // codes that are kept; the oldest go first

#define ODL_TYPE_TRUST (odl_trust_get_type ())
G_DECLARE_FINAL_TYPE (OdlTrust, odl_trust, ODL, TRUST, GObject)

// The one of this program, made and read from its file by the first call, from which on
// all other code waits (odl_own_ask). Borrowed.
OdlTrust *odl_trust_of_program (void);

// The user's answers. Without a file to keep it in code is allowed until exit.
void odl_trust_allow (OdlTrust *trust, const OdlOwnCode *code);
void odl_trust_refuse (OdlTrust *trust, const OdlOwnCode *code);

typedef struct {
  const OdlOwnCode *code;
  gint64 since; // seconds since 1970
} OdlTrusted;

// What is kept, OdlTrusted, the latest first. Transfer full.
GArray *odl_trust_list (OdlTrust *trust);

// Where it is kept. Transfer full.
char *odl_trust_path (void);
