// SPDX-License-Identifier: MIT
#include "image/display/view.h"

#include <glib.h>
#include <math.h>

// Between an arrow and each side of its head, in radians.
#define HEAD_ANGLE 0.45

// The linear part of image -> canvas as a 2 × 2 matrix, and the canvas position of the
// view's centre. Offset on the canvas = turn · (offset in samples · scale), then
// mirrored.
typedef struct {
  double xx, xy, yx, yy;
  OdlPoint middle;
} ViewMap;

// Clockwise turns with y pointing down: images of (1,0) and (0,1).
static const struct {
  double xx, xy, yx, yy;
} turns[4] = {
  { 1, 0, 0, 1 },
  { 0, -1, 1, 0 },
  { -1, 0, 0, -1 },
  { 0, 1, -1, 0 },
};

static ViewMap
view_map (const OdlView *view, int canvas_width, int canvas_height)
{
  int turn = view->quarter_turns & 3;
  double scale_x = view->zoom * view->pixel_aspect;
  double scale_y = view->zoom;
  double mirror_x = view->flip_horizontal ? -1 : 1;
  double mirror_y = view->flip_vertical ? -1 : 1;

  return (ViewMap){
    .xx = mirror_x * turns[turn].xx * scale_x,
    .xy = mirror_x * turns[turn].xy * scale_y,
    .yx = mirror_y * turns[turn].yx * scale_x,
    .yy = mirror_y * turns[turn].yy * scale_y,
    .middle = { 0.5 * canvas_width, 0.5 * canvas_height },
  };
}

// The zoom at which the whole picture fits.
static double
fitting_zoom (const OdlView *view, int canvas_width, int canvas_height)
{
  double width = MAX (view->image_width, 1) * view->pixel_aspect;
  double height = MAX (view->image_height, 1);
  bool transposed = (view->quarter_turns & 1) != 0;
  double zoom_x = MAX (canvas_width, 1) / (transposed ? height : width);
  double zoom_y = MAX (canvas_height, 1) / (transposed ? width : height);

  return MIN (MIN (zoom_x, zoom_y), ODL_VIEW_ZOOM_MAX);
}

static void
shift (OdlView *view, double dx, double dy)
{
  double m[6];

  odl_view_matrix (view, 0, 0, m);
  view->centre.x -= m[0] * dx + m[1] * dy;
  view->centre.y -= m[3] * dx + m[4] * dy;
}

// At integral zoom, moves the picture's corner to a whole canvas pixel; otherwise
// nearest-neighbour sampling would hit ties at every pixel.
static void
snap_to_pixels (OdlView *view, int canvas_width, int canvas_height)
{
  double scale_x = view->zoom * view->pixel_aspect;

  if (view->zoom < 1 || view->zoom != floor (view->zoom) || scale_x != floor (scale_x))
    return;

  OdlPoint corner
      = odl_view_to_canvas (view, canvas_width, canvas_height, (OdlPoint){ 0, 0 });
  OdlPoint whole = { floor (corner.x + 0.5), floor (corner.y + 0.5) };
  if (whole.x != corner.x || whole.y != corner.y)
    shift (view, whole.x - corner.x, whole.y - corner.y);
}

OdlView
odl_view_make (int image_width, int image_height, double pixel_aspect)
{
  return (OdlView){
    .image_width = image_width,
    .image_height = image_height,
    .pixel_aspect = pixel_aspect > 0 && isfinite (pixel_aspect) ? pixel_aspect : 1,
    .zoom = 1,
    .fit = true,
    .centre = { 0.5 * image_width, 0.5 * image_height },
  };
}

void
odl_view_layout (OdlView *view, int canvas_width, int canvas_height)
{
  double fitting = fitting_zoom (view, canvas_width, canvas_height);

  if (view->fit) {
    view->zoom = fitting;
    view->centre = (OdlPoint){ 0.5 * view->image_width, 0.5 * view->image_height };
  } else {
    view->zoom = CLAMP (view->zoom, MIN (ODL_VIEW_ZOOM_MIN, fitting), ODL_VIEW_ZOOM_MAX);
    view->centre.x = CLAMP (view->centre.x, 0, view->image_width);
    view->centre.y = CLAMP (view->centre.y, 0, view->image_height);
  }
  snap_to_pixels (view, canvas_width, canvas_height);
}

void
odl_view_matrix (const OdlView *view,
                 int canvas_width,
                 int canvas_height,
                 double matrix[6])
{
  ViewMap map = view_map (view, canvas_width, canvas_height);
  double determinant = map.xx * map.yy - map.xy * map.yx;

  matrix[0] = map.yy / determinant;
  matrix[1] = -map.xy / determinant;
  matrix[3] = -map.yx / determinant;
  matrix[4] = map.xx / determinant;
  matrix[2] = view->centre.x - matrix[0] * map.middle.x - matrix[1] * map.middle.y;
  matrix[5] = view->centre.y - matrix[3] * map.middle.x - matrix[4] * map.middle.y;
}

OdlPoint
odl_view_to_image (const OdlView *view,
                   int canvas_width,
                   int canvas_height,
                   OdlPoint canvas)
{
  double m[6];

  odl_view_matrix (view, canvas_width, canvas_height, m);
  return (OdlPoint){
    m[0] * canvas.x + m[1] * canvas.y + m[2],
    m[3] * canvas.x + m[4] * canvas.y + m[5],
  };
}

OdlPoint
odl_view_to_canvas (const OdlView *view,
                    int canvas_width,
                    int canvas_height,
                    OdlPoint image)
{
  ViewMap map = view_map (view, canvas_width, canvas_height);
  double x = image.x - view->centre.x;
  double y = image.y - view->centre.y;

  return (OdlPoint){
    map.middle.x + map.xx * x + map.xy * y,
    map.middle.y + map.yx * x + map.yy * y,
  };
}

void
odl_view_zoom_at (OdlView *view,
                  int canvas_width,
                  int canvas_height,
                  OdlPoint canvas,
                  double factor)
{
  OdlPoint anchor = odl_view_to_image (view, canvas_width, canvas_height, canvas);
  double fitting = fitting_zoom (view, canvas_width, canvas_height);

  view->zoom
      = CLAMP (view->zoom * factor, MIN (ODL_VIEW_ZOOM_MIN, fitting), ODL_VIEW_ZOOM_MAX);
  view->fit = false;

  OdlPoint moved = odl_view_to_canvas (view, canvas_width, canvas_height, anchor);
  shift (view, canvas.x - moved.x, canvas.y - moved.y);
}

void
odl_view_pan (OdlView *view, double dx, double dy)
{
  shift (view, dx, dy);
  view->fit = false;
}

void
odl_view_fit (OdlView *view)
{
  view->fit = true;
}

void
odl_view_actual_size (OdlView *view)
{
  view->zoom = 1;
  view->fit = false;
}

bool
odl_view_cut_line (int width, int height, double beyond, OdlPoint *a, OdlPoint *b)
{
  const double dx = b->x - a->x, dy = b->y - a->y;
  const double ways[] = { -dx, dx, -dy, dy };
  const double rooms[]
      = { a->x + beyond, width + beyond - a->x, a->y + beyond, height + beyond - a->y };
  const OdlPoint from = *a;
  double first = 0, last = 1;

  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    if (ways[i] < 0)
      first = fmax (first, rooms[i] / ways[i]);
    else if (ways[i] > 0)
      last = fmin (last, rooms[i] / ways[i]);
    else if (rooms[i] < 0)
      return false;
  }
  *a = (OdlPoint){ from.x + first * dx, from.y + first * dy };
  *b = (OdlPoint){ from.x + last * dx, from.y + last * dy };
  return first <= last;
}

void
odl_view_arrow_head (OdlPoint from, OdlPoint tip, double length, OdlPoint ends[2])
{
  const double back = atan2 (from.y - tip.y, from.x - tip.x);

  for (int i = 0; i < 2; i++) {
    const double angle = back + (i == 0 ? -HEAD_ANGLE : HEAD_ANGLE);
    ends[i] = (OdlPoint){ tip.x + length * cos (angle), tip.y + length * sin (angle) };
  }
}
