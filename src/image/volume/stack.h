// SPDX-License-Identifier: MIT
// Whether pictures that were taken one by one are the slices of a volume, and how far
// they are apart. Places and directions are those of DICOM: millimetres along left, back
// and head (LPS). Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

// Why pictures are no volume.
typedef enum {
  ODL_STACK_REGULAR,
  ODL_STACK_TOO_FEW, // a single one
  ODL_STACK_AT_ONE_PLACE, // two of them lie in one plane
  ODL_STACK_UNEVEN, // slices are missing, or not equally far apart
  ODL_STACK_SHIFTED, // their first pixels do not lie on a straight line
} OdlStackFlaw;

typedef struct {
  OdlStackFlaw flaw; // what follows is known of regular stacks alone
  double step_mm[3]; // from the first pixel of a slice to that of the next one
  double spacing_mm; // between the planes, along their normal
  double tilt_degrees; // between step and normal: a tilted gantry; else 0
} OdlStack;

// What rows and columns span, of length 1. False if they are not at right angles to each
// other, or not of length 1, by more than rounding.
bool odl_stack_normal (const double orientation[6], double normal[3]);

// Of `n` first pixels, in order along the normal or against it: x, y, z each. Slices may
// lie off their places by a fiftieth of their distance, as scanners round numbers.
OdlStack odl_stack_of (const double *places, int n, const double orientation[6]);

// How far a step leads beside a direction, in degrees. 0: by rounding alone.
double odl_stack_tilt_degrees (const double step[3], const double direction[3]);

G_END_DECLS
