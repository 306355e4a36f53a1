// SPDX-License-Identifier: MIT
// PNG files, 8 or 16 bits a sample.
#pragma once

#include "image/display/display.h"
#include "image/rows.h"
#include "output/output.h"

G_BEGIN_DECLS

// Writes `shown`, a U8 or U16 image without padding between samples of a row, with 1, 3
// or 4 channels. `description` is what was done to the picture; `mark` (may be NULL) what
// is wrong with it; both are kept as text, as are program and pixel distance. Errors:
// ODL_ERROR_IO, ODL_ERROR_TOO_LARGE. Any thread.
bool odl_png_encode (OdlOutput *output,
                     const OdlImage *shown,
                     const char *description,
                     const char *mark,
                     GError **error);

// The same of what odl_display_render would make of `scaled`, some rows at a time: no
// whole picture lies in memory beside it. Uses the rows up.
bool odl_png_encode_display (OdlOutput *output,
                             OdlRows *scaled,
                             const OdlDisplay *display,
                             int bits,
                             const char *description,
                             const char *mark,
                             GError **error);

G_END_DECLS
