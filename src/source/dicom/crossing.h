// SPDX-License-Identifier: MIT
// Where pictures of one frame of reference cross each other: reference lines. Any thread.
#pragma once

#include "source/dicom/segments.h"

// The line along which `other` lies in `plane`, as far as `other` reaches; image
// coordinates of `plane`. False: they are parallel, or do not meet within `plane`, or it
// is not known where they lie.
bool odl_crossing (const OdlSegmentsPlane *plane,
                   const OdlSegmentsPlane *other,
                   OdlPoint line[2]);
