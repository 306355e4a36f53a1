// SPDX-License-Identifier: MIT
// What was done between two steps of the history, in words. Main thread.
#pragma once

#include "filter/recipe.h"

// "Add Median", "Soft threshold: Threshold 0.1", "Switch off Median". The recipes differ.
// Translated; transfer full.
char *odl_step_words (const OdlRecipe *before, const OdlRecipe *now);
