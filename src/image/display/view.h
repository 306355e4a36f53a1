// SPDX-License-Identifier: MIT
// OdlView: position of the picture on the canvas (zoom, centre, orientation).
#pragma once

#include <stdbool.h>

typedef struct {
  double x, y;
} OdlPoint;

// Canvas lengths are device pixels with the origin at the top left; image positions
// are in samples, (0,0) being the top left corner of the first sample.
typedef struct {
  int image_width;
  int image_height;
  double pixel_aspect; // width / height of an image pixel
  double zoom; // canvas pixels per image sample along y; along x times pixel_aspect
  bool fit; // zoom and centre follow the canvas size
  OdlPoint centre; // image position at the centre of the canvas
  int quarter_turns; // clockwise, 0 … 3
  bool flip_horizontal; // applied after the rotation
  bool flip_vertical;
} OdlView;

#define ODL_VIEW_ZOOM_MIN 0.01
#define ODL_VIEW_ZOOM_MAX 64.0

// A view that fits the whole image. pixel_aspect 0 means 1.
OdlView odl_view_make (int image_width, int image_height, double pixel_aspect);

// Updates the view for a canvas size; call before drawing. A fitting view gets new
// zoom and centre. Otherwise the zoom is clamped to its limits (the lower limit yields
// if fitting requires less) and the centre to the picture. At integral zoom (1:1, 2:1,
// …) the picture's corner is snapped to a whole pixel.
void odl_view_layout (OdlView *view, int canvas_width, int canvas_height);

OdlPoint odl_view_to_image (const OdlView *view,
                            int canvas_width,
                            int canvas_height,
                            OdlPoint canvas);
OdlPoint odl_view_to_canvas (const OdlView *view,
                             int canvas_width,
                             int canvas_height,
                             OdlPoint image);

// image = matrix · (x, y, 1) of the canvas: two rows of three.
void odl_view_matrix (const OdlView *view,
                      int canvas_width,
                      int canvas_height,
                      double matrix[6]);

// Multiplies the zoom by `factor`, within the limits, keeping the image position under
// `canvas` fixed; the view stops fitting.
void odl_view_zoom_at (OdlView *view,
                       int canvas_width,
                       int canvas_height,
                       OdlPoint canvas,
                       double factor);

// Moves the picture by canvas pixels; the view stops fitting.
void odl_view_pan (OdlView *view, double dx, double dy);

// The view fits again from the next layout on.
void odl_view_fit (OdlView *view);

// One canvas pixel per sample, keeping the centre; the view stops fitting.
void odl_view_actual_size (OdlView *view);

// Clips the line from `a` to `b`, canvas pixels, to a canvas of that size and a margin of
// `beyond` pixels about it: at high zoom places may be beyond the range of what draws
// them. False: nothing of it lies there.
bool odl_view_cut_line (int width, int height, double beyond, OdlPoint *a, OdlPoint *b);

// Where the sides of the head of an arrow that leads from `from` to `tip` end, in canvas
// pixels; each is `length` long.
void odl_view_arrow_head (OdlPoint from, OdlPoint tip, double length, OdlPoint ends[2]);
