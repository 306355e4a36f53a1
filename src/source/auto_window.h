// SPDX-License-Identifier: MIT
// A window for grey DICOM pictures that bring none: 16 bits of range rarely hold 16 bits
// of picture.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct {
  double centre; // in values
  double width; // 0: the image keeps the window it has, or has not
  double stored_min; // range for the filters; equal: the image keeps its own
  double stored_max;
} OdlAutoWindow;

// What the samples of an integer grey image of more than 8 bits say, those that equal
// `padding` (NULL: none) aside; slice 0, frame 0:
// - where the image has no window, the one from its smallest to its largest value, for
// the
//   linear window function (PS3.3 C.11.2.1.2);
// - where its range is all of 16 bits, the range of the fewest bits that hold its values
//   (0 … 2^n − 1, or −2^n … 2^n − 1 with negative values), so that a threshold, which is
//   a fraction of the range, means something. Values outside are kept.
// Nothing for other images and for constant ones. Any thread.
OdlAutoWindow odl_auto_window_find (const OdlImage *image, const double *padding);

// `image` with that window and range as its own; takes and gives one reference.
OdlImage *odl_auto_window_apply (OdlImage *image, const OdlAutoWindow *window);

G_END_DECLS
