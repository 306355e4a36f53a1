// SPDX-License-Identifier: MIT
// Draws OdlOutlines with cairo. Use it on the thread of the Pango context.
#pragma once

#include "image/display/outlines.h"
#include "image/image.h"
#include "output/graphics.h"

// Areas in their colours, half seen through, with a line about them, and their names
// beside them.
void odl_outlines_draw (const OdlOutlines *outlines,
                        const OdlGraphicsLook *look,
                        PangoContext *context,
                        cairo_t *cr);

// A picture as it is shown, of 8 or 16 bits, grey or of colours, with them over it, as
// colours of as many bits. Words can be read after it was turned clockwise and then
// mirrored. ODL_ERROR_TOO_LARGE. Transfer full. Any thread.
OdlImage *odl_outlines_lay_over (const OdlOutlines *outlines,
                                 const OdlImage *shown,
                                 int quarter_turns,
                                 bool flip,
                                 GError **error);
