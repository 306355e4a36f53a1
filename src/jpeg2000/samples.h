// SPDX-License-Identifier: MIT
// From the rows of a picture to components: whole numbers about zero, in colour luma and
// differences (ISO/IEC 15444-1, annex G).
#pragma once

#include "image/image.h"
#include "jpeg2000/jpeg2000.h"

G_BEGIN_DECLS

// Components are transposed, since JPEG 2000 transforms columns first and blocks are
// coded column by column: OdlImages of one channel, `height` wide.
typedef struct {
  int n;
  OdlImage *components[ODL_IMAGE_MAX_CHANNELS]; // F32; owned
} OdlJ2kComponents;

// `reversible`: the colour transform in whole numbers. ODL_ERROR_TOO_LARGE.
bool odl_j2k_components_make (const OdlImage *picture,
                              const OdlJpeg2000Samples *samples,
                              bool reversible,
                              OdlJ2kComponents *components,
                              GError **error);
void odl_j2k_components_clear (OdlJ2kComponents *components);

G_END_DECLS
