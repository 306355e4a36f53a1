// SPDX-License-Identifier: MIT
// Values of a recipe that come from a picture: what is ODL_VALUE_AUTO before.
#pragma once

#include "filter/noise.h"

G_BEGIN_DECLS

// False when some value still waits for a picture.
bool odl_recipe_is_measured (const OdlRecipe *recipe);

// Gives each value that is ODL_VALUE_AUTO, and no other, the one that suits white noise
// of standard deviation `sigma` (fraction of the stored range). With N(l) the root mean
// square of such noise of σ = 1 in the three detail bands of level l of the filter's
// wavelet, which has one threshold for the three:
//   shrinkage       σ · N(l) for each level l
//   soft-threshold  σ · N(2) for all levels
//   hard-threshold  σ · N(1) for all levels
// Of the multiples that were tried these are the largest that improve pictures with much
// and with little noise. Three significant digits, so that the text is short. Any thread.
void odl_recipe_set_noise (OdlRecipe *recipe, double sigma);

// The same with the noise of `image`. True when there was something to measure. The
// picture is taken as it came, whatever stands before such a filter in the chain. Any
// thread.
bool odl_recipe_measure (OdlRecipe *recipe, const OdlImage *image);

// Whether `before` had values to be measured that are all 0 in `after`: there is no
// noise.
bool odl_recipe_found_no_noise (const OdlRecipe *before, const OdlRecipe *after);

// Root mean square of white noise of σ = 1 in the detail bands of `level`, 1 the finest.
double odl_noise_gain (const OdlWavelet *wavelet, int level);

// The same of one of them.
double odl_noise_gain_of_band (const OdlWavelet *wavelet, int level, OdlDetailBand band);

G_END_DECLS
