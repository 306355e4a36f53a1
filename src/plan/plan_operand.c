// SPDX-License-Identifier: MIT
// The second picture of a filter.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/kernel.h"
#include "plan/planner.h"

int
odl_plan_operand_depth (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  const char *file = odl_recipe_operand (recipe, item);
  const OdlImage *image
      = file != NULL ? odl_operands_find (geometry->operands, file) : NULL;

  return image != NULL ? odl_image_info (image)->extent.z : 1;
}

// Whether a second picture of `depth` slices goes with as many slices of the first one,
// which may be a slice of the volume that is filtered.
static bool
is_deep_enough (const OdlRecipeItem *item,
                const OdlGeometry *geometry,
                int depth,
                const char *name,
                GError **error)
{
  const bool deep = odl_recipe_item_dimensions (item) > 2;

  if (depth > 1 && !deep) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 // Translators: a file, a number of slices.
                 _ ("%s: this second picture is a volume of %d slices. The filter takes "
                    "it with “dimensions=3”; else choose a single picture."),
                 name, depth);
    return false;
  }
  if (!deep || geometry->depth <= 1 || depth == geometry->depth)
    return true;
  if (depth > 1)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 // Translators: a file, two numbers of slices.
                 _ ("%s: this second volume has %d slices, the first one %d. The filter "
                    "needs two of the same size; choose another one."),
                 name, depth, geometry->depth);
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 // Translators: a file, a number of slices.
                 _ ("%s: this second picture is no volume. The filter needs one of "
                    "%d slices; choose one, or set “dimensions” to 2."),
                 name, geometry->depth);
  return false;
}

bool
odl_plan_check_operand (const OdlRecipe *recipe,
                        int item,
                        const OdlGeometry *geometry,
                        GError **error)
{
  g_return_val_if_fail (recipe != NULL && geometry != NULL, false);

  const char *file = odl_recipe_operand (recipe, item);
  if (file == NULL)
    return true;
  const OdlImage *image = odl_operands_find (geometry->operands, file);
  const OdlFilter *kind = recipe->items[item].filter;
  g_autofree char *display = g_filename_display_name (file);
  g_autofree char *name = odl_text_in_one_line (display);
  if (image != NULL && odl_filter_file (kind) == NULL)
    return odl_kernel_check (image, odl_recipe_item_dimensions (&recipe->items[item]),
                             name, error);
  if (image == NULL)
    return odl_error_set (error, ODL_ERROR_IO, _ ("%s: this second picture was not read"),
                          name);
  const OdlExtent extent = odl_image_info (image)->extent;
  if (!is_deep_enough (&recipe->items[item], geometry, extent.z, name, error))
    return false;
  if (extent.x == geometry->width && extent.y == geometry->height)
    return true;
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("%s: this second picture has %d × %d pixels, the first one %d × %d. The filter "
         "needs two of the same size; choose another one, or resize it."),
      name, extent.x, extent.y, geometry->width, geometry->height);
}

int
odl_planner_add_operand (OdlPlanner *b, int item)
{
  OdlImage *image
      = odl_operands_find (b->geometry.operands, odl_recipe_operand (b->recipe, item));
  const OdlGeometry own = odl_geometry_of (image);
  const int loaded = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, own.width, own.height,
                                           own.channels);
  OdlStep *load = odl_planner_add_step (b, ODL_STEP_LOAD, ODL_PLAN_NO_SLOT, loaded, item);

  load->input = ++b->n_operands;
  load->parameters.operand = image;
  b->deep |= own.bits > 8;
  if (own.channels == 1 || g_array_index (b->slots, OdlSlot, b->picture).channels != 1)
    return loaded;
  const int luma
      = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, own.width, own.height, 1);
  OdlStep *weigh = odl_planner_add_step (b, ODL_STEP_LUMA, loaded, luma, item);
  odl_geometry_luma_weights (&own, weigh->parameters.weights);
  return luma;
}

// Grey as colours: the whole of a mix with the current picture.
int
odl_planner_add_operand_alike (OdlPlanner *b, int item)
{
  const int second = odl_planner_add_operand (b, item);
  const int own = b->picture;

  if (g_array_index (b->slots, OdlSlot, second).channels
      == g_array_index (b->slots, OdlSlot, own).channels)
    return second;
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_MIX, item);
  step->reads[1] = second;
  step->parameters.weight = 1;
  const int alike = b->picture;
  b->picture = own;
  return alike;
}
