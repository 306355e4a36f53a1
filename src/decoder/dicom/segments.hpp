// SPDX-License-Identifier: MIT
// Segmentations and structure sets.
#pragma once

#include <vector>

#include "decoder/dicom/item.hpp"

// Segments and their frames, in the order in which these are shown, or the contours of a
// structure set, as protocol.h has them. `header`: of a segmentation. The caller frees
// the bytes. ODL_ERROR_UNSUPPORTED: it is neither; ODL_ERROR_TOO_LARGE.
GByteArray *
odl_dicom_segments (const OdlDicomHeader *header, DcmDataset &dataset, GError **error);
