// SPDX-License-Identifier: MIT
// The noise that filters between “stabilise” and “restore” meet.
#pragma once

#include "filter/recipe.h"
#include "image/image.h"

// `image` as filter `item` of `recipe` meets its noise: what the “stabilise” filters make
// of it that stand before and are not undone there; nothing else that stands before is
// regarded. Scaled F32 samples, the luma alone where that is what is filtered. NULL:
// there are none, or no memory. Transfer full. Any thread.
OdlImage *odl_stabilised_for (const OdlRecipe *recipe, int item, const OdlImage *image);

// Whether the last of these is for photons; then *sigma is what their noise becomes there
// whatever the picture, 1 / (2 √(peak + 3/8)). Any thread.
bool odl_recipe_knows_noise (const OdlRecipe *recipe, int item, double *sigma);
