// SPDX-License-Identifier: MIT
// What lies in videos that the window has saved.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

OdlSource *open_video (const char *path); // transfer full

// The last frame of a video, 128 wide, has one below its first `height` rows, dark and
// with letters.
void assert_has_strip (OdlSource *source, int height);

G_END_DECLS
