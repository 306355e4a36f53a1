// SPDX-License-Identifier: MIT
#include "plan/scan.h"

#include <math.h>

#include "filter/inside.h"

OdlScan
odl_scan_of (const OdlBeams *beams, int columns, int rows, int width, int height)
{
  const OdlBeamsBox box = odl_beams_box (beams, columns, rows);
  const double across = box.right - box.left, down = box.bottom - box.top;
  const double pixel = across / (width - 1);
  // Rows whose centres lie in the box.
  const double fitting = floor (down / pixel + 1e-6) + 1;
  OdlScan scan
      = { .width = width,
          .height = height > 0 ? height : (int) CLAMP (fitting, 1, ODL_SCAN_MOST) };

  scan.pixel_mm = pixel;
  if (scan.height > 1 && (height > 0 || fitting > ODL_SCAN_MOST))
    scan.pixel_mm = MAX (pixel, down / (scan.height - 1));
  scan.left = (box.left + box.right) / 2 - scan.pixel_mm * (scan.width - 1) / 2;
  scan.top = height > 0 ? (box.top + box.bottom) / 2 - scan.pixel_mm * (height - 1) / 2
                        : box.top;
  return scan;
}

bool
odl_scan_of_item (const OdlRecipe *recipe,
                  int item,
                  const OdlGeometry *geometry,
                  OdlScan *scan)
{
  const OdlRecipeItem *own = &recipe->items[item];

  if (own->filter->kind != ODL_FILTER_SCAN_CONVERT || !odl_recipe_item_acts (own)
      || odl_recipe_transform_around (recipe, item) >= 0 || geometry->depth > 1
      || !odl_beams_are_sound (&geometry->beams, geometry->width, geometry->height))
    return false;
  *scan = odl_scan_of (&geometry->beams, geometry->width, geometry->height,
                       (int) odl_recipe_get (recipe, item, "width", 0),
                       (int) odl_recipe_get (recipe, item, "height", 0));
  return true;
}

OdlGeometry
odl_scan_geometry (const OdlGeometry *geometry, const OdlScan *scan)
{
  OdlGeometry converted = *geometry;

  converted.width = scan->width;
  converted.height = scan->height;
  converted.beams = (OdlBeams){ 0 };
  return converted;
}

OdlRecipe
odl_scan_bare_recipe (const OdlRecipe *recipe)
{
  OdlRecipe bare = *recipe;

  bare.n_items = 0;
  bare.view = ODL_VIEW_SYNTHESIS;
  for (int i = 0; i < recipe->n_items; i++)
    switch (recipe->items[i].filter->kind) {
    case ODL_FILTER_ENVELOPE:
    case ODL_FILTER_LOG_COMPRESS:
    case ODL_FILTER_SCAN_CONVERT:
      bare.items[bare.n_items++] = recipe->items[i];
      break;
    default:
      break;
    }
  return bare;
}
