// SPDX-License-Identifier: MIT
// Inspects videos saved by the window.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

#define WIPE_WORDS 60 // rows at the top that may hold text

OdlSource *open_video (const char *path); // transfer full

// Asserts that the last frame of a video, 128 wide, has a strip below its first
// `height` rows, dark with text.
void assert_has_strip (OdlSource *source, int height);

// Adds to a canvas picture `rgba` the wipe's centred divider and labels, which widgets
// draw.
void
assert_has_wipe (const OdlImage *picture, const uint8_t *rgba, int width, int height);

// Difference in 8-bit levels, ignoring divider and labels.
double
mean_difference (const OdlImage *picture, const uint8_t *rgba, int width, int height);

G_END_DECLS
