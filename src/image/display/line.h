// SPDX-License-Identifier: MIT
// One line of a displayed picture: canvas pixels take taps on a row of the image and
// sum the displayed samples. render_view.c assembles blocks from these lines.
#pragma once

#include <glib.h>
#include <math.h>

#include "image/display/arithmetic.h"

#define ODL_DISPLAY_MOST_TAPS 8
#define ODL_DISPLAY_CANVAS (ODL_CANVAS_LEVEL / 255.0f)

// Canvas pixels per line, so that the taps fit in the L1 cache.
#define ODL_DISPLAY_SPAN 256

// Views rotate by quarter turns only, so each canvas axis runs along one image axis.
// `across` belongs to the canvas' x, `along` to its y.
typedef struct {
  float scale, offset; // image = scale · canvas + offset
  int length; // samples
  OdlDisplayBands bands;
  size_t strides[ODL_IMAGE_MAX_CHANNELS]; // bytes
} OdlDisplayAxis;

typedef struct {
  const OdlImage *image;
  const OdlDisplay *display;
  const OdlPlane *planes;
  int channels; // of the image
  int shown; // planes of levels: 1, 3, or 4 with alpha
  bool blue_first; // in the levels of a line
  bool transposed; // the canvas' x runs along the columns of the image
  const OdlOverlay *overlay; // NULL: none
  const OdlOverlay *shutter; // NULL: none
  float minimum, factor; // scaled = (sample − minimum) · factor
  OdlDisplayAxis across, along;
} OdlDisplayPicture;

// One tap on an axis: between two samples.
typedef struct {
  int first; // −1: outside
  int second;
  float mix; // weight of the second
} OdlDisplayTap;

// Levels per pixel: grey, or red, green, blue and an unused one that allows vector
// moves.
#define ODL_DISPLAY_COLOUR 4

// Displayed levels of a block along one image row: the sum of each pixel's taps. With
// one tap per pixel and no interpolation, finished pixels.
typedef struct {
  int index; // row of the image; −1: empty
  union {
    float level[ODL_DISPLAY_COLOUR * ODL_DISPLAY_SPAN];
    uint32_t pixel[ODL_DISPLAY_SPAN];
  };
} OdlDisplayLine;

// The taps of a block, on samples of a row starting at `from`. An extra sample after
// these holds the canvas level, for taps outside the image.
typedef struct {
  int taps; // along each side of a pixel
  bool smooth;
  int x, pixels; // first canvas column, number of pixels
  bool steady; // pixel i takes sample from + i
  int *first, *second; // indices relative to `from`
  float *mix; // weight of the second
  int from, count; // range of samples used
} OdlDisplayTaps;

// Scratch memory, one per thread.
typedef struct {
  float *samples; // `count` and the canvas, per channel
  float *colours; // interleaved, ODL_DISPLAY_COLOUR levels per sample
} OdlDisplayScratch;

// Prepares the image for `matrix` (of odl_view_matrix); borrows both. Images that can
// only be read by rows (YCbCr) must not be transposed (matrix[0] == 0).
OdlDisplayPicture odl_display_picture_of (const OdlImage *image,
                                          const OdlDisplay *display,
                                          const double matrix[6]);

// Tap `i` of `n` in canvas pixel `pixel`. Inline, to keep loops over pixels in
// registers.
static inline OdlDisplayTap
odl_display_tap_at (const OdlDisplayAxis *axis, int pixel, int i, int n, bool smooth)
{
  const float at
      = axis->scale * ((float) pixel + ((float) i + 0.5f) / (float) n) + axis->offset;
  const bool inside = at >= 0 && at < (float) axis->length;
  // Only positions inside the image are converted to integers.
  const float place = inside ? at : 0.0f;
  const float left = smooth ? floorf (place - 0.5f) : place;
  const int first = smooth ? MAX ((int) left, 0) : (int) place;
  const int second = smooth ? MIN ((int) left + 1, axis->length - 1) : first;

  return (OdlDisplayTap){ inside ? first : -1, inside ? second : -1,
                          smooth && inside ? place - 0.5f - left : 0.0f };
}

// Computes the taps of canvas pixels x … end_x − 1 (at most ODL_DISPLAY_SPAN). `taps`
// and `smooth` are inputs, the rest is output.
void odl_display_place_taps (OdlDisplayTaps *across,
                             const OdlDisplayAxis *axis,
                             int x,
                             int end_x);
void odl_display_clear_taps (OdlDisplayTaps *across);

// Scratch memory for blocks of at most `count` samples.
OdlDisplayScratch odl_display_scratch_new (const OdlDisplayPicture *picture, int count);
void odl_display_scratch_clear (OdlDisplayScratch *scratch);

// Reads the scaled samples for the taps from row (transposed: column) `index`.
void odl_display_read (const OdlDisplayPicture *picture,
                       const OdlDisplayTaps *across,
                       int index,
                       const OdlDisplayScratch *scratch);

static inline float *
odl_display_samples (const OdlDisplayTaps *across,
                     const OdlDisplayScratch *scratch,
                     int channel)
{
  return scratch->samples + (size_t) channel * (across->count + 1);
}

// Whether lines hold finished pixels instead of levels.
static inline bool
odl_display_makes_pixels (const OdlDisplayTaps *across)
{
  return across->taps == 1 && !across->smooth;
}

// Fills the line of row (transposed: column) `line->index`: sums of taps, or pixels.
void odl_display_fill_line (const OdlDisplayPicture *picture,
                            const OdlDisplayTaps *across,
                            const OdlDisplayScratch *scratch,
                            OdlDisplayLine *line);

// Level to byte: floor (255 · level + 0.5).
static inline uint32_t
odl_display_byte (float level)
{
  return (uint32_t) (int) (level * 255.0f + 0.5f);
}
