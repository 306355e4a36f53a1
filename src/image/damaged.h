// SPDX-License-Identifier: MIT
// The picture in place of a frame that could not be decoded.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// A black picture of the geometry and meaning of `like`, marked as damaged; NULL only
// when memory is short. It stands for the frame, so that a cine never shows the one
// before it instead. Any thread.
OdlImage *odl_damaged_image (const OdlImage *like);

// Scaled F32 samples for such a picture in a file that has no room for a mark: a cross
// from corner to corner, which no picture shows by chance. Any thread.
OdlImage *odl_damaged_cross (const OdlImage *like);

G_END_DECLS
