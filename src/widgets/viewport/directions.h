// SPDX-License-Identifier: MIT
// Directions in a patient, as letters (PS3.3 C.7.6.1.1.1), and lengths for a scale bar.
#pragma once

#include "image/volume/directions.h"
#include "image/volume/letters.h"

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
