// SPDX-License-Identifier: MIT
// The scale of thresholds that a recipe gives for wavelet coefficients. Engines have
// low-pass filters of gain 1 (wavelet/wavelet.h), so that one number is another threshold
// for each level: white noise halves from level to level. Textbooks have orthonormal
// filters, whose gain is √2: white noise has the same σ in every band, and one threshold
// suits all levels (D. Donoho, I. Johnstone, "Ideal spatial adaptation by wavelet
// shrinkage", Biometrika 81, 1994). That is PyWavelets' scale, also of biorthogonal
// wavelets, and of its stationary transform with norm=False. Of the dual tree each of the
// four trees has it.
#pragma once

#include "filter/recipe.h"

#define ODL_NORMALISATION "normalisation" // the key of the choice

// In the order of the choices. A text without it means unit gain.
typedef enum {
  ODL_UNIT_GAIN,
  ODL_ORTHONORMAL,
} OdlNormalisation;

// Unit gain, too, for filters without the choice.
static inline OdlNormalisation
odl_recipe_item_normalisation (const OdlRecipeItem *item)
{
  const OdlParameter *parameter = odl_filter_parameter (item->filter, ODL_NORMALISATION);

  return parameter != NULL ? (OdlNormalisation) item->values[parameter->offset]
                           : ODL_UNIT_GAIN;
}

// What makes thresholds of the filter those of the engines' coefficients, in a detail
// band of `level` (1: finest): 1 or, of orthonormal ones, 2^(1 − level), twice that for
// HH.
double odl_threshold_scale (const OdlRecipeItem *item, int level, OdlDetailBand band);

// Root mean square of white noise with σ = 1 in the detail bands of `level`, in the
// filter's own scale.
double odl_threshold_noise (const OdlRecipeItem *item, int level);

// Gives filter `item` that scale. Thresholds of bands are converted, so that the result
// stays the same; the one threshold of all bands means as much noise as before where it
// is measured (measure.h): on level 2, or of hard ones on level 1.
void odl_recipe_normalise (OdlRecipe *recipe, int item, OdlNormalisation to);

// As odl_recipe_append, a filter that somebody adds: with orthonormal thresholds, and
// with what counts over frames measured in all of them.
bool odl_recipe_append_fresh (OdlRecipe *recipe, const OdlFilter *filter);
