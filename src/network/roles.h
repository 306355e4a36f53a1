// SPDX-License-Identifier: MIT
// What the helper does, in its sandbox, until its parent or its peer has gone. Reports
// the end.
#pragma once

#include "network/association.h"

void odl_network_receive (OdlAssociation *association, uint64_t most_bytes);
void odl_network_look (void);
// `connected`: see odl_association_request.
void odl_network_send (OdlAssociation *association, bool (*connected) (void));
void odl_network_ask (OdlAssociation *association,
                      uint64_t most_bytes,
                      bool (*connected) (void));

// For roles that call: takes the order to connect, and tells what came of it. False:
// *end.
bool odl_network_connect (OdlAssociation *association,
                          bool (*connected) (void),
                          OdlNetworkEnd *end);
// For all: tells the end, and cuts a peer off that was no good.
void odl_network_hang_up (OdlAssociation *association, bool begun, OdlNetworkEnd end);
