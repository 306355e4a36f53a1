// SPDX-License-Identifier: MIT
#include "filter/normalisation.h"

#include <math.h>

#include "filter/measure.h"

double
odl_threshold_scale (const OdlRecipeItem *item, int level, OdlDetailBand band)
{
  g_return_val_if_fail (level >= 1, 1);

  return odl_recipe_item_normalisation (item) == ODL_UNIT_GAIN
             ? 1
             : ldexp (band == ODL_BAND_HH ? 2 : 1, 1 - level);
}

double
odl_threshold_noise (const OdlRecipeItem *item, int level)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (item);
  double squares = 0;

  for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++) {
    const double gain = wavelet != NULL
                            ? odl_noise_gain_of_band (wavelet, level, band)
                            : M_SQRT2 * odl_noise_gain_of_dual_band (level, band);
    const double own = gain / odl_threshold_scale (item, level, band);
    squares += own * own;
  }
  return sqrt (squares / ODL_DETAIL_BANDS);
}

// Of value i of a matrix of thresholds.
static double
scale_of_value (const OdlRecipeItem *item, const OdlParameter *parameter, int i)
{
  const int bands = odl_parameter_bands (parameter);
  int band = i % bands;

  if (parameter->follows == ODL_FOLLOWS_SLICES) // LLH is as HL
    band = MAX (band - 1, ODL_BAND_HL);
  return odl_threshold_scale (item, 1 + i / bands, (OdlDetailBand) band);
}

// By which the one threshold of all bands is multiplied.
static double
noise_of (const OdlRecipeItem *item)
{
  return odl_threshold_noise (item,
                              item->filter->kind == ODL_FILTER_HARD_THRESHOLD ? 1 : 2);
}

void
odl_recipe_normalise (OdlRecipe *recipe, int item, OdlNormalisation to)
{
  g_return_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items);

  OdlRecipeItem *own = &recipe->items[item];
  const OdlRecipeItem before = *own;
  const OdlParameter *choice = odl_filter_parameter (own->filter, ODL_NORMALISATION);
  if (choice == NULL || odl_recipe_item_normalisation (own) == to)
    return;
  own->values[choice->offset] = to;
  for (size_t p = 0; p < own->filter->n_parameters; p++) {
    const OdlParameter *parameter = &own->filter->parameters[p];
    double *values = own->values + parameter->offset;
    const bool each = parameter->kind == ODL_PARAMETER_MATRIX;
    for (int i = 0; parameter->is_threshold && i < parameter->count; i++) {
      const double by = each ? scale_of_value (&before, parameter, i)
                                   / scale_of_value (own, parameter, i)
                             : noise_of (own) / noise_of (&before);
      if (values[i] != ODL_VALUE_AUTO)
        values[i] = to == ODL_ORTHONORMAL
                        ? values[i] * by
                        : odl_parameter_clamp (parameter, values[i] * by);
    }
  }
}

bool
odl_recipe_append_fresh (OdlRecipe *recipe, const OdlFilter *filter)
{
  if (!odl_recipe_append (recipe, filter))
    return false;
  odl_recipe_normalise (recipe, recipe->n_items - 1, ODL_ORTHONORMAL);
  for (size_t p = 0; p < filter->n_parameters; p++)
    if (filter->parameters[p].over_frames && filter->parameters[p].measured)
      odl_recipe_set (recipe, recipe->n_items - 1, filter->parameters[p].key, 0,
                      ODL_VALUE_CINE);
  return true;
}
