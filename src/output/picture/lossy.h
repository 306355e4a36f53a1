// SPDX-License-Identifier: MIT
// JPEG and WebP files of a picture as it is shown, 8 bits a sample.
#pragma once

#include "image/image.h"
#include "output/output.h"

// How good a lossy picture is.
typedef enum {
  ODL_LOSSY_HIGH, // hardly any visible loss; colours as fine as the luma
  ODL_LOSSY_LOSSLESS, // WebP alone
  ODL_LOSSY_SMALL,
} OdlLossy;

// Each writes `shown`, a U8 image without padding between samples, with 1, 3 or 4
// channels; JPEG has no alpha, which is left out. `description` (processing) and `mark`
// (may be NULL) go into a comment of JPEG. ODL_ERROR_IO; ODL_ERROR_TOO_LARGE: a side is
// too long for the format (65500 and 16383 pixels); ODL_ERROR_UNSUPPORTED: JPEG without
// loss. Any thread.
bool odl_jpeg_encode (OdlOutput *output,
                      const OdlImage *shown,
                      OdlLossy lossy,
                      const char *description,
                      const char *mark,
                      GError **error);
bool odl_webp_encode (OdlOutput *output,
                      const OdlImage *shown,
                      OdlLossy lossy,
                      GError **error);
