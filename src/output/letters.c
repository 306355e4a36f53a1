// SPDX-License-Identifier: MIT
#include "output/letters.h"

#include "output/graphics.h"

// From the edge, in heights of letters.
#define MARGIN 0.5

// The alignment of words in a box of no height, whose upper edge is the line's.
static const double alignments[ODL_N_EDGES] = {
  [ODL_EDGE_LEFT] = 0,
  [ODL_EDGE_RIGHT] = 1,
  [ODL_EDGE_TOP] = 0.5,
  [ODL_EDGE_BOTTOM] = 0.5,
};

OdlOverlay *
odl_letters_to_overlay (OdlLetters letters, int width, int height)
{
  g_autoptr (OdlGraphics) graphics = odl_graphics_new ();
  const double font = odl_graphics_look_for (width, height, 0, false).font;
  const double margin = MARGIN * font, middle = (height - font) / 2.0;
  const double tops[ODL_N_EDGES] = {
    [ODL_EDGE_LEFT] = middle,
    [ODL_EDGE_RIGHT] = middle,
    [ODL_EDGE_TOP] = margin,
    [ODL_EDGE_BOTTOM] = height - margin - 1.5 * font,
  };

  for (int edge = 0; edge < ODL_N_EDGES; edge++) {
    const OdlGraphicsWords words
        = { .text = letters[edge],
            .has_box = true,
            .box = { { margin, tops[edge] }, { width - margin, tops[edge] + font } },
            .alignment = alignments[edge] };
    if (*letters[edge] != '\0')
      odl_graphics_add_words (graphics, &words);
  }
  return graphics->words->len > 0
             ? odl_graphics_to_overlay (graphics, width, height, 0, false)
             : NULL;
}
