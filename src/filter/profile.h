// SPDX-License-Identifier: MIT
// How much noise each band of a transform has.
#pragma once

#include "filter/recipe.h"
#include "image/image.h"

// A homogeneous part of a picture: it has nothing but noise about a plane.
typedef struct {
  int left, top, width, height; // within the picture
  const uint8_t *inside; // width · height, row by row: 0 is no part of it; NULL: all is
} OdlNoisePart;

// Standard deviations of the noise in the detail bands of a transform, of slice 0, frame
// 0 of `image`, which filters made of `came` (or the same; noise.h), as fractions of the
// stored range: deviations[ODL_DETAIL_BANDS · l + b] is that of band b (OdlDetailBand) of
// level l + 1. `wavelet` NULL: of the dual tree, of the real and of the imaginary part of
// its coefficients, of both orientations together.
//
// It is found by the lower quartile of magnitudes, which is 0.3186 σ of real coefficients
// and √(2 ln (4 / 3)) = 0.7585 σ of complex ones, of what depends on no surroundings
// (noise.h; the mask of a level is that of plan/numbers.h). The median of D. Donoho and
// I. Johnstone ("Ideal spatial adaptation by wavelet shrinkage", Biometrika 81, 1994)
// counts a picture's own details at coarse levels, where they are many: of `camera` and
// `ascent` with white noise of σ = 25 of 255 bivariate shrinkage then loses 0.5 and
// 1.7 dB more. `part`: of that alone, less its plane, and the root of the mean square of
// what depends on nothing else; NULL: of the picture.
//
// Of colour pictures: of the luma or, with ODL_COLOUR_CHANNELS, of all details of the
// channels together. Of large pictures and parts the middle is
// measured, up to ODL_PROFILE_SIDE². Returns how many levels have at least 64
// coefficients in each band to measure by, at most `levels`. 512² samples of the dual
// tree take 25 ms of one core, which all cores share; four times that at most. Any
// thread.
#define ODL_PROFILE_SIDE 1024
int odl_noise_of_bands (const OdlImage *image,
                        const OdlImage *came,
                        OdlColourMode colour,
                        const OdlWavelet *wavelet,
                        int levels,
                        const OdlNoisePart *part,
                        double deviations[ODL_MAX_LEVELS * ODL_DETAIL_BANDS]);

// A quarter of the magnitudes of normal numbers is below, in units of σ.
#define ODL_QUARTILE_OF_NORMAL 0.31863936396437514

// The value that would stand at `rank` if the `n` values were sorted, by C. Hoare's FIND
// (Communications of the ACM 4, 1961). Moves the values; NaN counts as any value.
double odl_select_value (double *values, guint n, guint rank);

// The middle of `part`, no larger than what is measured. Its mask is transfer full.
OdlNoisePart odl_noise_middle (const OdlNoisePart *part);

// The samples of one channel in a rectangle of the size of `part`, less the plane that
// fits those of the part best, in place; how many these are.
size_t odl_subtract_plane (double *samples, const OdlNoisePart *part);
