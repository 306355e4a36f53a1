// SPDX-License-Identifier: MIT
// OdlView: how the picture lies on the canvas; pure arithmetic shared by both canvases.
#pragma once

#include <stdbool.h>

typedef struct {
  double x, y;
} OdlPoint;

// All lengths on the canvas are device pixels, origin at the top left; image positions
// are in samples, (0,0) the top left corner of the first sample.
typedef struct {
  int image_width;
  int image_height;
  double pixel_aspect; // width / height of an image pixel; 1: square
  double zoom; // canvas pixels per image sample along y; along x times pixel_aspect
  bool fit; // zoom and centre follow the canvas size
  OdlPoint centre; // image position in the middle of the canvas
  int quarter_turns; // clockwise, 0 … 3
  bool flip_horizontal; // after the rotation, as seen
  bool flip_vertical;
} OdlView;

#define ODL_VIEW_ZOOM_MIN 0.01
#define ODL_VIEW_ZOOM_MAX 64.0

// A view that fits an image of that size. pixel_aspect 0 means 1.
OdlView odl_view_make (int image_width, int image_height, double pixel_aspect);

// Recomputes zoom and centre of a fitting view for a canvas; keeps the zoom of others
// inside the limits (the lower one gives way where fitting needs less) and their centre
// inside the picture. Where samples cover whole pixels (1:1, 2:1, …) the picture's corner
// is moved to the nearest whole pixel. Call it before a picture is drawn.
void odl_view_layout (OdlView *view, int canvas_width, int canvas_height);

OdlPoint odl_view_to_image (const OdlView *view,
                            int canvas_width,
                            int canvas_height,
                            OdlPoint canvas);
OdlPoint odl_view_to_canvas (const OdlView *view,
                             int canvas_width,
                             int canvas_height,
                             OdlPoint image);

// image = matrix · (canvas, 1): two rows of three, for shaders and loops.
void odl_view_matrix (const OdlView *view,
                      int canvas_width,
                      int canvas_height,
                      double matrix[6]);

// Multiplies the zoom by `factor`, within the limits, keeping the image position under
// `canvas` where it is; the view stops fitting.
void odl_view_zoom_at (OdlView *view,
                       int canvas_width,
                       int canvas_height,
                       OdlPoint canvas,
                       double factor);

// Moves the picture by that many canvas pixels; it stops fitting.
void odl_view_pan (OdlView *view, double dx, double dy);

// Fits again, at the next layout.
void odl_view_fit (OdlView *view);

// 1:1: one canvas pixel for one sample, keeping the centre; the view stops fitting.
void odl_view_actual_size (OdlView *view);
