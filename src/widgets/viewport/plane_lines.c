// SPDX-License-Identifier: MIT
// The lines over three planes of a volume, as thin at every zoom: cross-hair, traces of a
// turned plane, box, and handles. odl_planes_overlay has those of pictures to take away.
#include <math.h>

#include "image/grips.h"
#include "image/volume/oblique.h"
#include "widgets/viewport/drawing.h"

// Lengths in units of the font size.
#define LINE 0.08
#define OPENING 0.8 // from the centre of the cross-hair to its lines
#define BEYOND_VOXEL 0.3 // and at least so much more than half of a voxel
#define HANDLE 0.3 // from the middle of a handle to its edges
#define DASH 0.5

#define EDGE_ALPHA 0.6
#define TAG 1.6 // how long the mark in a plane's own colour is
#define MOST_OPEN 0.125 // of the shorter side of a plane

// Of the lines in which a plane cuts the others: no two are as light, and none is white
// as the wipe's divider is.
static const double white[3] = { 1, 1, 1 };
static const double colours[ODL_N_PLANES][3] = {
  [ODL_PLANE_AXIAL] = { 1, 0.45, 0.40 },
  [ODL_PLANE_CORONAL] = { 0.45, 0.88, 0.55 },
  [ODL_PLANE_SAGITTAL] = { 1, 0.90, 0.35 },
};

typedef struct {
  const OdlDrawingRequest *request;
  cairo_t *cr;
  double line; // whole device pixels
  OdlPlaneKind plane;
  OdlPoint corner, size; // of the plane on the canvas
} Sheet;

static OdlPoint
on_canvas (const Sheet *sheet, double x, double y)
{
  const OdlDrawingRequest *request = sheet->request;
  const OdlPlanePlace *place = &request->layout->planes[sheet->plane];
  return odl_view_to_canvas (request->view, request->width, request->height,
                             (OdlPoint){ place->x + x, place->y + y });
}

static void
place_plane (Sheet *sheet)
{
  const OdlPlanePlace *place = &sheet->request->layout->planes[sheet->plane];
  const OdlPoint a = on_canvas (sheet, 0, 0);
  const OdlPoint b = on_canvas (sheet, place->width, place->height);
  sheet->corner = (OdlPoint){ fmin (a.x, b.x), fmin (a.y, b.y) };
  sheet->size = (OdlPoint){ fabs (b.x - a.x), fabs (b.y - a.y) };
}

// Where the middle of a line lies, so that it fills its pixels and does not blur.
static double
fill_pixels (const Sheet *sheet, double at)
{
  return round (at - sheet->line / 2) + sheet->line / 2;
}

static void
add_line (const Sheet *sheet, OdlPoint a, OdlPoint b)
{
  // Level and upright ones alone can fill whole pixels.
  if (fabs (a.x - b.x) < 0.01)
    a.x = b.x = fill_pixels (sheet, a.x);
  if (fabs (a.y - b.y) < 0.01)
    a.y = b.y = fill_pixels (sheet, a.y);
  cairo_move_to (sheet->cr, a.x, a.y);
  cairo_line_to (sheet->cr, b.x, b.y);
}

// Strokes the path with a dark edge, which makes it visible on any picture.
static void
stroke (const Sheet *sheet, const double colour[3])
{
  cairo_set_source_rgba (sheet->cr, 0, 0, 0, EDGE_ALPHA);
  cairo_set_line_width (sheet->cr, 3 * sheet->line);
  cairo_stroke_preserve (sheet->cr);
  cairo_set_source_rgb (sheet->cr, colour[0], colour[1], colour[2]);
  cairo_set_line_width (sheet->cr, sheet->line);
  cairo_stroke (sheet->cr);
}

// ---- what is drawn -------------------------------------------------------------------

// The centre stays open so that the voxel is visible.
static double
opening_of (const Sheet *sheet)
{
  const OdlDrawingRequest *request = sheet->request;
  const OdlPlanes *planes = request->layout;
  const OdlPlanePlace *place = &planes->planes[sheet->plane];
  const double voxel = fmax (planes->scale[place->across], planes->scale[place->down])
                       * request->view->zoom;
  const double open
      = fmax (OPENING * request->font, voxel / 2 + BEYOND_VOXEL * request->font);
  return fmin (open, MOST_OPEN * fmin (sheet->size.x, sheet->size.y));
}

// The line in which plane `of` cuts this one.
static void
add_trace (const Sheet *sheet, OdlPlaneKind of)
{
  const OdlDrawingRequest *request = sheet->request;
  const OdlPlanePlace *place = &request->layout->planes[sheet->plane];
  const double reach = place->width + place->height, opening = opening_of (sheet);
  double at[2], trace[2];
  if (!odl_oblique_trace (request->layout, &request->look.oblique, of, sheet->plane,
                          trace))
    return;
  odl_planes_centre (request->layout, sheet->plane, &request->look.voxel, at);
  const OdlPoint centre = on_canvas (sheet, at[0], at[1]);
  for (int sign = -1; sign <= 1; sign += 2) {
    const OdlPoint end = on_canvas (sheet, at[0] + sign * reach * trace[0],
                                    at[1] + sign * reach * trace[1]);
    const double length = hypot (end.x - centre.x, end.y - centre.y);
    const double share = length > opening ? opening / length : 1;
    add_line (sheet,
              (OdlPoint){ centre.x + share * (end.x - centre.x),
                          centre.y + share * (end.y - centre.y) },
              end);
  }
}

static void
draw_box (const Sheet *sheet)
{
  const OdlDrawingRequest *request = sheet->request;
  const double dash = DASH * request->font;
  double across[2], down[2];
  odl_planes_box_ends (request->layout, sheet->plane, &request->look.box, 0, across);
  odl_planes_box_ends (request->layout, sheet->plane, &request->look.box, 1, down);
  for (int i = 0; i < 2; i++) {
    add_line (sheet, on_canvas (sheet, across[0], down[i]),
              on_canvas (sheet, across[1], down[i]));
    add_line (sheet, on_canvas (sheet, across[i], down[0]),
              on_canvas (sheet, across[i], down[1]));
  }
  cairo_set_dash (sheet->cr, &dash, 1, 0);
  stroke (sheet, white);
  cairo_set_dash (sheet->cr, NULL, 0, 0);
}

// Along the upper edge, at the left: which lines of the others are of this plane.
static void
draw_tag (const Sheet *sheet)
{
  const double length = fmin (TAG * sheet->request->font, sheet->size.x / 4);
  const double y = sheet->corner.y + 1.5 * sheet->line;
  Sheet thick = *sheet;
  thick.line = 3 * sheet->line;
  add_line (&thick, (OdlPoint){ sheet->corner.x, y },
            (OdlPoint){ sheet->corner.x + length, y });
  stroke (&thick, colours[sheet->plane]);
}

// Nothing of one plane reaches `beyond` it.
static void
clip (const Sheet *sheet, double beyond)
{
  cairo_rectangle (sheet->cr, sheet->corner.x - beyond, sheet->corner.y - beyond,
                   sheet->size.x + 2 * beyond, sheet->size.y + 2 * beyond);
  cairo_clip (sheet->cr);
}

static void
draw_lines (const Sheet *sheet)
{
  const OdlPlanesLook *look = &sheet->request->look;
  cairo_save (sheet->cr);
  clip (sheet, 0);
  for (int of = 0; of < ODL_N_PLANES; of++)
    if (of != (int) sheet->plane) {
      add_trace (sheet, (OdlPlaneKind) of);
      stroke (sheet, colours[of]);
    }
  draw_tag (sheet);
  cairo_restore (sheet->cr);
  if (!look->box.shown || (look->oblique.turned && sheet->plane == look->oblique.plane))
    return;
  cairo_save (sheet->cr);
  clip (sheet, 2 * sheet->line); // of a whole volume it lies on the plane's edge
  draw_box (sheet);
  cairo_restore (sheet->cr);
}

// Round ones turn a plane, square ones move a side of the box.
static void
draw_handle (Sheet *sheet, const OdlPlanesGrip *grip)
{
  const OdlPlanePlace *place = &sheet->request->layout->planes[grip->seen_in];
  const double half = HANDLE * sheet->request->font;
  sheet->plane = grip->seen_in;
  const OdlPoint at = on_canvas (sheet, grip->x - place->x, grip->y - place->y);
  cairo_new_path (sheet->cr);
  if (grip->axis < 0)
    cairo_arc (sheet->cr, at.x, at.y, half, 0, 2 * G_PI);
  else
    cairo_rectangle (sheet->cr, round (at.x - half), round (at.y - half),
                     round (2 * half), round (2 * half));
  cairo_set_source_rgba (sheet->cr, 0, 0, 0, EDGE_ALPHA);
  cairo_set_line_width (sheet->cr, 2 * sheet->line);
  cairo_stroke_preserve (sheet->cr);
  cairo_set_source_rgb (sheet->cr, 1, 1, 1);
  cairo_fill (sheet->cr);
}

void
odl_drawing_draw_planes (const OdlDrawingRequest *request, cairo_t *cr)
{
  if (!request->layout)
    return;
  Sheet sheet = { request, cr, fmax (1, round (LINE * request->font)), 0, { 0 }, { 0 } };
  for (int plane = 0; plane < ODL_N_PLANES; plane++) {
    sheet.plane = (OdlPlaneKind) plane;
    place_plane (&sheet);
    draw_lines (&sheet);
  }
  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS];
  const int n = odl_planes_grips (request->layout, &request->look, grips);
  for (int i = 0; i < n; i++)
    draw_handle (&sheet, &grips[i]);
}

// ---- the key -------------------------------------------------------------------------

static void
add_three (GString *key, const double values[3])
{
  g_string_append_printf (key, " %a,%a,%a", values[0], values[1], values[2]);
}

void
odl_drawing_add_planes (const OdlDrawingRequest *request, GString *key)
{
  const OdlPlanesLook *look = &request->look;
  for (int i = 0; i < request->n_planes; i++) {
    const OdlPlaneLetters *plane = &request->planes[i];
    g_string_append_printf (key, " %a %a %a %a %d", plane->x, plane->y, plane->width,
                            plane->height, plane->bottom);
    for (int edge = 0; edge < ODL_N_EDGES; edge++)
      g_string_append_printf (key, " %s", plane->letters[edge]);
  }
  for (size_t i = 0; request->n_planes > 0 && i < G_N_ELEMENTS (request->avoid); i++) {
    const OdlPlacingBox *words = &request->avoid[i];
    g_string_append_printf (key, " %g %g %g %g", words->x, words->y, words->width,
                            words->height);
  }
  if (!request->layout)
    return;
  g_string_append_printf (key, " %d,%d,%d %d %d %d", look->voxel.at[0], look->voxel.at[1],
                          look->voxel.at[2], look->oblique.turned, look->oblique.plane,
                          look->box.shown);
  for (int axis = 0; axis < 3; axis++)
    g_string_append_printf (key, " %d,%d", request->layout->extent[axis],
                            request->layout->leads[axis]);
  add_three (key, request->layout->scale);
  add_three (key, look->oblique.across);
  add_three (key, look->oblique.down);
  add_three (key, look->box.low);
  add_three (key, look->box.high);
}
