// SPDX-License-Identifier: MIT
// The title of badges: what a recipe does, in words. Any thread.
#pragma once

#include "image/display/display.h"
#include "plan/plan.h"

// "CDF 9/7 · 3 levels · Soft threshold 0.05 + Gaussian 1"; NULL for an identity in the
// synthesis view. `max_levels` is what the image's size allows. Translated; transfer
// full.
char *odl_plan_title (const OdlRecipe *recipe, int max_levels);

// The same for pictures of a size, with the gains of details as they are `shown`, so that
// it says "coefficients, details × 64/16/8". NULL: without them.
char *odl_plan_title_for (const OdlRecipe *recipe,
                          const OdlGeometry *geometry,
                          const OdlDisplay *shown);

// What filter number `item` of a recipe is set to, as in the title, without its name:
// "CDF 9/7 · 3 levels · Threshold 0.05"; empty where it has no numbers. Translated;
// transfer full.
char *odl_plan_item_words (const OdlRecipe *recipe, int item);
