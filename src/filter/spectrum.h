// SPDX-License-Identifier: MIT
// How much noise each coefficient of a block has.
#pragma once

#include "filter/filter.h"
#include "filter/profile.h"

// Standard deviations of the noise in the 8 × 8 coefficients of an orthonormal cosine
// transform of blocks, row by row, the lowest frequencies first, of slice 0, frame 0 of
// `image`, which filters made of `came` (profile.h), as fractions of the stored range.
//
// Of `part`, less its plane, the root of the mean square over all blocks within. Without
// a part the lower quartile of magnitudes, of blocks that hold no surroundings: of what a
// picture has itself most blocks have little. Of means, which all blocks have, it is that
// of the differences to the block ODL_SPECTRUM_APART columns or rows on, whichever are
// less.
//
// Channels as for odl_noise_of_bands; likewise the middle of large pictures and parts.
// False: there are fewer than 64 blocks. 512² samples take 30 ms of one core. Any thread.
#define ODL_SPECTRUM_APART 16
bool odl_noise_of_spectrum (const OdlImage *image,
                            const OdlImage *came,
                            OdlColourMode colour,
                            const OdlNoisePart *part,
                            double deviations[ODL_SPECTRUM_VALUES]);
