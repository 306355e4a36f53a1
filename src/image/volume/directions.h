// SPDX-License-Identifier: MIT
// Where the axes of pictures and volumes lead in a patient: in LPS, to the left, to the
// back and to the head (DICOM PS3.3 C.7.6.1.1.1 and C.7.6.2.1.1). Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

// Image Orientation (Patient): six numbers between backslashes, two directions at right
// angles. False: it is none.
bool odl_directions_parse (const char *text, double cosines[6]);

// Patient Orientation (PS3.3 C.7.6.1.1.1), as radiographs have it: where rows and columns
// lead, in letters (L or R, P or A, H or F; the nearest direction first), "L\\F" or
// "AR\\FP". The cosines are made up so that their parts have the order of the letters,
// and are good for these alone. False: it is none.
bool odl_directions_parse_sides (const char *text, double cosines[6]);

// Where the axes of a volume lead, from the orientation of its slices and the step from
// one to the next (three numbers between backslashes; NULL: not known). How many are
// known: 3, or 2 without that step, or 0.
int odl_directions_axes (const char *orientation, const char *step, double axes[3][3]);

// The axes of the patient that those of a volume lie nearest to, each to another one: the
// order whose cosines have the largest sum, the first of several. 1 left, 2 back, 3 head;
// negative: the other way. The steps along the axes need not be of length 1.
void odl_directions_nearest (const double axes[3][3], int8_t nearest[3]);

// Where these lead as letters: L or R, P or A, S or I (to the head or the feet), such as
// "RAS".
void odl_directions_word (const int8_t nearest[3], char word[4]);

// The same of slices with that orientation, and that step from one to the next.
void odl_directions_of_slices (const double orientation[6],
                               const double step[3],
                               char word[4]);

G_END_DECLS
