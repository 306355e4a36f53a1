// SPDX-License-Identifier: MIT
// A window for grey DICOM pictures that bring none: 16 bits of range rarely hold 16 bits
// of picture.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct {
  double centre; // in values
  double width; // 0: none
} OdlAutoWindow;

// The window from the smallest to the largest stored value of an integer grey image of
// more than 8 bits, in values, for the linear window function; samples that equal
// `padding` (NULL: none) do not count. Width 0 where the image has a window already, is
// of another kind, or is constant. Slice 0, frame 0. Any thread.
OdlAutoWindow odl_auto_window_find (const OdlImage *image, const double *padding);

// `image` with that window as its own; takes and gives one reference. Width 0 changes
// nothing.
OdlImage *odl_auto_window_apply (OdlImage *image, const OdlAutoWindow *window);

G_END_DECLS
