// SPDX-License-Identifier: MIT
// Opacity, as files keep it, to that of OdlImage: colours are not multiplied by it.
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

// Divides the colours of an allocated RGBA picture by its opacity, which they are
// multiplied with in the file. Opacity is 0 … 1 of floats, 0 … stored_max of whole
// numbers without sign; of others, and where next to nothing is opaque, colours stay.
void odl_picture_divide_by_opacity (OdlPicture *picture);

// odl_picture_finish_floats of an RGBA picture whose opacity is 0 … 1: gives it the scale
// of the colours, as pictures have it. The range, without a declared one, is that of
// colours that can be seen. Opacity that exceeds 1 has that scale already.
void odl_picture_finish_rgba (OdlPicture *picture, const double *declared);

// Warns that each pixel has `n` samples more than are shown; 0: says nothing.
void odl_picture_warn_of_samples (OdlPicture *picture, int n);

G_END_DECLS
