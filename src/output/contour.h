// SPDX-License-Identifier: MIT
// Contours as files that other programs read: SVG and CSV.
#pragma once

#include "image/image.h"
#include "output/output.h"

// Whether the name says SVG or CSV.
bool odl_contour_name_is_known (const char *path);

// Writes the contours of `numbers` (image/contour/contour.h), found in a picture that
// `info` describes, as SVG where `path` says so, else as CSV: in millimetres where the
// pixels' size is known, else in pixels, from the upper left corner of the picture. CSV
// has a row for each point: the number of its contour from 1, 1 for a hole, else 0, x and
// y. ODL_ERROR_IO. Any thread.
bool odl_contour_write (OdlOutput *output,
                        const float *numbers,
                        const OdlImageInfo *info,
                        const char *path,
                        GError **error);

// Writes the mask as a PNG of 8 bits: 255 inside, else 0. Errors: those of
// odl_png_encode.
bool odl_contour_write_mask (OdlOutput *output,
                             const float *numbers,
                             const OdlImageInfo *info,
                             const char *description,
                             GError **error);
