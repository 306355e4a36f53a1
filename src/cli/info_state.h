// SPDX-License-Identifier: MIT
// What `info` says about a presentation state.
#pragma once

#include <stdbool.h>

// False: the file is none, and nothing was printed.
bool odl_info_state (const char *path, bool as_json);
