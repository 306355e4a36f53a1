// SPDX-License-Identifier: MIT
// How much noise a picture holds.
#pragma once

#include "filter/recipe.h"
#include "image/image.h"

G_BEGIN_DECLS

// Standard deviation of white noise in slice 0, frame 0, as a fraction of the stored
// range: the median of |HH| of the finest level of CDF 9/7, divided by 0.6745 and by the
// L2 norm of that band (D. Donoho, I. Johnstone, "Ideal spatial adaptation by wavelet
// shrinkage", Biometrika 81, 1994). What surrounds a picture would make it zero and is
// left out: runs of black, and of the value that covers at least half of a side of the
// frame, such as padding, letterbox bars and a scanner's screen; of samples of 8 bits,
// which were often compressed, those that are a level and a half off, too. Details that
// such a run touches do not count, so that writing in black surroundings does not,
// either. 0 where fewer than 64 details remain.
//
// Of colour pictures the noise of the luma, or with ODL_COLOUR_CHANNELS the middle one of
// the three channels'. Rows are left out, evenly, in large pictures: it takes some
// milliseconds. Any thread.
double odl_noise_of (const OdlImage *image, OdlColourMode colour);

G_END_DECLS
