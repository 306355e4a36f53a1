// SPDX-License-Identifier: MIT
// Replaces ODL_VALUE_AUTO in a recipe by values measured from a picture.
#pragma once

#include "filter/noise.h"
#include "filter/profile.h"

// True if no value is waiting to be measured.
bool odl_recipe_is_measured (const OdlRecipe *recipe);

// Whether a value waits for the noise of a picture: one of these, or one that would be
// measured in each frame. odl_recipe_measure_in replaces nothing where none does.
bool odl_recipe_waits_for_noise (const OdlRecipe *recipe);

// Replaces each ODL_VALUE_AUTO by a threshold for white noise of standard deviation σ
// (fraction of the stored range), measured in `image`: the unfiltered picture, even if
// other filters come first. With N(l) the root mean square, over the three detail bands
// of level l of the filter's wavelet, or of the magnitudes of the dual tree, of white
// noise with σ = 1:
//   shrinkage       σ · N(l) for each level l
//   soft-threshold  σ · N(2) for all levels
//   hard-threshold  σ · N(1) for all levels
//   bivariate       σ
//   bm3d, wiener    σ
//   restore         σ
// `profile` of bivariate is, for each band, the noise measured there (profile.h) by that
// which white noise of σ would have; if σ is measured with it, σ is the root of the mean
// square over the bands but the coarsest ones.
// Between `stabilise` and its `restore` noise is measured in what that makes of `image`
// (stabilised.h), but for σ within `anscombe`, where it is what that makes of photons,
// 1 / (2 √(peak + 3/8)), whatever the picture has.
// These are the largest multiples tried that improve pictures with little noise as well.
// Rounded to three significant digits, to keep the text short. True if any value was
// replaced. Any thread.
bool odl_recipe_measure (OdlRecipe *recipe, const OdlImage *image);

// The same with the noise of a homogeneous part: σ is the standard deviation of its
// samples about the plane that fits them best, of all channels or the luma together. So
// noise that is no white one, such as speckle, has its full size, too. The profile of
// bivariate, and the thresholds of shrinkage, are those of the part's own bands; levels
// with too few coefficients there have what the others leave of σ. Also
// sets every σ that would be measured in each frame. True if any value was replaced.
bool odl_recipe_measure_in (OdlRecipe *recipe,
                            const OdlImage *image,
                            const OdlNoisePart *part);

// That standard deviation, of slice 0, frame 0, as a fraction of the stored range; of
// several channels the root of the mean square. 0 for fewer than 4 samples. Any thread.
double
odl_deviation_of (const OdlImage *image, OdlColourMode colour, const OdlNoisePart *part);

// Puts ODL_VALUE_AUTO in the place of all that says how much noise filter `item` has to
// expect, what it knows of bands included. False: nothing does.
bool odl_recipe_forget_noise (OdlRecipe *recipe, int item);
bool odl_filter_takes_noise (const OdlFilter *filter);

// True if `before` had values to measure and all of them are 0 in `after`: the picture
// has no noise.
bool odl_recipe_found_no_noise (const OdlRecipe *before, const OdlRecipe *after);

// Root mean square of white noise with σ = 1 in the detail bands of `level` (1: finest).
// `wavelet` NULL: of the magnitudes of the dual tree, whose square has two such parts.
double odl_noise_gain (const OdlWavelet *wavelet, int level);

// The same of the dual tree: of the real and of the imaginary part of its coefficients,
// of both orientations together.
double odl_noise_gain_of_dual_band (int level, OdlDetailBand band);

// Likewise for one band.
double odl_noise_gain_of_band (const OdlWavelet *wavelet, int level, OdlDetailBand band);
