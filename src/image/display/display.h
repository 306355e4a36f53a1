// SPDX-License-Identifier: MIT
// The display step: scaled values to grey levels or colours, on the CPU; the GL engine's
// display shader does the same arithmetic.
#pragma once

#include "image/display/view.h"
#include "image/image.h"

G_BEGIN_DECLS

// Which part of the value range a person wants to see.
typedef enum {
  ODL_WINDOW_FILE, // the image's own window, or the full range where it has none
  ODL_WINDOW_FULL, // stored_min … stored_max
  ODL_WINDOW_CUSTOM, // centre and width given
} OdlWindowMode;

typedef struct {
  OdlWindowMode mode;
  double centre; // in values, for ODL_WINDOW_CUSTOM
  double width; // greater than 0
  bool invert; // on top of what the file says
  bool hide_overlay; // that the file lays over its picture
} OdlWindow;

// shown = clamp (scaled · gain + offset), then the level of `curve` there, if there is
// one. With `invert` a grey becomes 1 − shown; a colour keeps its colour differences, so
// that red stays red, and its luma L, the sum of shown · luma, becomes 1 − L: clamp
// (shown + 1 − 2 L) in each channel. Pixels at or beyond approx_width × approx_height
// hold detail coefficients of the Mallat layout and are shown as clamp (0.5 + scaled ·
// detail_gain), never inverted. Where `overlay` has a sample the picture has
// `overlay_level`: white, and black on a picture that a person inverted, so that it stays
// as clear as it was.
typedef struct {
  float gain;
  float offset;
  bool invert;
  int approx_width; // 0: the whole image is picture
  int approx_height;
  float detail_gain;
  float luma[3]; // weights of red, green and blue
  const OdlCurve *curve; // NULL: none; borrowed from the image that was described
  const OdlOverlay *overlay; // the same
  float overlay_level;
} OdlDisplay;

// Gain of the detail bands in the analysis views, before the gain of the window: 4 shows
// a coefficient of 1/8 of full scale in full black or white.
#define ODL_DISPLAY_DETAIL_GAIN 4.0

// The linear window function of DICOM PS3.3 C.11.2.1.2 for 0 … 1, applied to values:
// x <= c − 0.5 − (w − 1)/2 gives 0, x > c − 0.5 + (w − 1)/2 gives 1. For windows that a
// person or float data ask for (width < 1) and for colour the exact form (C.11.2.1.3.2)
// is used; float data of any width, the full range and files that say LINEAR_EXACT use it
// too. Files that say SIGMOID get that function in any window. The file's own window is
// its table of levels where it has one (VOI LUT); any other window is a window. A width
// of 1 (and whatever is too narrow for single precision) is a threshold: a huge finite
// gain. Windows that are not finite or not wider than 0 mean the full range. With a
// negative slope the full range shows the greatest sample black. `info` describes the
// image that came from the source, whose stored range and value map define what scaled
// values mean. `approx_width` and `approx_height` as in OdlDisplay. Any thread.
OdlDisplay odl_display_make (const OdlImageInfo *info,
                             const OdlWindow *window,
                             int approx_width,
                             int approx_height);

// The window, in values, that `window` means for an image; given back as
// ODL_WINDOW_CUSTOM it shows the same picture, or, for the file's own levels, the linear
// window that comes near them. Any thread.
void odl_display_window (const OdlImageInfo *info,
                         const OdlWindow *window,
                         double *centre,
                         double *width);

// Whether `window` shows the image by a table of levels that its file brings.
bool odl_display_uses_curve (const OdlImageInfo *info, const OdlWindow *window);

// The overlay of a display, if it belongs to a picture of that size; else NULL.
const OdlOverlay *odl_display_overlay (const OdlDisplay *display, int width, int height);

// A U8 (`bits` 8) or U16 (`bits` 16) image of the same extent and channels from scaled
// samples (of any type; whole ones are scaled row by row); alpha passes through. Rounds
// to nearest. Any thread.
OdlImage *odl_display_render (const OdlImage *scaled,
                              const OdlDisplay *display,
                              int bits,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// What such an image is; its planes and ranges are not filled in.
OdlImageInfo odl_display_rendered (const OdlImage *scaled, int bits);

// `count` rows of it from row `first` on, slice 0, frame 0, into `samples`, interleaved
// and without padding: for whoever needs no whole picture. Any thread.
void odl_display_render_rows (const OdlImage *scaled,
                              const OdlDisplay *display,
                              int bits,
                              int first,
                              int count,
                              void *samples);

// What a person sees through `view`: fills width × height RGBA bytes (row stride 4 ·
// width; BGRA when `blue_first`) from slice 0, frame 0. The GL canvas computes the same,
// in single precision and in this order:
//   shown (i, j)  the display of sample (i, j), each channel by OdlDisplay, grey
//                 repeated; with alpha a: shown · a + canvas · (1 − a);
//   at (x, y)     image = matrix · (x, y, 1) with odl_view_matrix; outside of the image
//                 the canvas colour; else shown (floor image), or, when `smooth`,
//                 the bilinear mix of the four shown samples around image − 0.5, their
//                 indices clamped to the image: along the canvas' x first;
//   pixel (x, y)  n = 1: at (x + 0.5, y + 0.5). n > 1: mean over i, j < n of
//                 at (x + (i + 0.5) / n, y + (j + 0.5) / n), never smooth. n, the same
//                 for all pixels, is odl_display_taps of the matrix;
//   byte          floor (255 · value + 0.5); the fourth is 255.
// Pixels left of wipe_x (pixels, 0: none) come from `original` with its own display. Any
// thread.
typedef struct {
  const OdlImage *scaled; // of any type; its scaled samples count
  OdlDisplay display;
  const OdlImage *original; // of any type; NULL: none
  OdlDisplay original_display;
  int wipe_x;
  bool smooth;
  bool blue_first;
} OdlDisplayScene;

void odl_display_render_view (const OdlDisplayScene *scene,
                              const OdlView *view,
                              int width,
                              int height,
                              uint8_t *rgba);

// Taps along each side of a canvas pixel: enough to meet every sample, at most 8; 1 when
// a pixel is no larger than a sample. `matrix` from odl_view_matrix.
int odl_display_taps (const double matrix[6]);

// Grey level of the canvas around the picture, 0 … 255 in each channel.
#define ODL_CANVAS_LEVEL 18

G_END_DECLS
