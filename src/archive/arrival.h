// SPDX-License-Identifier: MIT
// An instance that a peer has sent, in a file without a name, before it is kept.
#pragma once

#include "network/protocol.h"

// What is wrong with it, as the status of the answer; ODL_STATUS_SUCCESS: nothing.
// `no_file` says why there was no file for it; NULL: there is one. `why`, set where it is
// no success, is a sentence; transfer full.
guint32
odl_arrival_check (const OdlNetworkReport *report, const char *no_file, char **why);

// A comment for the peer, in ASCII whatever the language.
const char *odl_arrival_comment (guint32 status);
