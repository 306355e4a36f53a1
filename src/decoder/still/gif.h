// SPDX-License-Identifier: MIT
// Animated GIF files, composed by gdk-pixbuf.
#pragma once

#include "decoder/picture.h"

// Decodes input->frame, if there are several. *is_moving false: there is a single
// picture, or what is there is no GIF, and nothing was done. `kept` holds the frames.
// ODL_ERROR_CORRUPT, _TOO_LARGE.
bool odl_gif_decode_moving (const OdlDecoderInput *input,
                            OdlPicture *picture,
                            bool *is_moving,
                            GError **error);
