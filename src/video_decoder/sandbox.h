// SPDX-License-Identifier: MIT
// The sandbox of the video helper. The README of src/decoder has a table of what is
// allowed, why, and which test verifies the rest.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// First stage: after GStreamer is initialised, before threads are started and the file
// is read. At most `memory` further bytes of private writable memory, no core file, no
// writing to files, no network, no exec, no other processes. Files can be opened
// read-only; with Landlock only system libraries, because GStreamer loads plugins on
// demand. False: the kernel refused the system call filter; do not decode untrusted
// data then.
bool odl_video_sandbox_enter (size_t memory);

// Second stage, after the first frame was decoded and all plugins are loaded: no
// thread can open files or map code. False: refused.
bool odl_video_sandbox_close (void);
