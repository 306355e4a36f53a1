// SPDX-License-Identifier: MIT
// Filters inside a transform: the two filters “transform” and “inverse” enclose what
// shares one decomposition. Threshold filters have its wavelet and levels, spatial ones
// work on bands as if these were pictures (OdlInsideAt). E. Nielsen, "Real-time wavelet
// filtering on the GPU" (2007), section 2.4.3: its points f1 (approximation), f2
// (coarsest), f3 and f4 (details).
#pragma once

#include "filter/recipe.h"

// Whether at=… means something for the filter: it works on a picture, and bands may stand
// for one. Any thread, as for all of these.
bool odl_filter_has_at (const OdlFilter *filter);

// Whether the filter may stand inside a transform of that kind.
bool odl_filter_fits_inside (const OdlFilter *filter, OdlTransformKind kind);

// The active “transform” that item `item` stands in; −1: none. The one that begins there
// and its “inverse” do not stand in it. Transforms do not nest: what begins inside
// another one stands in it, and may not.
int odl_recipe_transform_around (const OdlRecipe *recipe, int item);

// The active “inverse” that ends the active “transform” `transform`; n_items: none does,
// and it ends with the recipe.
int odl_recipe_transform_end (const OdlRecipe *recipe, int transform);

// Puts a “transform” and an “inverse” around item `item` if it is a filter that works
// nowhere else, stands in none, and there is room for both.
void odl_recipe_enclose (OdlRecipe *recipe, int item);

// Gives what stands inside a transform its wavelet, its levels and its kind, and no
// shifts of its own, as plans take them.
void odl_recipe_share_transforms (OdlRecipe *recipe);
