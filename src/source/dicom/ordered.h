// SPDX-License-Identifier: MIT
// Bytes of new DICOM files, which the decoder makes by an order from the file at hand;
// untrusted headers are read nowhere else. Any thread.
#pragma once

#include <glib.h>

// Starts a decoder of that format (decoder/protocol.h) for the file `path`, hands it
// `order` when it asks for the file `name`, and returns its bytes. Transfer full. Blocks.
// Errors name the file: any of ODL_ERROR.
GBytes *odl_ordered_ask (const char *path,
                         const char *format,
                         const char *name,
                         const GByteArray *order,
                         GError **error);
