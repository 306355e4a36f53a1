// SPDX-License-Identifier: MIT
// Reads the orientation from Exif data, wherever a format keeps it, and whether a file
// has more pictures than the one that all programs read.
#pragma once

#include <stdbool.h>
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

// Whether a PNG file holds more pictures than the one in “IDAT” (Animated PNG: “acTL”).
bool odl_png_is_animated (const uint8_t *data, size_t size);

// How many pictures of their own a JPEG file holds, smaller copies of the first one not
// counted, by `size` bytes of its marker APP2 (CIPA DC-007); 0: it says nothing of them.
int odl_mpf_pictures (const uint8_t *data, size_t size);

// The eight orientations of Exif and TIFF 6.0 (tag 274): mapping of stored to
// displayed pixels.

// Offsets in the displayed picture, in pixels, for a step along the stored row or
// column.
typedef struct {
  uint32_t width; // of the displayed picture
  uint32_t height;
  ptrdiff_t origin; // displayed position of stored pixel (0, 0)
  ptrdiff_t step_x;
  ptrdiff_t step_y;
} OdlOrientation;

// For a stored picture of `width` × `height`; an invalid `orientation` counts as 1.
OdlOrientation odl_orientation (int orientation, uint32_t width, uint32_t height);

// Copies a stored row of `width` pixels of `pixel_bytes` to its displayed position.
void odl_orientation_put_row (const OdlOrientation *orientation,
                              const void *row,
                              uint32_t y,
                              uint32_t width,
                              size_t pixel_bytes,
                              void *picture);
