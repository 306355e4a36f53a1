// SPDX-License-Identifier: MIT
// OdlValueMap: from stored samples to values with a unit, and the window to show them in.
#pragma once

#include <stdbool.h>

// value = slope · stored + intercept, in `unit`. The window is in values.
typedef struct {
  double slope;
  double intercept;
  char unit[17]; // UTF-8 or empty; such as "HU"
  bool has_window;
  double window_centre;
  double window_width; // greater than 0
  bool inverse; // the smallest value is shown white (DICOM MONOCHROME1)
} OdlValueMap;
