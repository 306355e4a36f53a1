// SPDX-License-Identifier: MIT
// PNG files, 8 or 16 bits per sample.
#pragma once

#include "image/display/display.h"
#include "image/rows.h"
#include "output/output.h"

// Writes `shown`, a U8 or U16 image without padding between samples, with 1, 3 or 4
// channels. `description` (processing) and `mark` (may be NULL) are stored as text,
// together with the program's name and the pixel spacing. ODL_ERROR_IO,
// ODL_ERROR_TOO_LARGE. Any thread.
bool odl_png_encode (OdlOutput *output,
                     const OdlImage *shown,
                     const char *description,
                     const char *mark,
                     GError **error);

// Likewise for `scaled` rendered with `display` in bands of rows, without a complete
// rendered picture in memory. Consumes the rows.
bool odl_png_encode_display (OdlOutput *output,
                             OdlRows *scaled,
                             const OdlDisplay *display,
                             int bits,
                             const char *description,
                             const char *mark,
                             GError **error);
