// SPDX-License-Identifier: MIT
// One number for how much all filters of a recipe do. Any thread.
#pragma once

#include "filter/recipe.h"

// The recipe that a plan is made of: with S its strength, each value v that says how much
// a filter does becomes n + S (v − n), within its range; n is the value at which the
// filter changes nothing (0 of a threshold, 1 of a gain). S = 0 changes nothing, 1 is the
// recipe as written, 2 twice as much. All other values stay, and so do those that are
// measured in every frame. A filter without such a value (a median) does its whole work
// at any strength; one that no value makes neutral is bypassed at 0. The result has
// strength 1.
OdlRecipe odl_recipe_at_strength (const OdlRecipe *recipe);

// Whether strength changes anything: some active filter has such a value.
bool odl_recipe_has_strength (const OdlRecipe *recipe);

// The filters and parameters that have it: the i-th, NULL beyond the last one.
typedef struct {
  const char *filter, *key;
  double neutral;
  bool bypasses; // at 0, since no value leaves the picture as it is
} OdlStrengthRow;

const OdlStrengthRow *odl_strength_row (size_t index);
