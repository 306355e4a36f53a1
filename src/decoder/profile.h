// SPDX-License-Identifier: MIT
// Colour profiles (ICC.1): which one a picture has. They are not applied.
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

// Notes in the details what the profile is called, and whether the picture is shown as it
// says all the same, which holds for sRGB alone. `size` 0: there is none.
void odl_picture_note_profile (OdlPicture *picture, const uint8_t *profile, size_t size);

G_END_DECLS
