// SPDX-License-Identifier: MIT
// The one thing of Exif that pixels need: which way up they are.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Orientation 1 … 8 from the body of a JPEG APP1 marker; 0 when it holds none.
int odl_exif_orientation (const uint8_t *data, size_t size);
