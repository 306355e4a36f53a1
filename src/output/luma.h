// SPDX-License-Identifier: MIT
// RGB to YCbCr for encoders: ITU-R BT.709-6, table 3, BT.601-7, section 2.5, or
// BT.2020-2, table 4; 8 bits, black 16, white 235. GStreamer 1.22's conversion has a
// bias of up to 3 of 255.
#pragma once

#include "image/image.h"

// The matrix.
typedef enum {
  ODL_LUMA_BT709,
  ODL_LUMA_BT601,
  ODL_LUMA_BT2020,
  ODL_N_LUMAS,
} OdlLuma;

// The destination planes. `shift` 0: full chroma resolution; 1: one chroma sample per
// 2 × 2 pixels, sited on the left pixels (as MPEG-2). Plane 0 has width × height
// samples, the others half as many per side with `shift`, rounded up.
typedef struct {
  uint8_t *planes[3];
  size_t stride_bytes[3];
  int width, height;
  int shift;
  OdlLuma luma;
} OdlLumaPlanes;

// `shown`: U8, interleaved, 1, 3 or 4 channels (alpha is ignored), of the same size or
// smaller; its last column and row are repeated. Any thread.
void odl_luma_fill (const OdlLumaPlanes *planes, const OdlImage *shown);
