// SPDX-License-Identifier: MIT
// The walls around the helper. README.md of the folder decoder has a table of what is
// allowed, why, and which test tries what is not.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Before threads are made and before anything of the file is read, when GStreamer has
// started: at most `memory` more bytes of private writable memory, no core file, no file
// written, no network, no programs, no other processes. Files may be opened for reading
// only, and where the kernel has Landlock only those of the system's libraries, since
// GStreamer loads its plugins when it needs them. False: the kernel refused to filter
// system calls, so nothing of others' should be decoded.
bool odl_walls_enter (size_t memory);

// When the first frame has been decoded, and so all plugins are there: no file may be
// opened, and no code mapped, by any thread. False: refused.
bool odl_walls_close (void);
