// SPDX-License-Identifier: MIT
// A drawing of lines, dots and words, such as a plot, and the files that it becomes. The
// upper left corner is 0, 0; colours are as "#0072b2". Any thread, one at a time.
#pragma once

#include "image/display/view.h"
#include "output/output.h"

typedef enum {
  ODL_DRAWING_SVG,
  ODL_DRAWING_PNG, // twice as large
  ODL_DRAWING_PDF, // a pixel is a point
} OdlDrawingFormat;

#define ODL_DRAWING_NAMES "SVG, PNG, PDF"

// Which format a name ends with; false: none of these.
bool odl_drawing_format (const char *path, OdlDrawingFormat *format);

typedef struct _OdlDrawing OdlDrawing;

// White, and empty.
OdlDrawing *odl_drawing_new (int width, int height);
void odl_drawing_free (OdlDrawing *drawing);

typedef struct {
  double x, y; // of the base line
  double align; // 0 begins there, 0.5 is centred, 1 ends there
  double size; // of letters; 0: 12
  bool upwards; // read from below
} OdlDrawingPlace;

void
odl_drawing_words (OdlDrawing *drawing, const OdlDrawingPlace *place, const char *words);

// A thin line.
void
odl_drawing_line (OdlDrawing *drawing, OdlPoint from, OdlPoint to, const char *colour);

// A line through points, which is interrupted where y is NaN. `dashes`: lengths of lines
// and gaps, "6 3", or "none".
void odl_drawing_curve (OdlDrawing *drawing,
                        const OdlPoint *points,
                        guint n,
                        const char *colour,
                        const char *dashes);

void
odl_drawing_dot (OdlDrawing *drawing, OdlPoint at, double radius, const char *colour);

// ODL_ERROR_IO, ODL_ERROR_TOO_LARGE.
bool odl_drawing_write (const OdlDrawing *drawing,
                        OdlDrawingFormat format,
                        OdlOutput *output,
                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlDrawing, odl_drawing_free)
