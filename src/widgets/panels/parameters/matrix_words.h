// SPDX-License-Identifier: MIT
// What the rows of parameters are called, and those of a matrix say of its bands.
#pragma once

#include "filter/recipe.h"

typedef struct {
  const char *bands[ODL_DEEP_BANDS];
  const char *icon, *follow; // of a button: its numbers are those of others
  const char *reset, *link; // translatable, as `follow`
} OdlMatrixWords;

// By an OdlFollowing.
extern const OdlMatrixWords odl_matrix_words[];

// The largest of the numbers that hold for `count` values from `index` on of a matrix
// that follows another one, while they follow.
double odl_matrix_followed (const OdlRecipeItem *item,
                            const OdlParameter *parameter,
                            int index,
                            int count);

// "Threshold of level 2": of the level of value `index`; of what is no matrix its name.
// And "Threshold of level 2 (of full scale)" of that, for screen readers; `unit` is
// translated. Transfer full.
char *odl_matrix_label (const OdlParameter *parameter, int index);
char *odl_matrix_full_label (const OdlParameter *parameter,
                             const char *label,
                             const char *unit);
