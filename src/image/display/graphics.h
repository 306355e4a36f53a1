// SPDX-License-Identifier: MIT
// OdlGraphics: lines, words and a shutter that belong to a picture without being part of
// its file, such as those of a presentation state. Places are image coordinates.
// Immutable once shared, counted by reference.
#pragma once

#include "image/display/overlay.h"
#include "image/display/view.h"

// Places further away than this from a picture are cut to it, which keeps them within the
// range of what draws.
#define ODL_GRAPHICS_REACH 65536.0
#define ODL_GRAPHICS_MOST_POINTS 65536u
#define ODL_GRAPHICS_MOST_WORDS 256u

// Points first … first + n − 1; a single one is a dot.
typedef struct {
  guint first, n;
  bool filled;
} OdlGraphicsLine;

// Words in a box, or beside the place that they are about.
typedef struct {
  char *text; // UTF-8, never markup
  bool has_box, has_anchor;
  OdlPoint box[2]; // two of its corners
  double alignment; // in the box: 0 left, 0.5, 1 right
  OdlPoint anchor;
  bool pointed; // a line leads there from the box
} OdlGraphicsWords;

typedef struct {
  gatomicrefcount ref_count;
  GArray *points; // OdlPoint
  GArray *lines; // OdlGraphicsLine
  GArray *words; // OdlGraphicsWords
  const OdlOverlay *overlay; // NULL: none; of the picture's size
  const OdlOverlay *shutter; // likewise
  double shutter_level; // 0 (black) … 1
} OdlGraphics;

OdlGraphics *odl_graphics_new (void);
OdlGraphics *odl_graphics_ref (OdlGraphics *graphics);
void odl_graphics_unref (OdlGraphics *graphics); // accepts NULL

// A line through `points`. False: there are too many, and it is left out.
bool odl_graphics_add_line (OdlGraphics *graphics,
                            const OdlPoint *points,
                            guint n,
                            bool filled);

// A smooth line through `points` (Catmull and Rom, 1974).
bool odl_graphics_add_curve (OdlGraphics *graphics,
                             const OdlPoint *points,
                             guint n,
                             bool filled);

// The ellipse of two conjugate half axes.
bool odl_graphics_add_ellipse (OdlGraphics *graphics,
                               OdlPoint centre,
                               OdlPoint a,
                               OdlPoint b,
                               bool filled);

// `words->text` is copied.
bool odl_graphics_add_words (OdlGraphics *graphics, const OdlGraphicsWords *words);

// What either of two overlays of one size covers; either may be NULL. Transfer full.
const OdlOverlay *odl_graphics_join_overlays (const OdlOverlay *a, const OdlOverlay *b);

// Whether it has neither lines nor words, nor an overlay, nor a shutter.
bool odl_graphics_is_empty (const OdlGraphics *graphics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlGraphics, odl_graphics_unref)
