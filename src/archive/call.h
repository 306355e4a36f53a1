// SPDX-License-Identifier: MIT
// One association of a node: from the accepted connection to its end.
#pragma once

#include "archive/node.h"

typedef struct _OdlCall OdlCall;

// Takes over the connection, and serves it in a thread. `told` as of the node, in that
// thread. ODL_ERROR_TOO_LARGE: there is no thread for it.
OdlCall *odl_call_start (const OdlNodeParams *params,
                         int connection_fd,
                         GInetAddress *address,
                         GError **error);

// Cuts it off where its time is up. True: it has ended.
bool odl_call_look (OdlCall *self);
GInetAddress *odl_call_address (const OdlCall *self);

// Cuts it off if need be, and waits for its thread.
void odl_call_free (OdlCall *self);
