// SPDX-License-Identifier: MIT
// The sandbox of the network helper. The README of src/decoder has a table of what is
// allowed, why, and which test verifies the rest.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What it is for: to answer on a connection that it was given, or to look at files, or to
// connect once.
typedef enum {
  ODL_NETWORK_SANDBOX_ANSWER,
  ODL_NETWORK_SANDBOX_CALL,
} OdlNetworkSandbox;

// Irrevocable, while there is one thread and nothing of a peer was read: no new
// privileges, no capabilities, namespaces and Landlock (without the network, unless it is
// to call), limits of `memory` further bytes of address space and of `file_bytes` for
// each file, few descriptors, and a system call filter. False: the kernel refused the
// filter, or capabilities remain; then no untrusted data are to be read.
bool
odl_network_sandbox_enter (OdlNetworkSandbox kind, size_t memory, uint64_t file_bytes);

// Of one that calls, once it is connected and before it reads the first byte: a second
// filter that denies making and connecting sockets. False: refused.
bool odl_network_sandbox_close (void);
