// SPDX-License-Identifier: MIT
// The wipe's divider and the labels of its halves in a picture of the canvas, where they
// are drawn as the widgets of wipe.c show them. Main thread.
#pragma once

#include "image/image.h"
#include "output/badge.h"

// Zero is ready for use.
typedef struct {
  OdlBadge original, processed;
} OdlWipeWords;

void odl_wipe_words_clear (OdlWipeWords *words);

// Into an image of RGBA bytes that nobody else has yet. `dividers` as in OdlScene, the
// first not 0, which end at the rows `ends`; `scale` are device pixels per logical pixel;
// `left` and `right` are the words.
void odl_wipe_words_draw (OdlWipeWords *words,
                          const char *left,
                          const char *right,
                          PangoContext *context,
                          OdlImage *image,
                          const int dividers[2],
                          const int ends[2],
                          int scale);
