// SPDX-License-Identifier: MIT
// Pictures of patients, for the real window.
#pragma once

#include "support.h"

G_BEGIN_DECLS

// Writes NAME.dcm, black, of somebody of that name, in the folder; with that Image
// Orientation (Patient) and as many rows and columns. "Ct" has a scanner's values and
// levels of grey, "Gamma" is of the right side. Transfer full path.
char *
write_patient (Fixture *fixture, const char *name, const char *orientation, int side);

// A slice of 8 × 8 samples at that place, of a series that the others belong to, too.
void write_slice (const char *folder, int place);

G_END_DECLS
