// SPDX-License-Identifier: MIT
// Pictures in place of those that did not come: damaged frames, a camera's lost signal.
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

// The same over a picture that says something by its mark, such as the last one of a
// camera that was lost. Any thread.
OdlImage *odl_damaged_crossed (const OdlImage *scaled);

// The last picture of a camera that sends no more, dimmed and marked, in 8 bits; NULL
// only when memory is short. Any thread.
OdlImage *odl_lost_image (const OdlImage *last);

G_END_DECLS
