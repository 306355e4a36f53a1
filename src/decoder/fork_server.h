// SPDX-License-Identifier: MIT
// The fork server's loop; see source/helper/fork_server.h.
#pragma once

#include <stdbool.h>

#include "decoder/protocol.h"

// Forks a child per request until the parent has gone. Returns true in each child,
// with the descriptors at their numbers.
bool odl_decoder_fork_server_run (OdlDecoderStart *request);
