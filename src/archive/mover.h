// SPDX-License-Identifier: MIT
// Our own node in a thread, for as long as another one moves something to it (C-MOVE,
// PS3.4 C.4.2).
#pragma once

#include "archive/node.h"

typedef struct _OdlMover OdlMover;

// As odl_node_run; returns when it listens. `params` and what it points to stay until it
// ends; its stop_fd does not count. `told` is not called for ODL_NODE_LISTENS.
OdlMover *odl_mover_start (const OdlNodeParams *params, GError **error);
guint odl_mover_port (const OdlMover *self);

// Cuts off whoever still calls. Accepts NULL.
void odl_mover_end (OdlMover *self);

// The address of this machine that one at `peer`, in numbers, can answer to. Transfer
// full. ODL_ERROR_IO.
char *odl_mover_own_address (const char *peer, GError **error);
