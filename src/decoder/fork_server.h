// SPDX-License-Identifier: MIT
// The helper that forks others; see source/helper/fork_server.h.
#pragma once

#include <stdbool.h>

#include "decoder/protocol.h"

// Forks a child for each request that the parent asks for, until the parent is gone. In
// the child returns true, with the descriptors where they belong.
bool odl_decoder_fork_server_run (OdlDecoderStart *request);
