// SPDX-License-Identifier: MIT
// The times of all frames of a video, read from its container without decoding.
#pragma once

#include "source/video/pipeline.h"

// Reads the whole file; the caller keeps `fd` open. `interrupted` is asked every few
// milliseconds; true ends it. False: interrupted, no container, frames without times or
// with times that do not ascend, or too many.
bool odl_video_times_read (int fd, bool (*interrupted) (void), OdlVideoTimes *times);
