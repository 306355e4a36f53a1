// SPDX-License-Identifier: MIT
// Reads the orientation from Exif data, wherever a format keeps it.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Orientation 1 … 8 from Exif data, with or without the six letters that it begins with
// in JPEG; 0 if there is none.
int odl_exif_orientation (const uint8_t *data, size_t size);

// The same of whole files: of PNG by the chunk “eXIf”, which may stand behind the
// samples, of WebP by the chunk “EXIF”. 1 if there is none.
int odl_exif_of_png (const uint8_t *data, size_t size);
int odl_exif_of_webp (const uint8_t *data, size_t size);

// The content of the first chunk of that name (four letters) in a WebP file, `length`
// bytes; NULL: there is none.
const uint8_t *
odl_webp_chunk (const uint8_t *data, size_t size, const char *name, size_t *length);
