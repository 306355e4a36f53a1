// SPDX-License-Identifier: MIT
// What a filter receives: the filters before it. Any thread.
#pragma once

#include "filter/recipe.h"

// The noise of filter `item` is that of what filters 0 … n − 1 make; n. Those are the
// ones before it, but for `restore`, which has to know what its `stabilise` made, and
// inside a transform, where it is the noise of what is transformed.
int odl_recipe_received_end (const OdlRecipe *recipe, int item);

// Whether these are a single one that acts, a `stabilise` for photons; then *sigma is
// what their noise becomes there whatever the picture, 1 / (2 √(peak + 3/8)).
bool odl_recipe_knows_noise (const OdlRecipe *recipe, int item, double *sigma);

// A number that tells whether these have changed; never 0.
guint odl_recipe_received_hash (const OdlRecipe *recipe, int item);

// Whether filter `item` acts, and filters before it have changed since its noise was
// measured.
bool odl_recipe_measured_before (const OdlRecipe *recipe, int item);
