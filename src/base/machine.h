// SPDX-License-Identifier: MIT
// Properties of this machine.
#pragma once

#include <glib.h>

// The processor model, or "unknown". Cached. Any thread.
const char *odl_machine_cpu (void);

// The name in a model's text, for people: without marks, clock and the word processor.
// "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz" gives "Intel Xeon Gold 6130". Transfer full.
char *odl_machine_short_cpu (const char *model);

// The number of processors that the control groups of this process allow, such as 1.5;
// 0: no limit. `root` is prefixed to system paths: "" except in tests.
double odl_machine_cpu_quota (const char *root);

// Bytes that this process can allocate without swapping or being killed; 0: unknown.
// `root` as above.
double odl_machine_free_memory (const char *root);
