// SPDX-License-Identifier: MIT
// What waits for nodes, which goes by itself for as long as the window is there, and the
// list of it. Main thread.
#pragma once

#include "session/archive/outgoing.h"
#include "widgets/window/parts.h"

// That of the window, which is made at the first call; NULL: the window is closed.
OdlOutgoing *odl_queue_outgoing (const OdlWindowParts *parts);

// An AdwPreferencesGroup with a row for each node for which something waits; hidden where
// nothing does. The newest one of a window is kept up to date, and `changed` called then,
// for as long as it is there.
GtkWidget *odl_queue_group_new (const OdlWindowParts *parts,
                                void (*changed) (void *data),
                                void *data);
