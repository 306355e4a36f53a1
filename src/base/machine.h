// SPDX-License-Identifier: MIT
// What this machine is.
#pragma once

#include <glib.h>

// The processor's model, "unknown" where the system does not tell. Looked up once. Any
// thread.
const char *odl_machine_cpu (void);
