// SPDX-License-Identifier: MIT
// The sandbox of the helper for stills and DICOM. README.md of this folder explains
// what is allowed and why.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The kernel will kill the calling process when the write end of the pipe `life_fd`
// (its read end) is closed by all holders. `life_fd` must be ODL_HELPER_LIFE_FD to be
// permitted later. False: it is closed already, or the kernel refused.
bool odl_sandbox_die_with_parent (int life_fd);

// First stage, before libraries are initialised and while there is one thread: no new
// privileges, no capabilities, separate namespaces where available (user, network,
// IPC, host name, cgroup). Files can still be opened.
void odl_sandbox_isolate (void);

// Second stage, irrevocable, after odl_sandbox_isolate: limits of `memory` further
// bytes of address space and of file size, `cpu_seconds` of processor time, few
// descriptors, no core file, no file system access (with Landlock), and a system call
// filter for a single thread that reads, allocates and sends messages. False: the
// kernel refused the filter, or capabilities remain; do not decode untrusted data
// then. The other limits apply nevertheless. Under the address sanitizer memory is not
// limited and more calls are allowed.
bool odl_sandbox_enter (size_t memory, unsigned cpu_seconds);

#ifdef __cplusplus
}
#endif
