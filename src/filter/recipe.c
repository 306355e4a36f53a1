// SPDX-License-Identifier: MIT
#include "filter/recipe.h"

#include <math.h>
#include <string.h>

#include "filter/normalisation.h"
#include "filter/own/own.h"
#include "filter/own/words.h"

void
odl_recipe_init (OdlRecipe *recipe)
{
  g_return_if_fail (recipe != NULL);
  memset (recipe, 0, sizeof *recipe);
  recipe->precision = 32;
  recipe->strength = 1;
}

bool
odl_recipe_append (OdlRecipe *recipe, const OdlFilter *filter)
{
  g_return_val_if_fail (recipe != NULL && filter != NULL, false);

  if (recipe->n_items == ODL_RECIPE_MAX_FILTERS)
    return false;

  OdlRecipeItem *item = &recipe->items[recipe->n_items++];
  memset (item, 0, sizeof *item);
  item->filter = filter;
  for (size_t p = 0; p < filter->n_parameters; p++) {
    const OdlParameter *parameter = &filter->parameters[p];
    for (int i = 0; i < parameter->count; i++)
      item->values[parameter->offset + i] = odl_parameter_default (parameter, i);
  }
  return true;
}

static bool
items_equal (const OdlRecipeItem *a, const OdlRecipeItem *b)
{
  if (a->filter != b->filter || a->bypassed != b->bypassed || a->at != b->at
      || g_strcmp0 (a->file, b->file) != 0)
    return false;
  for (size_t p = 0; p < a->filter->n_parameters; p++) {
    const OdlParameter *parameter = &a->filter->parameters[p];
    const int n = odl_recipe_item_count (a, parameter);
    if (n != odl_recipe_item_count (b, parameter))
      return false;
    for (int i = parameter->offset; i < parameter->offset + n; i++)
      if ((float) a->values[i] != (float) b->values[i]) // the text form has floats
        return false;
  }
  return true;
}

bool
odl_recipe_equal (const OdlRecipe *a, const OdlRecipe *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, false);

  if (a->n_items != b->n_items || a->view != b->view || a->colour != b->colour
      || a->precision != b->precision || a->border != b->border
      || (float) a->strength != (float) b->strength)
    return false;
  for (int i = 0; i < a->n_items; i++)
    if (!items_equal (&a->items[i], &b->items[i]))
      return false;
  return true;
}

bool
odl_recipe_item_acts (const OdlRecipeItem *item)
{
  g_return_val_if_fail (item != NULL, false);
  return !item->bypassed && item->filter->kind != ODL_FILTER_PASS_THROUGH
         && (!odl_own_is_filter (item->filter)
             || (item->filter->code != NULL
                 && odl_own_state (item->filter->code) == ODL_OWN_ALLOWED))
         && (item->file != NULL || odl_filter_file (item->filter) == NULL);
}

bool
odl_recipe_item_uses (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  g_return_val_if_fail (item != NULL && parameter != NULL, false);
  if (parameter->follows == ODL_FOLLOWS_SLICES)
    return odl_recipe_item_dimensions (item) > 2;
  if (parameter->follows == ODL_FOLLOWS_RISING)
    return odl_recipe_item_transform (item) == ODL_TRANSFORM_DUAL_TREE;
  if (parameter->shapes == 0)
    return true;
  const OdlParameter *shape = odl_filter_parameter (
      item->filter, parameter->selector != NULL ? parameter->selector : "shape");
  if (item->file != NULL || shape == NULL)
    return item->file == NULL;
  return (parameter->shapes >> (int) item->values[shape->offset] & 1U) != 0;
}

bool
odl_recipe_is_identity (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, true);

  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i]))
      return false;
  return true;
}

bool
odl_recipe_is_temporal (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, false);

  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i])
        && recipe->items[i].filter->domain == ODL_DOMAIN_TEMPORAL)
      return true;
  return false;
}

bool
odl_recipe_is_volumetric (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, false);

  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i])
        && odl_recipe_item_dimensions (&recipe->items[i]) >= 3)
      return true;
  return false;
}

int
odl_recipe_item_dimensions (const OdlRecipeItem *item)
{
  g_return_val_if_fail (item != NULL, 2);

  // Blocks of several frames are looked for along time.
  if (item->filter->kind == ODL_FILTER_BM3D)
    return item->values[odl_filter_parameter (item->filter, "frames")->offset] > 0 ? 4
                                                                                   : 2;
  const OdlParameter *parameter = odl_filter_parameter (item->filter, "dimensions");
  return parameter != NULL ? 2 + (int) item->values[parameter->offset] : 2;
}

int
odl_recipe_last_wavelet_item (const OdlRecipe *recipe)
{
  g_return_val_if_fail (recipe != NULL, -1);

  for (int i = recipe->n_items - 1; i >= 0; i--)
    if (odl_recipe_item_acts (&recipe->items[i])
        && recipe->items[i].filter->domain == ODL_DOMAIN_COEFFICIENT)
      return i;
  return -1;
}

static const OdlParameter *
find_value (const OdlRecipe *recipe, int item, const char *key, int i)
{
  g_return_val_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items, NULL);

  const OdlParameter *parameter = odl_filter_parameter (recipe->items[item].filter, key);
  g_return_val_if_fail (parameter != NULL && i >= 0 && i < parameter->count, NULL);
  return parameter;
}

double
odl_recipe_item_maximum (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  g_return_val_if_fail (item != NULL && parameter != NULL, 0);

  const double maximum = odl_parameter_maximum (parameter);
  if (!parameter->is_threshold || odl_recipe_item_normalisation (item) == ODL_UNIT_GAIN)
    return maximum;
  const OdlParameter *levels = odl_filter_parameter (item->filter, "levels");
  return ldexp (maximum, (int) item->values[levels->offset]);
}

double
odl_recipe_item_clamp (const OdlRecipeItem *item,
                       const OdlParameter *parameter,
                       double value)
{
  const double most = odl_recipe_item_maximum (item, parameter);

  return isfinite (value) && value > odl_parameter_maximum (parameter)
             ? MIN (value, most)
             : odl_parameter_clamp (parameter, value);
}

double
odl_recipe_get (const OdlRecipe *recipe, int item, const char *key, int i)
{
  const OdlParameter *parameter = find_value (recipe, item, key, i);

  return parameter == NULL ? 0 : recipe->items[item].values[parameter->offset + i];
}

void
odl_recipe_set (OdlRecipe *recipe, int item, const char *key, int i, double value)
{
  const OdlParameter *parameter = find_value (recipe, item, key, i);

  if (parameter == NULL)
    return;
  recipe->items[item].values[parameter->offset + i]
      = odl_recipe_item_clamp (&recipe->items[item], parameter, value);
  recipe->items[item].n_given = 0;
  if (odl_parameter_may_wait (parameter))
    recipe->items[item].measured_after = 0;
}

void
odl_recipe_set_file (OdlRecipe *recipe, int item, const char *file)
{
  g_return_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items);
  g_return_if_fail (odl_filter_any_file (recipe->items[item].filter) != NULL);
  recipe->items[item].file
      = file != NULL && *file != '\0' ? g_intern_string (file) : NULL;
}

OdlRecipe
odl_recipe_with_files_as (const OdlRecipe *recipe, const char *word)
{
  OdlRecipe copy = *recipe;
  for (int i = 0; word != NULL && i < copy.n_items; i++)
    if (copy.items[i].file != NULL)
      copy.items[i].file = g_intern_string (word);
  return copy;
}

const char *
odl_recipe_operand (const OdlRecipe *recipe, int item)
{
  g_return_val_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items, NULL);
  return odl_recipe_item_acts (&recipe->items[item]) ? recipe->items[item].file : NULL;
}

int
odl_recipe_item_count (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  g_return_val_if_fail (item != NULL && parameter != NULL, 0);

  const OdlParameter *levels = odl_filter_parameter (item->filter, "levels");
  if (parameter->kind != ODL_PARAMETER_MATRIX || levels == NULL)
    return parameter->count;
  return CLAMP (odl_parameter_bands (parameter) * (int) item->values[levels->offset], 1,
                parameter->count);
}

double
odl_recipe_item_followed (const OdlRecipeItem *item, const OdlParameter *parameter, int i)
{
  g_return_val_if_fail (item != NULL && parameter != NULL && parameter->follows, 0);

  const OdlParameter *other = parameter - 1;
  while (other->kind != ODL_PARAMETER_MATRIX || other->follows)
    other--;
  const int bands = odl_parameter_bands (parameter);
  const int band = i % bands - (parameter->follows == ODL_FOLLOWS_SLICES ? 1 : 0);
  return item->values[other->offset + i / bands * ODL_DETAIL_BANDS + MAX (band, 0)];
}

bool
odl_recipe_item_has_default (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  const int n = odl_recipe_item_count (item, parameter);

  for (int i = 0; i < n; i++)
    if (item->values[parameter->offset + i] != odl_parameter_default (parameter, i))
      return false;
  return true;
}

const OdlWavelet *
odl_recipe_item_wavelet (const OdlRecipeItem *item)
{
  g_return_val_if_fail (item != NULL && item->filter != NULL, NULL);

  const OdlParameter *parameter = odl_filter_parameter (item->filter, "wavelet");
  if (parameter == NULL)
    return NULL;
  const OdlWavelet *wavelet = odl_wavelet_at ((size_t) item->values[parameter->offset]);
  const OdlTransformKind transform = odl_recipe_item_transform (item);
  const bool has_own = !odl_transform_has_wavelet (transform)
                       && odl_transform_suits (transform, wavelet);
  return has_own ? NULL : wavelet;
}

OdlTransformKind
odl_recipe_item_transform (const OdlRecipeItem *item)
{
  g_return_val_if_fail (item != NULL && item->filter != NULL, ODL_TRANSFORM_DECIMATED);

  if (item->filter->kind == ODL_FILTER_BIVARIATE)
    return item->values[odl_filter_parameter (item->filter, "transform")->offset] == 0
               ? ODL_TRANSFORM_DUAL_TREE
               : ODL_TRANSFORM_DECIMATED;
  if (item->filter->kind == ODL_FILTER_NEIGH_SHRINK)
    return odl_recipe_item_dimensions (item) > 2 ? ODL_TRANSFORM_DECIMATED
                                                 : ODL_TRANSFORM_STATIONARY;
  const OdlParameter *parameter = odl_filter_parameter (item->filter, "transform");
  return parameter != NULL ? (OdlTransformKind) item->values[parameter->offset]
                           : ODL_TRANSFORM_DECIMATED;
}
