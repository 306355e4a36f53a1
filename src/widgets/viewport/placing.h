// SPDX-License-Identifier: MIT
// Where words stand beside what they are about: in the canvas, and where it can be over
// no region and over no other words.
#pragma once

#include <glib.h>

#include "image/display/view.h"

typedef struct {
  double x, y, width, height;
} OdlPlacingBox;

// Moves a box down to where none of the words covers it, if that is above `end`.
void
odl_placing_keep_clear (OdlPlacingBox *box, const OdlPlacingBox words[2], double end);

// The outermost points of what is visible of an annotation.
typedef struct {
  OdlPoint left, right, high, low;
} OdlReach;

// Of nothing; odl_reach_extend adds a point.
#define ODL_REACH_NONE \
  ((OdlReach){ { INFINITY, 0 }, { -INFINITY, 0 }, { 0, INFINITY }, { 0, -INFINITY } })
void odl_reach_extend (OdlReach *reach, OdlPoint at);

typedef struct {
  double width, height; // of the canvas
  double margin; // of words from its edges
  double gap; // between words and what they are about
} OdlPlacingRoom;

// Places words of that size: to the right, to the left, below or above, wherever there is
// room first; a little farther up or down where that is taken. `taken`: OdlPlacingBox,
// to which theirs is added.
OdlPoint odl_placing_of_words (const OdlPlacingRoom *room,
                               const OdlReach *reach,
                               double width,
                               double height,
                               GArray *taken);
