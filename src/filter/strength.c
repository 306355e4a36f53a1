// SPDX-License-Identifier: MIT
#include "filter/strength.h"

static const OdlStrengthRow rows[] = {
  { "adaptive", "noise", 0, true },
  { "bayes-shrink", "sigma", 0 },
  { "bilateral", "range", 0 },
  { "bivariate", "sigma", 0 },
  { "bm3d", "sigma", 0 },
  { "decouple", "illumination", 1 },
  { "decouple", "texture", 1 },
  { "detail-curve", "threshold", 0 },
  { "diffusion", "steps", 0 },
  { "gamma", "gamma", 1 },
  { "gaussian", "sigma", 0 },
  { "guided", "eps", 0 },
  { "hard-threshold", "threshold", 0 },
  { "kuan", "noise", 0 },
  { "lee", "noise", 0 },
  { "mix", "weight", 0 },
  { "multi-scale-contrast", "exponent", 1 },
  { "neigh-shrink", "sigma", 0 },
  { "non-local-means", "strength", 0, true },
  { "persistence", "level", 0 },
  { "recursive-average", "weight", 1 },
  { "scale-bands", "base", 1 },
  { "scale-bands", "falling-gains", 1 },
  { "scale-bands", "gains", 1 },
  { "sharpen", "amount", 0 },
  { "shrinkage", "falling-thresholds", 0 },
  { "shrinkage", "thresholds", 0 },
  { "shrinkage", "z-thresholds", 0 },
  { "soft-threshold", "threshold", 0 },
  { "srad", "steps", 0 },
  { "sure-shrink", "sigma", 0 },
  { "time-gain", "bottom", 0 },
  { "time-gain", "lower", 0 },
  { "time-gain", "middle", 0 },
  { "time-gain", "top", 0 },
  { "time-gain", "upper", 0 },
  { "unsharp", "amount", 0 },
  { "visu-shrink", "sigma", 0 },
  { "wiener", "noise", 0 },
};

const OdlStrengthRow *
odl_strength_row (size_t index)
{
  return index < G_N_ELEMENTS (rows) ? &rows[index] : NULL;
}

// NULL: the strength has nothing to do with this parameter.
static const OdlStrengthRow *
row_of (const OdlFilter *filter, const OdlParameter *parameter)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].filter, filter->name)
        && g_str_equal (rows[i].key, parameter->key))
      return &rows[i];
  return NULL;
}

static void
scale_value (const OdlRecipeItem *item,
             double *value,
             const OdlParameter *parameter,
             double neutral,
             double strength)
{
  if (odl_parameter_word (parameter, *value) != NULL)
    return;
  *value
      = odl_recipe_item_clamp (item, parameter, neutral + strength * (*value - neutral));
}

static void
scale_item (OdlRecipeItem *item, double strength)
{
  for (size_t p = 0; p < item->filter->n_parameters; p++) {
    const OdlParameter *parameter = &item->filter->parameters[p];
    const OdlStrengthRow *row = row_of (item->filter, parameter);
    for (int i = 0; row != NULL && i < parameter->count; i++)
      scale_value (item, &item->values[parameter->offset + i], parameter, row->neutral,
                   strength);
    if (row != NULL && strength == 0 && row->bypasses)
      item->bypassed = true;
  }
}

OdlRecipe
odl_recipe_at_strength (const OdlRecipe *recipe)
{
  OdlRecipe scaled = *recipe;

  for (int i = 0; recipe->strength != 1 && i < scaled.n_items; i++)
    scale_item (&scaled.items[i], recipe->strength);
  scaled.strength = 1;
  return scaled;
}

bool
odl_recipe_has_strength (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, false);

  for (int i = 0; i < recipe->n_items; i++)
    for (size_t p = 0; p < recipe->items[i].filter->n_parameters; p++)
      if (odl_recipe_item_acts (&recipe->items[i])
          && row_of (recipe->items[i].filter, &recipe->items[i].filter->parameters[p]))
        return true;
  return false;
}
