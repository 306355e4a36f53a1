// SPDX-License-Identifier: MIT
// Lines and words that belong to a picture, sharp at every zoom.
#include "output/graphics.h"
#include "output/outlines.h"

#include "widgets/viewport/drawing.h"

// Lengths in units of the font size.
#define LINE 0.12
#define EDGE 0.1

static OdlPoint
on_canvas (const OdlDrawingRequest *request, double x, double y)
{
  return odl_view_to_canvas (request->view, request->width, request->height,
                             (OdlPoint){ x, y });
}

void
odl_drawing_draw_graphics (const OdlDrawingRequest *request,
                           PangoContext *context,
                           cairo_t *cr)
{
  if (!request->graphics && !request->outlines)
    return;
  const OdlPoint origin = on_canvas (request, 0, 0);
  const OdlPoint across = on_canvas (request, 1, 0), down = on_canvas (request, 0, 1);
  OdlGraphicsLook look = { .font = request->font,
                           .hides_words = request->hides_words,
                           .line = LINE * request->font,
                           .edge = EDGE * request->font };
  cairo_matrix_init (&look.matrix, across.x - origin.x, across.y - origin.y,
                     down.x - origin.x, down.y - origin.y, origin.x, origin.y);
  cairo_matrix_init_identity (&look.upright);
  if (request->outlines) {
    OdlGraphicsLook within = look;
    within.width = request->width;
    within.height = request->height;
    odl_outlines_draw (request->outlines, &within, context, cr);
  }
  if (request->graphics)
    odl_graphics_draw (request->graphics, &look, context, cr);
}
