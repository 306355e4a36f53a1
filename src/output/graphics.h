// SPDX-License-Identifier: MIT
// Draws OdlGraphics with cairo. Use it on the thread of the Pango context.
#pragma once

#include <pango/pangocairo.h>

#include "image/display/graphics.h"

typedef struct {
  cairo_matrix_t matrix; // from image coordinates to the target
  cairo_matrix_t upright; // from words as they are read to the target, without a shift
  double width, height; // of the target, within which words stay; 0: they need not
  double font; // height of letters, on the target
  double line; // width of lines, likewise
  bool hides_words; // which may say who it is
  double edge; // of the dark edge on either side of them; 0: none
} OdlGraphicsLook;

// How what is drawn looks on a picture of that size that is written, with words that can
// be read after it was turned clockwise and then mirrored.
OdlGraphicsLook
odl_graphics_look_for (int width, int height, int quarter_turns, bool flip);

// The upper left corner of words of that size that would stand at `at`, in the directions
// in which they are read: within the target, if it has a size.
OdlPoint odl_graphics_inside (const OdlGraphicsLook *look,
                              OdlPoint at,
                              double width,
                              double height);

// A context of bold letters for the calling thread, and its fonts. Both transfer full.
PangoContext *odl_graphics_context (PangoFontMap **fonts);

// Lines and words, in white; overlay and shutter are for OdlDisplay.
void odl_graphics_draw (const OdlGraphics *graphics,
                        const OdlGraphicsLook *look,
                        PangoContext *context,
                        cairo_t *cr);

// Lines, words and overlay as bits of a picture of that size, with words that can be read
// after it was turned clockwise and then mirrored. NULL: there are none. Transfer full.
OdlOverlay *odl_graphics_to_overlay (const OdlGraphics *graphics,
                                     int width,
                                     int height,
                                     int quarter_turns,
                                     bool flip);
