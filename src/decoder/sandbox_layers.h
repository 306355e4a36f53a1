// SPDX-License-Identifier: MIT
// Sandbox layers other than the system call filter. Each returns false if the kernel
// does not support it or refuses it for this process.
#pragma once

#include <stdbool.h>
#include <sys/resource.h>

// Drops all capabilities, including those that exec could grant.
bool odl_sandbox_drop_capabilities (void);

// Creates new namespaces: user, network, IPC, host name, cgroup; without a user
// namespace where only root may create the others. Requires a single-threaded process.
bool odl_sandbox_unshare (void);

// Landlock: no file can be opened, created, removed or renamed, no TCP port bound or
// connected, no outside process signalled. `readable`: files and folders that remain
// readable, NULL-terminated; NULL for none. Requires no_new_privs.
bool odl_sandbox_landlock (const char *const *readable);

// Lowers a resource limit; never raises it.
void odl_sandbox_limit (int resource, rlim_t soft, rlim_t hard);
