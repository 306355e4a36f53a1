// SPDX-License-Identifier: MIT
// Directions in a patient, as letters (PS3.3 C.7.6.1.1.1), and lengths for a scale bar.
#pragma once

#include "image/display/view.h"
#include "image/volume/directions.h"

typedef enum {
  ODL_EDGE_LEFT,
  ODL_EDGE_RIGHT,
  ODL_EDGE_TOP,
  ODL_EDGE_BOTTOM,
  ODL_N_EDGES,
} OdlEdge;

#define ODL_DIRECTION_LETTERS 3

// At each edge.
typedef char OdlLetters[ODL_N_EDGES][ODL_DIRECTION_LETTERS + 1];

// Where a step in the image leads: L or R, P or A, H or F, the longest part first; parts
// below a tenth are left out.
void odl_directions_letters (const double cosines[6],
                             OdlPoint step,
                             char letters[ODL_DIRECTION_LETTERS + 1]);

// Where the centre of a voxel lies: Image Position (Patient), and the orientation and the
// step above; `spacing` of columns and rows in mm. PS3.3, equation C.7.6.2.1-1. Three
// lengths with their directions, “R 12.3 · A 4.0 · H 33.5 mm”; NULL: they are not known.
// Transfer full.
char *odl_directions_place (const char *position,
                            const char *orientation,
                            const char *step,
                            const double spacing[2],
                            const double voxel[3]);

// The longest of 1, 2, 5, 10 … that is no longer than `most` (any unit); 0: none.
double odl_directions_bar (double most);
