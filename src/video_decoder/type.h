// SPDX-License-Identifier: MIT
// Recognises videos with GStreamer's type finders.
#pragma once

#include <stdbool.h>

// Examines the first 64 KiB of an open file.
bool odl_video_type_recognise (int fd);
