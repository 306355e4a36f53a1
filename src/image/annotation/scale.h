// SPDX-License-Identifier: MIT
// How long things are in an image: in millimetres where its spacing is known, else in
// pixels. Any thread.
#pragma once

#include "image/image.h"
#include "image/display/view.h"

typedef struct {
  bool known; // in millimetres; else in heights of a pixel, whose width may differ
  OdlSpacingPlace place; // where they hold
  double x, y; // width and height of a pixel in that unit, both > 0
  const OdlRegions *regions; // that have scales of their own; borrowed; NULL: none
  const OdlRegion *region; // in which something is measured; NULL: in none
  bool mixed; // it lies in several regions, or partly in one
  bool skewed; // on a plane across slices of a tilted gantry
} OdlScale;

OdlScale odl_scale_of (const OdlImageInfo *info);

// The scale that holds for what lies at all of these positions: that of the region which
// they are in, if its pixels are lengths; unknown across regions of different scales.
OdlScale odl_scale_at (const OdlScale *scale, const OdlPoint *points, int n);

// Between two positions in samples: √((Δx · x)² + (Δy · y)²).
double odl_scale_distance (const OdlScale *scale, OdlPoint a, OdlPoint b);

// "mm" or "px"; "mm²" or "px²".
const char *odl_scale_unit (const OdlScale *scale);
const char *odl_scale_area_unit (const OdlScale *scale);

// What a pixel of the region is along x (0) or y (1): a time, a velocity, a frequency or
// a depth. NULL: nothing that is measured. As a row of a table.
typedef struct {
  const char *name; // in what is written: "time"
  const char *label; // for people: "Δt"
  const char *unit;
  double factor; // of the file's unit
} OdlScaleAxis;
const OdlScaleAxis *odl_scale_axis (const OdlScale *scale, int axis);

// The scale that a bar beside the picture can have: of a picture with regions that of all
// its regions of lengths, if they agree (*others: there are regions of other kinds, too),
// else that of the picture.
OdlScale odl_scale_for_bar (const OdlScale *scale, bool *others);

// What the row of a pixel means in a region whose axes are no lengths both, and which
// says where its zero is: "-45.0 cm/s" from the baseline of a Doppler spectrum, a depth
// in M-mode. Transfer full; NULL: nothing.
char *odl_scale_row_text (const OdlScale *scale, int column, int row);

// Whether the pixels of its region are no lengths, and both axes are measured.
bool odl_scale_has_axes (const OdlScale *scale);

// So many that a unit of the last digit is no longer than `step`; at least 1.
int odl_scale_decimals_of (double step);

// So many that a unit of the last digit is no longer than a pixel; at least 1.
int odl_scale_decimals (const OdlScale *scale);

// What has to be said beside a length: that the spacing is unknown, or holds elsewhere
// than in what is seen. Translated; NULL: nothing.
const char *odl_scale_note (const OdlScale *scale);
