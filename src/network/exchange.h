// SPDX-License-Identifier: MIT
// The helper's side of the socket.
#pragma once

#include <stdbool.h>

#include "network/protocol.h"

// Waits for an order. `*fd` is the attached file, which the caller then owns; −1: none.
// `more` (may be NULL) has room for the contexts or bytes that follow. False: the parent
// has gone, or the order is invalid.
bool odl_network_take_order (OdlNetworkOrder *order, void *more, size_t room, int *fd);

// Sends a report and fills in its common fields; `bytes` (may be NULL) are as many as it
// says.
// False: the parent has gone.
bool
odl_network_report (OdlNetworkReport *report, OdlNetworkTold kind, const uint8_t *bytes);

// The last report.
void odl_network_report_end (OdlNetworkEnd end, const char *reason);
