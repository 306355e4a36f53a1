// SPDX-License-Identifier: MIT
// What this machine is.
#pragma once

#include <glib.h>

// The processor's model, "unknown" where the system does not tell. Looked up once. Any
// thread.
const char *odl_machine_cpu (void);

// How many processors the control groups of this process let it use at a time, such as
// 1.5: containers share machines that have many more. 0: as many as there are. `root`
// stands before the paths of the system; "" but for tests.
double odl_machine_cpu_quota (const char *root);

// How many bytes of memory this process can have without swapping, or being ended for
// them; 0 where the system does not tell.
double odl_machine_free_memory (const char *root);
