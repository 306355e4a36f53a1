// SPDX-License-Identifier: MIT
// The display step on the CPU: scaled values to grey levels or colours. The GL display
// shader uses the same arithmetic.
#pragma once

#include "image/details.h"
#include "image/display/colour_map.h"
#include "image/display/view.h"
#include "image/image.h"

// The value range to display (window/level).
typedef enum {
  ODL_WINDOW_FILE, // the image's own window; the full range if it has none
  ODL_WINDOW_FULL, // stored_min … stored_max
  ODL_WINDOW_CUSTOM, // given centre and width
  ODL_WINDOW_TABLE, // a given table of levels
} OdlWindowMode;

typedef struct {
  OdlWindowMode mode;
  double centre; // in values, for ODL_WINDOW_CUSTOM
  double width; // greater than 0
  bool invert; // in addition to the file's own inversion
  bool hide_overlay; // the overlay and the shutter from the file
  const OdlColourMap *map; // of grey pictures; NULL: grey
  int choice; // for ODL_WINDOW_FILE: which of the image's windows, 0 for its default
  const OdlCurve *table; // for ODL_WINDOW_TABLE; borrowed from whoever chose it
  double table_first, table_last; // values of its first and last entry
  OdlDetailReach reach; // what the gains of details are found from
} OdlWindow;

// shown = clamp (scaled · gain + offset), then the level of `curve` at that position,
// if there is a curve. `invert`: a grey becomes 1 − shown; a colour keeps its
// differences, so that red stays red, while its luma L = Σ shown · luma becomes 1 − L,
// that is clamp (shown + 1 − 2 L) per channel. Details become clamp (0.5 +
// scaled · detail_gains[…]), magnitudes clamp (scaled · detail_gains[…]), by their level,
// never inverted: `told` times as strong as samples, which odl_detail_gain finds from the
// window's `reach`. A residual has one gain that no picture changes, and one level alone
// half of what its coefficients have, since those of three bands add up. What is no
// detail takes its colour from `map`, if there is one. Pixels covered by `shutter` get
// `shutter_level`, whatever they are and whether or not the user inverted the picture;
// pixels covered by `overlay` get `overlay_level`: white, or black if the user inverted
// the picture, for contrast.
typedef struct {
  float gain;
  float offset;
  bool invert;
  OdlDetails details;
  float detail_gains[ODL_DETAIL_LEVELS]; // from the finest level on
  int told[ODL_DETAIL_LEVELS]; // the same as multiples of the gain of samples
  float luma[3]; // weights of red, green and blue
  const OdlCurve *curve; // NULL: none; borrowed from the image
  const OdlOverlay *overlay; // NULL: none; borrowed
  float overlay_level;
  const OdlColourMap *map; // of grey pictures; NULL: grey
  const OdlOverlay *shutter; // NULL: none; borrowed
  float shutter_level;
} OdlDisplay;

// The linear window function of DICOM PS3.3 C.11.2.1.2 with output 0 … 1, applied to
// values: x <= c − 0.5 − (w − 1)/2 gives 0, x > c − 0.5 + (w − 1)/2 gives 1. The exact
// form (C.11.2.1.3.2) is used for windows narrower than 1 (custom windows, float data),
// colour, float data of any width, the full range, and LINEAR_EXACT; the sigmoid for
// files that ask for it, in any window. ODL_WINDOW_FILE uses the file's VOI LUT, if it
// has one. A width of 1, or one too narrow for single precision, is a threshold: a huge
// finite gain. Windows that are not finite or not wider than 0 mean the full range. With
// a negative slope the full range shows the largest sample black. `info` describes the
// source image, whose stored range and value map define the scaled values. Any
// thread.
OdlDisplay
odl_display_make (const OdlImageInfo *info, const OdlWindow *window, OdlDetails details);

// Resolves `window` to centre and width in values. As ODL_WINDOW_CUSTOM they show the
// same picture; for a VOI LUT, the linear window that approximates it. Any thread.
void odl_display_window (const OdlImageInfo *info,
                         const OdlWindow *window,
                         double *centre,
                         double *width);

// The values that are shown as black and as white before any inversion: of the linear
// function c − w/2 and c + w/2 − 1, of the exact one, and about a curve, c ± w/2. Any
// thread.
void odl_display_ends (const OdlImageInfo *info,
                       const OdlWindow *window,
                       double *black,
                       double *white);

// Whether `window` uses a table of levels from the file.
bool odl_display_uses_curve (const OdlImageInfo *info, const OdlWindow *window);

// The overlay or the shutter of a display if its size matches; else NULL.
const OdlOverlay *odl_display_overlay (const OdlDisplay *display, int width, int height);
const OdlOverlay *odl_display_shutter (const OdlDisplay *display, int width, int height);

// Renders an image to U8 (`bits` 8) or U16 (`bits` 16) of the same extent and
// channels; of a grey picture with a map, three of them. Integer samples are scaled row
// by row; alpha is copied. Rounds to nearest. Any thread.
OdlImage *odl_display_render (const OdlImage *scaled,
                              const OdlDisplay *display,
                              int bits,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Description of the rendered image, without planes and ranges.
OdlImageInfo
odl_display_rendered (const OdlImage *scaled, const OdlDisplay *display, int bits);

// Renders rows first … first + count − 1 of slice 0, frame 0 into `samples`,
// interleaved and unpadded. Any thread.
void odl_display_render_rows (const OdlImage *scaled,
                              const OdlDisplay *display,
                              int bits,
                              int first,
                              int count,
                              void *samples);

// A square of the canvas that shows the picture by a view of its own, a magnifier.
typedef struct {
  int x, y, side; // canvas pixels, from the top left; it may reach beyond the canvas
  bool original; // that shows the original
  OdlView view; // of the whole canvas
} OdlLens;

#define ODL_MOST_LENSES 2

// Renders slice 0, frame 0 through `view` into width × height RGBA bytes (row stride 4 ·
// width; BGRA with `blue_first`). The GL canvas computes the same, in single precision
// and in this order:
//   shown (i, j)  sample (i, j), each channel by OdlDisplay, grey repeated; with alpha a:
//                 shown · a + canvas · (1 − a);
//   at (x, y)     image = matrix · (x, y, 1) with odl_view_matrix; outside the image the
//                 canvas colour; else shown (floor image) or, if `smooth`, the bilinear
//                 interpolation of the four samples around image − 0.5, with indices
//                 clamped to the image, along the canvas' x first;
//   pixel (x, y)  n = 1: at (x + 0.5, y + 0.5). n > 1: mean over i, j < n of
//                 at (x + (i + 0.5) / n, y + (j + 0.5) / n), never smooth. n is
//                 odl_display_taps of the matrix, the same for all pixels;
//   byte          floor (255 · value + 0.5); the fourth is 255.
// Pixels left of wipe_x (0: none) come from `original` with its own display, and its own
// view, if it has one: of the same zoom and orientation; and so do columns again[0] …
// again[1] − 1 (right of wipe_x, equal: none). Any thread.
typedef struct {
  const OdlImage *scaled; // of any type
  OdlDisplay display;
  const OdlImage *original; // of any type; NULL: none
  OdlDisplay original_display;
  const OdlView *original_view; // NULL: that of the other
  int wipe_x;
  int again[2];
  bool smooth;
  bool blue_first;
} OdlDisplayScene;

// Draws a lens into what odl_display_render_view has made of the scene, never smooth.
void odl_display_render_lens (const OdlDisplayScene *scene,
                              const OdlLens *lens,
                              int width,
                              int height,
                              uint8_t *rgba);

void odl_display_render_view (const OdlDisplayScene *scene,
                              const OdlView *view,
                              int width,
                              int height,
                              uint8_t *rgba);

// Taps per side of a canvas pixel: enough to cover every sample, at most 8; 1 if a
// pixel is no larger than a sample. `matrix` from odl_view_matrix.
int odl_display_taps (const double matrix[6]);

// Grey level of the canvas around the picture, 0 … 255.
#define ODL_CANVAS_LEVEL 18
