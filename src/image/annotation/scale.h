// SPDX-License-Identifier: MIT
// How long things are in an image: in millimetres where its spacing is known, else in
// pixels. Any thread.
#pragma once

#include "image/image.h"
#include "image/display/view.h"

G_BEGIN_DECLS

typedef struct {
  bool known; // in millimetres; else in heights of a pixel, whose width may differ
  OdlSpacingPlace place; // where they hold
  double x, y; // width and height of a pixel in that unit, both > 0
} OdlScale;

OdlScale odl_scale_of (const OdlImageInfo *info);

// Between two positions in samples: √((Δx · x)² + (Δy · y)²).
double odl_scale_distance (const OdlScale *scale, OdlPoint a, OdlPoint b);

// "mm" or "px"; "mm²" or "px²".
const char *odl_scale_unit (const OdlScale *scale);
const char *odl_scale_area_unit (const OdlScale *scale);

// So many that a unit of the last digit is no longer than a pixel; at least 1.
int odl_scale_decimals (const OdlScale *scale);

// What has to be said beside a length: that the spacing is unknown, or holds elsewhere
// than in what is seen. Translated; NULL: nothing.
const char *odl_scale_note (const OdlScale *scale);

G_END_DECLS
