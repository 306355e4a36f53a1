// SPDX-License-Identifier: MIT
// Pictures as shown in luma and colour differences for encoders: ITU-R BT.709-6, table 3,
// BT.601-7, section 2.5, or BT.2020-2, table 4, 8 bits, black 16 and white 235.
// GStreamer 1.22 does the same with a bias of 3 of 255.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// What luma is made of.
typedef enum {
  ODL_LUMA_BT709,
  ODL_LUMA_BT601,
  ODL_LUMA_BT2020,
  ODL_N_LUMAS,
} OdlLuma;

// Three planes to fill. `shift` 0: a colour sample for each pixel; 1: one for 2 × 2
// pixels, on the left two of them (as in MPEG-2). Plane 0 has width × height samples, the
// others half as many rounded up, with `shift`.
typedef struct {
  uint8_t *planes[3];
  size_t stride_bytes[3];
  int width, height;
  int shift;
  OdlLuma luma;
} OdlLumaPlanes;

// `shown`: U8, interleaved, 1, 3 or 4 channels (alpha is left out), of the same size or
// smaller: its last column and row are repeated. Any thread.
void odl_luma_fill (const OdlLumaPlanes *planes, const OdlImage *shown);

G_END_DECLS
