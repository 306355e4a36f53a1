// SPDX-License-Identifier: MIT
// What lies in videos that the window has saved.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

#define WIPE_WORDS 60 // rows at the top that may hold words

OdlSource *open_video (const char *path); // transfer full

// The last frame of a video, 128 wide, has one below its first `height` rows, dark and
// with letters.
void assert_has_strip (OdlSource *source, int height);

// A picture of the canvas, whose bytes are `rgba`, with the divider of a wipe in its
// middle, which the canvas leaves to widgets, and a word on either side.
void
assert_has_wipe (const OdlImage *picture, const uint8_t *rgba, int width, int height);

// Of the two, in levels of 255, apart from divider and words.
double
mean_difference (const OdlImage *picture, const uint8_t *rgba, int width, int height);

G_END_DECLS
