// SPDX-License-Identifier: MIT
// Automatic window and filter range for grey DICOM images that bring none: 16-bit
// images rarely use all 16 bits.
#pragma once

#include "image/image.h"

typedef struct {
  double centre; // in values
  double width; // 0: keep the image's window
  double stored_min; // range for filters; equal: keep the image's own
  double stored_max;
} OdlAutoWindow;

// Derives both from the smallest and largest stored number of all frames, `found`, of an
// integer grey image with more than 8 bits; NULL: of what it holds itself, in slice 0,
// frame 0, without its padding:
// - an image without a window gets one from its smallest to its largest value, for the
//   linear window function (PS3.3 C.11.2.1.2);
// - an image with the full 16-bit range gets the smallest range of n bits that holds its
//   values (0 … 2^n − 1; with negative values −2^n … 2^n − 1), so that thresholds, which
//   are fractions of the range, are meaningful. Values outside are kept.
// No change for other images, for constant ones and for beams of ultrasound. Any thread.
OdlAutoWindow odl_auto_window_find (const OdlImage *image, const double found[2]);

// Whether anything would be derived: so no other frame needs to be read for it.
bool odl_auto_window_is_missing (const OdlImage *image);

// `image` with that window and range; takes one reference and returns one.
OdlImage *odl_auto_window_apply (OdlImage *image, const OdlAutoWindow *window);
