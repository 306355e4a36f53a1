// SPDX-License-Identifier: MIT
// What is wrong with a picture, or shown in another way than its file wants, in words for
// people.
#pragma once

#include "image/display/display.h"

G_BEGIN_DECLS

// Adds translated upper-case words, such as "INVERTED", for an image that is seen through
// `window`. Any thread.
void odl_display_add_marks (const OdlImageInfo *info,
                            const OdlWindow *window,
                            GStrvBuilder *marks);

G_END_DECLS
