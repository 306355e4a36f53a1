// SPDX-License-Identifier: MIT
// The walls around the helper for stills and DICOM. README.md of this folder says what is
// allowed and why.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The kernel ends the calling process as soon as nobody holds the writing end of the pipe
// whose reading end `life_fd` is, ODL_HELPER_LIFE_FD for what is allowed later. False:
// that is so already, or cannot be had.
bool odl_sandbox_end_with (int life_fd);

// What may be done before libraries are set up, and while there is one thread: no gain of
// rights by any means, no capabilities, namespaces of its own where the kernel gives them
// (user, network, IPC, host name, cgroup). Files can still be opened.
void odl_sandbox_isolate (void);

// Limits the calling process for good, after odl_sandbox_isolate: at most `memory` more
// bytes of address space, no file larger than that, `cpu_seconds` of processor time, few
// descriptors, no core file, no file system (where the kernel has Landlock), and the
// system calls of one thread that reads, takes memory and sends messages. False: the
// kernel refused to filter system calls, or left capabilities; nothing of others' should
// be decoded then. The other limits hold all the same. Under the address sanitizer memory
// is not limited and some more calls are allowed: it needs both.
bool odl_sandbox_enter (size_t memory, unsigned cpu_seconds);

#ifdef __cplusplus
}
#endif
