// SPDX-License-Identifier: MIT
// What an answer of the decoder says about its picture besides: further windows, regions
// with scales of their own, a shutter.
#pragma once

#include "decoder/protocol.h"
#include "image/image.h"

// Whether the numbers in the header can be.
bool odl_decoder_details_is_sane (const OdlDecoderReply *header);

// Puts it into `info`, from the mapped memory file `data`, whose size has been checked.
// False: invalid; what was put there is to be released all the same.
bool odl_decoder_details_read (const OdlDecoderReply *header,
                               const void *data,
                               OdlImageInfo *info);
void odl_decoder_details_release (OdlImageInfo *info);
