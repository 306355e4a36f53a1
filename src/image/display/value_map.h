// SPDX-License-Identifier: MIT
// OdlValueMap: from stored samples to values with a unit, and the window to show them in.
#pragma once

#include <stdbool.h>

#include "image/display/curve.h"

// How values in a window become levels (DICOM PS3.3 C.11.2.1.2 and C.11.2.1.3).
typedef enum {
  ODL_VOI_LINEAR, // centre − 0.5 ± (width − 1) / 2
  ODL_VOI_LINEAR_EXACT, // centre ± width / 2
  ODL_VOI_SIGMOID,
} OdlVoiFunction;

#define ODL_N_VOI_FUNCTIONS 3

// value = slope · stored + intercept, in `unit`. The window is in values.
typedef struct {
  double slope;
  double intercept;
  char unit[17]; // UTF-8 or empty; such as "HU"
  bool has_window;
  double window_centre;
  double window_width; // greater than 0
  OdlVoiFunction function; // of any window
  // The file's own levels (VOI LUT), which come before its window; NULL: none.
  const OdlCurve *curve;
  double curve_first, curve_last; // values of its first and its last entry; rising
  bool inverse; // the smallest value is shown white (DICOM MONOCHROME1)
} OdlValueMap;
