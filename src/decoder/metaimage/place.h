// SPDX-License-Identifier: MIT
// Where the voxels of a MetaImage lie in the body, as ITK reads and writes it
// (itk::MetaImageIO): the numbers of TransformMatrix that follow each other are the
// direction of one axis, Offset is the centre of the first voxel, the world is LPS, and
// CenterOfRotation plays no part.
#pragma once

#include "decoder/metaimage/header.h"

// Numbers as written, in the order of the file.
typedef struct {
  double matrix[ODL_META_MAX_DIMENSIONS * ODL_META_MAX_DIMENSIONS];
  int n_matrix; // 0: missing
  double offset[3];
  int n_offset; // 0: missing
  char letters[8]; // where axes come from, such as "RAI" of those of LPS; "": missing
} OdlMetaPlace;

// Fills place, is_placed, place_differs and ignored of `header` with `n_axes` axes, 3 or
// more, whose size and spacing are known.
void odl_meta_place (OdlMetaHeader *header, const OdlMetaPlace *written, int n_axes);
