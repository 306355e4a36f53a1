// SPDX-License-Identifier: MIT
// Opacity, as files keep it, to that of OdlImage: colours are not multiplied by it.
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

// The least opacity of which one can see anything in 8 bits: colours below it count in no
// range.
#define ODL_OPACITY_SEEN (1 / 255.0)

// Divides the colours of an allocated RGBA picture by its opacity, which they are
// multiplied with in the file. Opacity is 0 … 1 of floats, 0 … stored_max of whole
// numbers without sign; of others, and where next to nothing is opaque, colours stay.
void odl_picture_divide_by_opacity (OdlPicture *picture);

// Warns that each pixel has `n` samples more than are shown; 0: says nothing.
void odl_picture_warn_of_samples (OdlPicture *picture, int n);

G_END_DECLS
