// SPDX-License-Identifier: MIT
#include "plan/result_window.h"

#include <math.h>

#include "filter/inside.h"
#include "plan/kernel.h"

// Of the width that the file's values are shown in: nearly all of the energies of its
// edges (0.13 to 0.15 of that at most, of MR and ultrasound).
#define ENERGY_SHARE 0.125
#define SWING_SHARE 0.25

// The last item that acts, if it is one of `kind`; −1: it is not.
static int
last_of_kind (const OdlRecipe *recipe, OdlFilterKind kind)
{
  int last = recipe->n_items - 1;

  while (last >= 0 && !odl_recipe_item_acts (&recipe->items[last]))
    last--;
  return last >= 0 && recipe->view == ODL_VIEW_SYNTHESIS
                 && recipe->items[last].filter->kind == kind
                 && odl_recipe_transform_around (recipe, last) < 0
             ? last
             : -1;
}

const char *
odl_result_tensor_output (const OdlRecipe *recipe)
{
  const int last = last_of_kind (recipe, ODL_FILTER_STRUCTURE_TENSOR);

  return last < 0 ? NULL
                  : odl_filter_parameter (recipe->items[last].filter, "output")
                        ->choices[(int) odl_recipe_get (recipe, last, "output", 0)];
}

double
odl_result_swing (const OdlRecipe *recipe, const OdlOperands *operands)
{
  const int last = last_of_kind (recipe, ODL_FILTER_CONVOLVE);

  return last < 0 ? 0 : odl_kernel_swing (recipe, last, operands);
}

// Of the sample that is 0 to filters; see odl_geometry_of.
static double
value_of_zero (const OdlImageInfo *info)
{
  const OdlValueMap *map = &info->value_map;

  return info->ycbcr.used ? map->slope * info->stored_min + map->intercept : 0;
}

// As wide, with the middle grey at `value`, whatever the window's function counts from.
static void
centre_at (const OdlImageInfo *info, OdlWindow *window, double value)
{
  double black, white;

  window->centre = value;
  odl_display_ends (info, window, &black, &white);
  window->centre += value - (black + white) / 2;
}

OdlWindow
odl_result_window (const OdlRecipe *recipe,
                   const OdlOperands *operands,
                   const OdlImageInfo *info,
                   const OdlWindow *window)
{
  const char *tensor = odl_result_tensor_output (recipe);
  const double swing = tensor != NULL ? 0 : odl_result_swing (recipe, operands);
  OdlWindow own = *window;
  double centre, width;

  if ((tensor == NULL && swing <= 0)
      || (window->mode != ODL_WINDOW_FILE && window->mode != ODL_WINDOW_FULL))
    return own;
  own.mode = ODL_WINDOW_FULL;
  if (tensor != NULL && !g_str_equal (tensor, "energy"))
    return own;
  odl_display_window (info, window, &centre, &width);
  own.mode = ODL_WINDOW_CUSTOM;
  if (tensor == NULL) {
    own.width = SWING_SHARE * swing * width;
    centre_at (info, &own, value_of_zero (info));
    return own;
  }
  const double zero
      = info->value_map.slope * info->stored_min + info->value_map.intercept;
  own.width = ENERGY_SHARE * width;
  own.centre = zero + copysign (own.width / 2, info->value_map.slope);
  return own;
}
