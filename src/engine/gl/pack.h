// SPDX-License-Identifier: MIT
// Samples pixel by pixel, for uploads of images that GL cannot read in place.
#pragma once

#include "image/image.h"

// Slice 0, frame 0 of `image`, interleaved in its own type without padding; of YCbCr
// images red, green and blue, rounded. Any thread.
void odl_gl_pack_pixels (const OdlImage *image, uint8_t *out);
