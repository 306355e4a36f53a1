// SPDX-License-Identifier: MIT
// Where the voxels of a volume lie in the body, and how its stored axes are turned for
// display: by whole axes, so that volumes lead to the left, to the back and up.
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t extent[3]; // of stored axes, at least 1
  // Millimetres to the left, to the back and up (LPS) of a stored voxel, by whose indices
  // the columns are multiplied: x, y, z, and the first voxel.
  double lps[3][4];
  char letters[4]; // where stored axes lead, such as "RAS"
  // Stored axis that leads across, down and through slices when shown; and whether in
  // the opposite direction. Of a single slice up is up.
  int axis[3];
  bool mirrored[3]; // by shown axis
} OdlPlace;

// Length of the step along an axis.
double odl_place_step (const double m[3][4], int axis);

// Whether voxels can lie so: finite, with sides between 1e-6 and 1e6, and axes that span
// a space. They need not be at right angles, and may be left-handed.
bool odl_place_is_sane (const double m[3][4]);

// Whether any corner is elsewhere by more than a tenth of a voxel.
bool
odl_place_differs (const double a[3][4], const double b[3][4], const uint32_t extent[3]);

// Fills letters, axis and mirrored; extent and lps are known.
void odl_place_turn (OdlPlace *place);

// Axes as they are stored, for what cannot be turned.
void odl_place_keep (OdlPlace *place);

// Turns a picture as the scanner showed it, by the letters that PlusLib and IGSIO write
// for each stored axis: x leads to the marked side of the transducer (M, U), y away from
// it (F, N) and z as it is swept (A, D); such as "MFA", of pictures also "FM". False:
// they say nothing of it, and axes stay as they are stored.
bool odl_place_turn_to_transducer (OdlPlace *place, const char *orientation);

// Index of the voxel that is shown at x, y in the slice z, and the step to its
// neighbours along the three shown axes, in voxels of a volume.
int64_t odl_place_origin (const OdlPlace *place, int64_t step[3]);

// Marks slices whose first voxels do not lie straight above each other. 0: they do.
void odl_place_tell_tilt (OdlPicture *picture, double degrees);

// Adds the letters of the stored axes, and as in DICOM files where the first voxel shown
// lies and where rows, columns and slices lead. Axes that are not at right angles are
// told, and slices are as far apart as their planes; n_slices and spacings are known.
void odl_place_describe (const OdlPlace *place, OdlPicture *picture);

G_END_DECLS
