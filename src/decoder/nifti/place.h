// SPDX-License-Identifier: MIT
// Where the voxels of a NIfTI file lie in the body.
#pragma once

#include "decoder/nifti/header.h"

// The fields of a header that tell it.
typedef struct {
  int qform_code, sform_code;
  double quaternion[3]; // b, c, d
  double qoffset[3];
  double srow[3][4];
  double pixdim[4]; // the first: sign of the third axis in qform
  double mm; // of a unit; 0: unknown
} OdlNiftiForms;

// Fills place, whose extent is known, is_placed, forms_differ and spacing_mm of `header`;
// adds to `ignored`.
void odl_nifti_place (OdlNiftiHeader *header, const OdlNiftiForms *forms);
