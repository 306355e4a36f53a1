// SPDX-License-Identifier: MIT
// The eight orientations of Exif and TIFF 6.0 (tag 274): mapping of stored to
// displayed pixels.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
