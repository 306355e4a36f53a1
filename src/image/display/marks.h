// SPDX-License-Identifier: MIT
// Warnings about a picture, or about display settings that differ from the file's.
#pragma once

#include "image/display/display.h"

// Adds translated upper-case words, such as "INVERTED", for `window`. Any thread.
void odl_display_add_marks (const OdlImageInfo *info,
                            const OdlWindow *window,
                            GStrvBuilder *marks);
