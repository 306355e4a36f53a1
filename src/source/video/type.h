// SPDX-License-Identifier: MIT
// Recognising videos.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From the first bytes, as in `probe` of a source, without GStreamer. Any thread.
bool odl_video_type_is_known (const char *location, const uint8_t *head, size_t n_head);

// Whether GStreamer reads the samples of an open file as what they are. Its reader of Y4M
// takes samples of more than 8 bits for bytes, without a word. ODL_ERROR_UNSUPPORTED; the
// message completes "Cannot open FILE: …".
bool odl_video_type_is_understood (int fd, GError **error);

// With GStreamer's type finders on the first 64 KiB, in a helper process. May be slow:
// not on the main thread. False also if the file cannot be read.
bool odl_video_type_is_recognised (const char *location, GCancellable *cancellable);
