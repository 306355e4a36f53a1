// SPDX-License-Identifier: MIT
// The helper that forks others; see source/helper/nursery.h.
#pragma once

#include <stdbool.h>

#include "decoder/protocol.h"

// Forks a child for each birth that the parent asks for, until the parent is gone. In the
// child returns true, with the descriptors where they belong.
bool odl_nursery_run (OdlDecoderBirth *birth);
