// SPDX-License-Identifier: MIT
// Whether a file is a video.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// By its first bytes, as `probe` of a source has them, without GStreamer. Any thread.
bool odl_video_type_is_known (const char *location, const uint8_t *head, size_t n_head);

// By what GStreamer's plugins recognise in the first 64 KiB, in a helper process. May
// take a moment, so not on the main thread. False also where the file cannot be read.
bool odl_video_type_is_recognised (const char *location);
