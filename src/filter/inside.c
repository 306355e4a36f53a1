// SPDX-License-Identifier: MIT
#include "filter/inside.h"

#include <string.h>

#include "filter/own/own.h"

// Pictures that are mixed, also by code of one's own, have a size, gains lie at depths,
// and what is stabilised is restored on the whole picture.
bool
odl_filter_has_at (const OdlFilter *filter)
{
  g_return_val_if_fail (filter != NULL, false);

  switch (filter->kind) {
  case ODL_FILTER_BILATERAL:
  case ODL_FILTER_BOX:
  case ODL_FILTER_CONVOLVE:
  case ODL_FILTER_DETAIL_CURVE:
  case ODL_FILTER_DIFFUSION:
  case ODL_FILTER_FROST:
  case ODL_FILTER_GAMMA:
  case ODL_FILTER_GAUSSIAN:
  case ODL_FILTER_GUIDED:
  case ODL_FILTER_KUAN:
  case ODL_FILTER_LEE:
  case ODL_FILTER_MEDIAN:
  case ODL_FILTER_MORPHOLOGY:
  case ODL_FILTER_MULTI_SCALE_CONTRAST:
  case ODL_FILTER_NON_LOCAL_MEANS:
  case ODL_FILTER_SHARPEN:
  case ODL_FILTER_SOBEL:
  case ODL_FILTER_SRAD:
  case ODL_FILTER_TONE_CURVE:
  case ODL_FILTER_UNSHARP:
  case ODL_FILTER_WIENER:
    return true;
  case ODL_FILTER_GLSL:
  case ODL_FILTER_PYTHON:
    return filter->code == NULL || !filter->code->reads_other;
  default:
    return false;
  }
}

bool
odl_filter_fits_inside (const OdlFilter *filter, OdlTransformKind kind)
{
  g_return_val_if_fail (filter != NULL, false);

  switch (filter->kind) {
  case ODL_FILTER_PASS_THROUGH:
  case ODL_FILTER_SOFT_THRESHOLD:
  case ODL_FILTER_HARD_THRESHOLD:
  case ODL_FILTER_SHRINKAGE:
  case ODL_FILTER_BAYES_SHRINK:
  case ODL_FILTER_SURE_SHRINK:
  case ODL_FILTER_VISU_SHRINK:
  case ODL_FILTER_SCALE_BANDS:
    return true;
  case ODL_FILTER_NEIGH_SHRINK:
    return kind == ODL_TRANSFORM_STATIONARY;
  default: // the dual tree has pairs of numbers, which no filter of pictures knows
    return kind != ODL_TRANSFORM_DUAL_TREE && odl_filter_has_at (filter);
  }
}

static bool
is_active (const OdlRecipe *recipe, int item, OdlFilterKind kind)
{
  return recipe->items[item].filter->kind == kind
         && odl_recipe_item_acts (&recipe->items[item]);
}

int
odl_recipe_transform_around (const OdlRecipe *recipe, int item)
{
  g_return_val_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items, -1);

  int open = -1;
  for (int i = 0; i < item; i++)
    if (is_active (recipe, i, ODL_FILTER_INVERSE))
      open = -1;
    else if (open < 0 && is_active (recipe, i, ODL_FILTER_TRANSFORM))
      open = i;
  return is_active (recipe, item, ODL_FILTER_INVERSE) ? -1 : open;
}

int
odl_recipe_transform_end (const OdlRecipe *recipe, int transform)
{
  g_return_val_if_fail (recipe != NULL && transform >= 0, 0);

  int end = transform + 1;
  while (end < recipe->n_items && !is_active (recipe, end, ODL_FILTER_INVERSE))
    end++;
  return MIN (end, recipe->n_items);
}

void
odl_recipe_enclose (OdlRecipe *recipe, int item)
{
  g_return_if_fail (recipe != NULL && item >= 0 && item < recipe->n_items);

  OdlRecipe around;
  if (recipe->items[item].filter->kind != ODL_FILTER_DETAIL_CURVE
      || odl_recipe_transform_around (recipe, item) >= 0
      || recipe->n_items + 2 > ODL_RECIPE_MAX_FILTERS)
    return;
  odl_recipe_init (&around);
  odl_recipe_append (&around, odl_filter_find ("transform"));
  odl_recipe_append (&around, odl_filter_find ("inverse"));
  OdlRecipeItem *at = &recipe->items[item];
  memmove (at + 3, at + 1, (size_t) (recipe->n_items - item - 1) * sizeof *at);
  at[1] = at[0];
  at[0] = around.items[0];
  at[2] = around.items[1];
  recipe->n_items += 2;
}

void
odl_recipe_share_transforms (OdlRecipe *recipe)
{
  static const char *const keys[] = { "wavelet", "levels", "transform" };

  g_return_if_fail (recipe != NULL);
  for (int i = 0; i < recipe->n_items; i++) {
    const int around = odl_recipe_transform_around (recipe, i);
    if (around >= 0 && odl_filter_parameter (recipe->items[i].filter, "shifts") != NULL)
      recipe->items[i]
          .values[odl_filter_parameter (recipe->items[i].filter, "shifts")->offset]
          = 1;
    for (size_t k = 0; around >= 0 && k < G_N_ELEMENTS (keys); k++) {
      const OdlParameter *own = odl_filter_parameter (recipe->items[i].filter, keys[k]);
      const OdlParameter *shared
          = odl_filter_parameter (recipe->items[around].filter, keys[k]);
      if (own != NULL) // not through odl_recipe_set, which would reset n_given
        recipe->items[i].values[own->offset] = MIN (
            recipe->items[around].values[shared->offset], odl_parameter_maximum (own));
    }
  }
}

bool
odl_recipe_has_view (const OdlRecipe *recipe, OdlViewKind view)
{
  g_return_val_if_fail (recipe != NULL, false);

  const int last = odl_recipe_last_wavelet_item (recipe);

  if (odl_view_is_falling (view)) {
    OdlRecipe shared = *recipe;
    odl_recipe_share_transforms (&shared);
    const OdlRecipeItem *item = &shared.items[MAX (last, 0)];
    return last >= 0 && odl_recipe_item_dimensions (item) == 2
           && odl_recipe_item_transform (item) == ODL_TRANSFORM_DUAL_TREE;
  }
  return odl_view_is_within (view)   ? last >= 0
         : view == ODL_VIEW_RESIDUAL ? !odl_recipe_is_identity (recipe)
                                     : true;
}
