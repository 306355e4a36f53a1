// SPDX-License-Identifier: MIT
// Whether a file is a video by what GStreamer's plugins recognise.
#pragma once

#include <stdbool.h>

// Looks at the first 64 KiB of an open file.
bool odl_video_type_recognise (int fd);
