// SPDX-License-Identifier: MIT
// Where the edges of a picture lie in a patient, as letters (DICOM PS3.3 C.7.6.1.1.1).
// Any thread.
#pragma once

#include "image/display/view.h"

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

// One step from the middle of a picture to each edge, downwards positive.
extern const OdlPoint odl_edge_steps[ODL_N_EDGES];

// Where a step in the image leads: L or R, P or A, H or F, the longest part first; parts
// below a tenth are left out. `cosines`: where rows and columns lead, in LPS.
void odl_directions_letters (const double cosines[6],
                             OdlPoint step,
                             char letters[ODL_DIRECTION_LETTERS + 1]);
