// SPDX-License-Identifier: MIT
// Sandbox layers other than the system call filter. Each returns false if the kernel
// does not support it or refuses it for this process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

// The address sanitizer takes terabytes of addresses, and reads files of its own.
#if defined(__SANITIZE_ADDRESS__)
#define ODL_SANDBOX_UNDER_ASAN true
#else
#define ODL_SANDBOX_UNDER_ASAN false
#endif

// Drops all capabilities, including those that exec could grant.
bool odl_sandbox_drop_capabilities (void);

// Creates new namespaces: user, network (unless `online`), IPC, host name, cgroup;
// without a user namespace where only root may create the others. Requires a
// single-threaded process.
bool odl_sandbox_unshare (bool online);

// Landlock: no file can be opened, created, removed or renamed, no TCP port bound or
// (unless `online`) connected, no outside process signalled. `readable`: files and
// folders that remain readable, NULL-terminated; NULL for none. Requires no_new_privs.
bool odl_sandbox_landlock (const char *const *readable, bool online);

// Likewise without the network, but files of `executable`, NULL-terminated, can be read
// and started.
bool odl_sandbox_landlock_running (const char *const *readable,
                                   const char *const *executable);

// Lowers a resource limit; never raises it.
void odl_sandbox_limit (int resource, rlim_t soft, rlim_t hard);

// Limits the address space to `more` bytes beyond what is in use; not under the address
// sanitizer.
void odl_sandbox_limit_memory (size_t more);
