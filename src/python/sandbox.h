// SPDX-License-Identifier: MIT
// The sandbox of ondelette-python. README.md of src/decoder has a table of what is
// allowed, why, and which test tries the rest. It fails closed: without any of its layers
// no code runs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Irrevocable, while there is one thread and nothing of an author was read: no new
// privileges, namespaces, a root folder with nothing in it but the interpreter and the
// libraries of the system (`interpreter` is a file without links in its path), no
// capabilities, `memory` bytes of address space, no files that grow, few descriptors,
// Landlock and a system call filter. NULL: all of it holds, and `interpreter` may be
// started. Else the layer that the system refuses.
const char *odl_python_sandbox_enter (const char *interpreter, uint64_t memory);
