// SPDX-License-Identifier: MIT
// Video files: whatever the installed GStreamer plugins decode.
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_video_source;
