// SPDX-License-Identifier: MIT
// The walls around the helper process.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Limits the calling process for good: at most `memory` more bytes of address space,
// `cpu_seconds` of processor time, few descriptors, no core file;
// and, where the kernel has seccomp, no opening of files, no sockets, no processes, no
// programs. Returns false when seccomp is absent; the other limits hold all the same.
// Under the address sanitizer memory and system calls are not limited: it needs both.
bool odl_sandbox_enter (size_t memory, unsigned cpu_seconds);

// Grants another `cpu_seconds` of processor time from now on; works inside the walls.
void odl_sandbox_renew_time (unsigned cpu_seconds);

#ifdef __cplusplus
}
#endif
