// SPDX-License-Identifier: MIT
// Reads the orientation from Exif data.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Orientation 1 … 8 from the body of a JPEG APP1 marker; 0 if there is none.
int odl_exif_orientation (const uint8_t *data, size_t size);
