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

// What the samples are.
typedef enum {
  ODL_BEAMS_UNKNOWN, // nothing is said
  ODL_BEAMS_WAVES, // radio frequency
  ODL_BEAMS_COMPLEX, // IQ: in phase in the left half of the columns, in quadrature in the
                     // right one, both in the order of the beams
  ODL_BEAMS_AMPLITUDES, // an envelope
  ODL_BEAMS_DECIBELS, // compressed
  ODL_N_BEAM_CONTENTS,
} OdlBeamContent;

// No field has padding before or behind it: two are equal where their bytes are.
typedef struct {
  gint64 array; // an OdlBeamArray
  double radius_mm; // CURVILINEAR: of the circle; 0: all beams begin in one point
  double first; // of column 0: CURVILINEAR its angle, LINEAR the x of its beginning, mm
  double step; // likewise from a column to the next, > 0
  double steering; // LINEAR: the angle of all beams, within ±60°; else 0
  double start_mm; // row 0, from the array's surface along the beam, ≥ 0
  double sample_mm; // from a row to the next, > 0
  gint64 content; // an OdlBeamContent
  double range_db; // DECIBELS: from black to white; 0: not known, or others
} OdlBeams;

// What the pixels of a picture were made of, squares of that side; array NONE: they were
// not. `left` and `top` are those of the centre of the first one, mm.
typedef struct {
  OdlBeams beams;
  double left, top, pixel_mm;
} OdlBeamsShown;

typedef struct {
  double x, y;
} OdlBeamsPoint;

// Millimetres.
typedef struct {
  double left, top, right, bottom;
} OdlBeamsBox;

// Whether numbers are finite and within what their comments say, for a picture of so many
// columns and rows. False for pixels.
bool odl_beams_are_sound (const OdlBeams *beams, int columns, int rows);

// What pictures of beams say of their pixels: the spacing, where they lie on a rectangle
// (linear, not steered, one number for each sample), else 0; and how wide a sample in the
// middle is by its height, 0.001 … 1000.
void odl_beams_describe (const OdlBeams *beams,
                         int columns,
                         int rows,
                         double spacing_mm[2],
                         double *aspect);

// How many beams `columns` of a picture are.
int odl_beams_count (const OdlBeams *beams, int columns);

// The place of a sample, in mm; `column` and `row` may lie between samples. Beams are
// sound, as for all of these.
OdlBeamsPoint odl_beams_place (const OdlBeams *beams, double column, double row);

// The column (x) and row (y) of a place in mm, which may lie outside. The inverse of
// odl_beams_place where no beam turns by more than 180°.
OdlBeamsPoint odl_beams_find (const OdlBeams *beams, double x_mm, double y_mm);

// The least box about the centres of all samples, and the arcs between them.
OdlBeamsBox odl_beams_box (const OdlBeams *beams, int columns, int rows);

// For people, translated: where the beams of so many columns lie, and what samples are.
// Transfer full; NULL: of pixels.
char *odl_beams_to_text (const OdlBeams *beams, int columns);

// "curvilinear", "linear"; of pixels "".
const char *odl_beams_array_name (const OdlBeams *beams);

// "rf", "iq", "envelope", "compressed"; of what is unknown "".
const char *odl_beams_content_name (const OdlBeams *beams);

// The value of the key that files have for beams, with the names above and the fields of
// OdlBeams: "curvilinear data=rf radius_mm=60 first=-0.5 step=0.01 start_mm=1
// sample_mm=0.04". Numbers come back as they were. Transfer full.
#define ODL_BEAMS_KEY "beams"
char *odl_beams_to_key (const OdlBeams *beams);

// Reads such a value; fields that are 0 may be missing. False: it is none. Whether
// numbers suit a picture says odl_beams_are_sound.
bool odl_beams_from_key (const char *text, OdlBeams *beams);

G_END_DECLS
