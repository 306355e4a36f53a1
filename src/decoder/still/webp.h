// SPDX-License-Identifier: MIT
// Animated WebP files.
#pragma once

#include "decoder/picture.h"

// Decodes input->frame of a file with several frames, as odl_gif_decode_moving.
bool odl_webp_decode_moving (const OdlDecoderInput *input,
                             int turn,
                             OdlPicture *picture,
                             bool *is_moving,
                             GError **error);
