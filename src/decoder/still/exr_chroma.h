// SPDX-License-Identifier: MIT
// Luminance and chroma of OpenEXR to colours.
#pragma once

#include <openexr.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int width, height; // of luminance
  int step[2]; // of chroma, along x and y: 1 or 2; then both sides are even
  const float *y, *ry, *by; // RY = (R − Y) / Y, BY = (B − Y) / Y
  double weights[3]; // of red, green and blue in Y; their sum is 1
} OdlExrChroma;

// The weights by the file's primaries and white, or those of ITU-R BT.709.
void odl_exr_weights (exr_const_context_t exr, int part, double weights[3]);

// Interpolates chroma as OpenEXR's RgbaInputFile does (the filter of 27 taps and the
// limit of saturation in ImfRgbaYca.h) and writes three planes one after the other.
// False: not enough memory.
bool odl_exr_chroma_to_rgb (const OdlExrChroma *chroma, float *rgb);
