// SPDX-License-Identifier: MIT
// Layers of the sandbox besides the filter of system calls. Each is false where the
// kernel does not have it, or not for this process.
#pragma once

#include <stdbool.h>
#include <sys/resource.h>

// No capabilities, nor any that a program could give.
bool odl_sandbox_drop_capabilities (void);

// Namespaces of its own: user, network, IPC, host name, cgroup; without that of users
// where only root may make them. Needs a process of one thread.
bool odl_sandbox_leave_namespaces (void);

// Landlock: no file can be opened, made, removed or renamed, no TCP port bound or called,
// no process outside signalled. `readable`: files and folders that can be read all the
// same, ended by NULL; NULL for none. Needs no_new_privs.
bool odl_sandbox_lock_land (const char *const *readable);

// Limits a resource of the process, never to more than it had.
void odl_sandbox_limit (int resource, rlim_t soft, rlim_t hard);
