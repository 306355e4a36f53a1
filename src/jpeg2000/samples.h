// SPDX-License-Identifier: MIT
// From the rows of a picture to components: whole numbers about zero, in colour luma and
// differences (ISO/IEC 15444-1, annex G).
#pragma once

#include "jpeg2000/jpeg2000.h"

// A part of a picture.
typedef struct {
  int x, y, width, height;
} OdlJ2kRegion;

// Components of a region. They are transposed, since JPEG 2000 transforms columns first
// and blocks are coded column by column: sample (x, y) is columns[x · pitch + y].
typedef struct {
  OdlJ2kRegion region;
  float *columns[ODL_IMAGE_MAX_CHANNELS];
  gsize pitch;
} OdlJ2kComponents;

// `reversible`: the colour transform in whole numbers.
void odl_j2k_components_fill (const OdlImage *picture,
                              const OdlJpeg2000Samples *samples,
                              bool reversible,
                              const OdlJ2kComponents *components);
