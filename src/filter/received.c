// SPDX-License-Identifier: MIT
#include "filter/received.h"

#include <math.h>

#include "filter/inside.h"

// The last active “stabilise” before `item` that is not undone there; −1: none.
static int
stabilise_around (const OdlRecipe *recipe, int item)
{
  int around[ODL_RECIPE_MAX_FILTERS], n = 0;

  for (int i = 0; i < item; i++)
    if (!odl_recipe_item_acts (&recipe->items[i]))
      continue;
    else if (recipe->items[i].filter->kind == ODL_FILTER_RESTORE && n > 0)
      n--;
    else if (recipe->items[i].filter->kind == ODL_FILTER_STABILISE)
      around[n++] = i;
  return n > 0 ? around[n - 1] : -1;
}

int
odl_recipe_received_end (const OdlRecipe *recipe, int item)
{
  g_return_val_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items, 0);

  const int transform = odl_recipe_transform_around (recipe, item);
  if (recipe->items[item].filter->kind == ODL_FILTER_RESTORE)
    return stabilise_around (recipe, item) + 1;
  return transform >= 0 ? transform : item;
}

bool
odl_recipe_knows_noise (const OdlRecipe *recipe, int item, double *sigma)
{
  const int around = stabilise_around (recipe, item);
  int acting = 0;

  if (around < 0 || odl_recipe_get (recipe, around, "method", 0) != 0)
    return false;
  for (int i = 0; i < odl_recipe_received_end (recipe, item); i++)
    acting += odl_recipe_item_acts (&recipe->items[i]);
  *sigma = 0.5 / sqrt (odl_recipe_get (recipe, around, "peak", 0) + 0.375);
  return acting == 1;
}

guint
odl_recipe_received_hash (const OdlRecipe *recipe, int item)
{
  OdlRecipe before = *recipe;

  before.n_items = 0;
  before.view = ODL_VIEW_SYNTHESIS;
  before.precision = 32;
  for (int i = 0; i < odl_recipe_received_end (recipe, item); i++)
    if (odl_recipe_item_acts (&recipe->items[i]))
      before.items[before.n_items++] = recipe->items[i];
  if (before.n_items == 0)
    before.strength = 1;
  g_autofree char *text = odl_recipe_to_text (&before, " ");
  return MAX (g_str_hash (text), 1);
}

bool
odl_recipe_measured_before (const OdlRecipe *recipe, int item)
{
  g_return_val_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items, false);

  const OdlRecipeItem *own = &recipe->items[item];
  return own->measured_after != 0 && odl_recipe_item_acts (own)
         && own->measured_after != odl_recipe_received_hash (recipe, item);
}
