// SPDX-License-Identifier: MIT
// Where the samples of beam data lie: pictures of ultrasound before scan conversion,
// whose columns are beams and whose rows are samples in depth. Plain values. Any thread.
//
// Lengths are millimetres in the plane of the picture, x to the right and y in depth from
// the middle of the array's surface; angles are radians from the y axis, positive to the
// right.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef enum {
  ODL_BEAMS_NONE, // the picture's samples are pixels
  ODL_BEAMS_CURVILINEAR, // beams begin on a circle, and lead away from its centre
  ODL_BEAMS_LINEAR, // beams begin on a line, and are parallel
} OdlBeamArray;

// No field has padding before or behind it: two are equal where their bytes are.
typedef struct {
  gint64 array; // an OdlBeamArray
  double radius_mm; // CURVILINEAR: of the circle; 0: all beams begin in one point
  double first; // of column 0: CURVILINEAR its angle, LINEAR the x of its beginning, mm
  double step; // likewise from a column to the next, > 0
  double steering; // LINEAR: the angle of all beams, within ±60°; else 0
  double start_mm; // row 0, from the array's surface along the beam, ≥ 0
  double sample_mm; // from a row to the next, > 0
} OdlBeams;

typedef struct {
  double x, y;
} OdlBeamsPoint;

// Millimetres.
typedef struct {
  double left, top, right, bottom;
} OdlBeamsBox;

// Whether numbers are finite and within what their comments say, for `columns` beams of
// `rows` samples. False for pixels.
bool odl_beams_are_sound (const OdlBeams *beams, int columns, int rows);

// The place of a sample, in mm; `column` and `row` may lie between samples. Beams are
// sound, as for all of these.
OdlBeamsPoint odl_beams_place (const OdlBeams *beams, double column, double row);

// The column (x) and row (y) of a place in mm, which may lie outside. The inverse of
// odl_beams_place where no beam turns by more than 180°.
OdlBeamsPoint odl_beams_find (const OdlBeams *beams, double x_mm, double y_mm);

// The least box about the centres of all samples, and the arcs between them.
OdlBeamsBox odl_beams_box (const OdlBeams *beams, int columns, int rows);

// For people, translated: where beams lie. Transfer full; NULL: of pixels.
char *odl_beams_to_text (const OdlBeams *beams, int columns);

// "curvilinear", "linear"; of pixels "".
const char *odl_beams_array_name (const OdlBeams *beams);

G_END_DECLS
