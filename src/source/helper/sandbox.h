// SPDX-License-Identifier: MIT
// Whether files may be decoded if the kernel refuses the sandbox.
#pragma once

#include <stdbool.h>

// In order of precedence: ODL_SANDBOX (“required” or “optional”), the last value set,
// required. Any thread.
bool odl_sandbox_is_optional (void);
void odl_sandbox_set_optional (bool optional);
