// SPDX-License-Identifier: MIT
// Replacement pictures for damaged frames and for a camera without signal.
#pragma once

#include "image/image.h"

// A black image with the geometry and metadata of `like`, marked as damaged: the
// replacement for a frame that cannot be decoded. NULL only when memory is short. Any
// thread.
OdlImage *odl_damaged_image (const OdlImage *like);

// The replacement for output formats that have no room for a mark: a diagonal cross.
// Scaled F32 samples. Any thread.
OdlImage *odl_damaged_cross (const OdlImage *like);

// Draws the cross over a picture, such as the last frame of a camera that was lost.
// Any thread.
OdlImage *odl_damaged_crossed (const OdlImage *scaled);

// The last frame of a camera without signal, dimmed and marked, in 8 bits; NULL only
// when memory is short. Any thread.
OdlImage *odl_lost_image (const OdlImage *last);
