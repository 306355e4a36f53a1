// SPDX-License-Identifier: MIT
// How the program calls itself to peers, and in files that it received (PS3.7 D.3.3.2).
#pragma once

#define ODL_NETWORK_VERSION_NAME "ONDELETTE"
#define ODL_NETWORK_CLASS_UID "2.25.168530249373316180362857917062158214513"
