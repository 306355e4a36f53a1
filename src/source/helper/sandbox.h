// SPDX-License-Identifier: MIT
// Whether files may be decoded where the kernel refuses the sandbox.
#pragma once

#include <stdbool.h>

// ODL_SANDBOX, “required” or “optional”, wins; then what was set last; else they may not.
// Any thread.
bool odl_sandbox_is_optional (void);
void odl_sandbox_set_optional (bool optional);
