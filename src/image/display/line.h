// SPDX-License-Identifier: MIT
// One line of a shown picture: the taps of canvas pixels on a row of the image, and the
// sums of shown samples under them. render_view.c assembles blocks from these lines.
#pragma once

#include <glib.h>
#include <math.h>

#include "image/display/display.h"

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
  bool lies; // the canvas walks along the columns of the image
  const OdlOverlay *overlay; // NULL: none
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
// taps. Where pixels have one tap each and nothing is mixed, they are kept as they are
// stored.
typedef struct {
  int index; // −1: none
  union {
    float level[ODL_DISPLAY_COLOUR * ODL_DISPLAY_SPAN];
    uint32_t pixel[ODL_DISPLAY_SPAN];
  };
} OdlDisplayLine;

// The taps of a block on the samples from `from` on of a row. After these stands the
// canvas, which is what a tap outside meets.
typedef struct {
  int taps; // along each side of a pixel
  bool smooth;
  int x, pixels; // of the canvas
  bool steady; // pixel i meets sample from + i
  int *first, *second; // places among the samples
  float *mix; // weight of the second
  int from, count; // samples between the first and the last tap
} OdlDisplayTaps;

// Where samples are worked on, one for each thread.
typedef struct {
  float *samples; // `count` and the canvas, of each channel
  float *colours; // the same of a colour picture, ODL_DISPLAY_COLOUR levels each
} OdlDisplayRoom;

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
void odl_display_clear_taps (OdlDisplayTaps *across);

// Memory that does for blocks of at most `count` samples.
OdlDisplayRoom odl_display_room_new (const OdlDisplayPicture *picture, int count);
void odl_display_room_clear (OdlDisplayRoom *room);

// Reads the scaled samples of the taps from row (or column) `index` of the image.
void odl_display_read (const OdlDisplayPicture *picture,
                       const OdlDisplayTaps *across,
                       int index,
                       const OdlDisplayRoom *room);

static inline float *
odl_display_samples (const OdlDisplayTaps *across,
                     const OdlDisplayRoom *room,
                     int channel)
{
  return room->samples + (size_t) channel * (across->count + 1);
}

// Whether lines are made of pixels, not of levels.
static inline bool
odl_display_makes_pixels (const OdlDisplayTaps *across)
{
  return across->taps == 1 && !across->smooth;
}

// Reads the line at row (or column) `line->index` of the image and sums its taps, or
// makes its pixels.
void odl_display_fill_line (const OdlDisplayPicture *picture,
                            const OdlDisplayTaps *across,
                            const OdlDisplayRoom *room,
                            OdlDisplayLine *line);

// What stands in memory for a level: floor (255 · level + 0.5).
static inline uint32_t
odl_display_byte (float level)
{
  return (uint32_t) (int) (level * 255.0f + 0.5f);
}
