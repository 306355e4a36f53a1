// SPDX-License-Identifier: MIT
// One line of a shown picture: the taps of canvas pixels on a row of the image, and the
// sums of shown samples under them. What display_view.c puts blocks together from.
#pragma once

#include <glib.h>
#include <math.h>

#include "image/display.h"

#define ODL_DISPLAY_MOST_TAPS 8
#define ODL_DISPLAY_CANVAS (ODL_CANVAS_LEVEL / 255.0f)

// Canvas pixels of a line: its taps stay in the first cache.
#define ODL_DISPLAY_SPAN 256

// Quarter turns never mix the axes: each canvas axis walks along one axis of the image.
// `across` belongs to the canvas' x, `along` to its y.
typedef struct {
  float scale, offset; // image = scale · canvas + offset
  int length; // samples
  int approximation; // beyond it lie details
  size_t strides[ODL_IMAGE_MAX_CHANNELS]; // bytes
} OdlDisplayAxis;

typedef struct {
  const OdlImage *image;
  const OdlDisplay *display;
  const OdlPlane *planes;
  int channels;
  bool blue_first; // in the levels of a line
  float minimum, factor; // scaled = (sample − minimum) · factor
  OdlDisplayAxis across, along;
} OdlDisplayPicture;

// Where one tap meets an axis of the image: between two samples.
typedef struct {
  int first; // −1: outside
  int second;
  float mix; // weight of the second
} OdlDisplayTap;

// Levels that a pixel takes: grey, or red, green, blue and one that means nothing, so
// that a colour is moved as a whole.
#define ODL_DISPLAY_COLOUR 4

// Shown levels of a block along one row of the image: of each pixel the sum over its
// taps.
typedef struct {
  int index; // −1: none
  float level[ODL_DISPLAY_COLOUR * ODL_DISPLAY_SPAN];
} OdlDisplayLine;

// The taps of a block, and shown samples from `from` on of the row that they meet. After
// them stands the canvas, which is what a tap outside meets.
typedef struct {
  int taps; // along each side of a pixel
  bool smooth;
  int pixels;
  int first[ODL_DISPLAY_SPAN * ODL_DISPLAY_MOST_TAPS],
      second[ODL_DISPLAY_SPAN * ODL_DISPLAY_MOST_TAPS]; // places in `samples`
  float mix[ODL_DISPLAY_SPAN * ODL_DISPLAY_MOST_TAPS];
  int from, count; // samples between the first and the last tap
  float *samples; // `count` and the canvas, of each channel
  float *colours; // the same of a colour picture, ODL_DISPLAY_COLOUR levels each
} OdlDisplayTaps;

// What `matrix` (of odl_view_matrix) makes of the image; borrows both. Images whose rows
// are all that can be read of them must not lie (matrix[0] == 0).
OdlDisplayPicture odl_display_picture_of (const OdlImage *image,
                                          const OdlDisplay *display,
                                          const double matrix[6]);

// Tap `i` of `n` in canvas pixel `pixel`. Inline, since a loop over pixels then stays in
// registers.
static inline OdlDisplayTap
odl_display_tap_at (const OdlDisplayAxis *axis, int pixel, int i, int n, bool smooth)
{
  const float at
      = axis->scale * ((float) pixel + ((float) i + 0.5f) / (float) n) + axis->offset;
  const bool inside = at >= 0 && at < (float) axis->length;
  // A number that is no place is never turned into an integer.
  const float place = inside ? at : 0.0f;
  const float left = smooth ? floorf (place - 0.5f) : place;
  const int first = smooth ? MAX ((int) left, 0) : (int) place;
  const int second = smooth ? MIN ((int) left + 1, axis->length - 1) : first;

  return (OdlDisplayTap){ inside ? first : -1, inside ? second : -1,
                          smooth && inside ? place - 0.5f - left : 0.0f };
}

// Places the taps of canvas pixels `x` to `end_x` (at most ODL_DISPLAY_SPAN of them);
// `taps` and `smooth` are set, what they meet in the image comes out.
void odl_display_place_taps (OdlDisplayTaps *across,
                             const OdlDisplayAxis *axis,
                             int x,
                             int end_x);

// Reads the line at row (or column) `line->index` of the image and sums its taps.
// `samples` and `colours` have their room.
void odl_display_fill_line (const OdlDisplayPicture *picture,
                            const OdlDisplayTaps *across,
                            OdlDisplayLine *line);
