// SPDX-License-Identifier: MIT
// How well a filter keeps edges.
#pragma once

#include "image/image.h"

// Correlation (Pearson) of what is fine in both images: of a − G a and b − G b, where G
// is a Gaussian of σ = 2 with 17 × 17 taps and mirrored borders (whose outermost sample
// is repeated). Slice 0, frame 0; channels as odl_compare takes them, averaged. NaN where
// one of the images has nothing fine. ODL_ERROR_UNSUPPORTED if the sizes differ,
// ODL_ERROR_TOO_LARGE. Any thread.
bool odl_edge_correlation (const OdlImage *a,
                           const OdlImage *b,
                           double *correlation,
                           GError **error);
