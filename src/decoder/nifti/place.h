// SPDX-License-Identifier: MIT
// Where the voxels of a NIfTI file lie in the body, and how they are turned for display.
#pragma once

#include "decoder/nifti/header.h"

G_BEGIN_DECLS

// The fields of a header that tell it.
typedef struct {
  int qform_code, sform_code;
  double quaternion[3]; // b, c, d
  double qoffset[3];
  double srow[3][4];
  double pixdim[4]; // the first: sign of the third axis in qform
  double mm; // of a unit; 0: unknown
} OdlNiftiForms;

// Fills place, is_placed, forms_differ, spacing_mm, letters, axis and mirrored of
// `header`, whose extent is known; adds to `ignored`.
void odl_nifti_place (OdlNiftiHeader *header, const OdlNiftiForms *forms);

// Index of the voxel that is shown at x, y in the slice z, and the step to its
// neighbours along the three shown axes, in voxels of a volume.
int64_t odl_nifti_origin (const OdlNiftiHeader *header, int64_t step[3]);

G_END_DECLS
