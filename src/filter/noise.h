// SPDX-License-Identifier: MIT
// Noise estimation.
#pragma once

#include "filter/recipe.h"
#include "image/image.h"

// What is less is no noise, but what rounding leaves in a smooth picture of floats: a
// quarter of what rounding to 16 bits leaves (2⁻¹⁶ / √12).
#define ODL_NO_NOISE 1e-6

// Standard deviation of white noise in slice 0, frame 0, as a fraction of the stored
// range: the median of |HH| of the finest level of CDF 9/7, divided by 0.6745 and by the
// L2 norm of that band (D. Donoho, I. Johnstone, "Ideal spatial adaptation by wavelet
// shrinkage", Biometrika 81, 1994). Surroundings would pull the median to zero and are
// masked: runs of black, and runs of a value that covers at least half of a side of the
// frame (padding, letterbox bars, a scanner's screen). In 8-bit samples, which are often
// lossily compressed, a tolerance of 1.5 levels applies. Details whose filters touch such
// a run are ignored, including writing on a black background. 0 if fewer than 64 details
// remain, or below ODL_NO_NOISE.
//
// Colour pictures: the noise of the luma or, with ODL_COLOUR_CHANNELS, the median of the
// three channels' estimates. Large pictures are sampled by evenly spaced rows. Takes some
// milliseconds. Any thread.
double odl_noise_of (const OdlImage *image, OdlColourMode colour);

// The same in what filters made of picture `came`: the surroundings are those of `came`,
// which is as large and has as many channels. Any thread.
double
odl_noise_after (const OdlImage *image, const OdlImage *came, OdlColourMode colour);

// A rectangle of slice 0, frame 0 as scaled samples, of a channel or (−1) the luma.
// `inside` has 1 for each sample that is none of the surroundings, as said above. NULL:
// that one is not wanted. Any thread.
void odl_noise_plane (const OdlImage *image,
                      int channel,
                      const int area[4],
                      double *samples,
                      uint8_t *inside);
