// SPDX-License-Identifier: MIT
// Words over the canvas, in letters with a dark edge: how they are set, and where those
// of an annotation stand that is words. Lengths are device pixels. Main thread.
#pragma once

#include <pango/pangocairo.h>

#include "image/annotation/annotation.h"
#include "widgets/viewport/placing.h"

// The canvas, or one of its panes.
typedef struct {
  const OdlView *view; // laid out
  int width, height;
  double font;
} OdlDrawnOn;

// `text` in bold, below it `note` in smaller letters (NULL: none). Transfer full.
PangoLayout *odl_drawn_words_set (PangoContext *context,
                                  double font,
                                  const char *text,
                                  const char *note);

// Draws them with their upper left corner at (x, y), moved into the canvas.
void odl_drawn_words_draw (cairo_t *cr,
                           const OdlDrawnOn *on,
                           PangoLayout *layout,
                           double x,
                           double y);

// The words of an annotation, which lies in image coordinates, and the box that they take
// (transfer full). NULL: it has none, or none of them is on the canvas.
PangoLayout *odl_drawn_words_of (PangoContext *context,
                                 const OdlDrawnOn *on,
                                 const OdlAnnotation *annotation,
                                 OdlPlacingBox *box);
