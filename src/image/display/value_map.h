// SPDX-License-Identifier: MIT
// OdlValueMap: maps stored samples to values with a unit; also holds the file's
// window.
#pragma once

#include <stdbool.h>

#include "image/display/curve.h"

// Window functions (DICOM PS3.3 C.11.2.1.2 and C.11.2.1.3).
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
  char unit[17]; // UTF-8, may be empty; such as "HU"
  bool has_window;
  double window_centre;
  double window_width; // greater than 0
  OdlVoiFunction function; // for all windows
  // The file's VOI LUT, which takes precedence over its window; NULL: none.
  const OdlCurve *curve;
  double curve_first, curve_last; // values of its first and last entry, ascending
  bool inverse; // the smallest value is white (DICOM MONOCHROME1)
} OdlValueMap;
