// SPDX-License-Identifier: MIT
#include "image/area.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "image/sector.h"

const char *const odl_area_names[ODL_N_AREAS + 1]
    = { [ODL_AREA_ALL] = "none", "region", "sector", NULL };

bool
odl_area_has_regions (const OdlImageInfo *info)
{
  for (int i = 0; info->regions != NULL && i < info->regions->n; i++)
    if (info->regions->items[i].kind == ODL_REGION_TISSUE)
      return true;
  return false;
}

// Of regions that cover each other the first one is seen.
static void
keep_regions (const OdlImageInfo *info, guint8 *inside)
{
  for (int y = 0; y < info->extent.y; y++)
    for (int x = 0; x < info->extent.x; x++) {
      const int found = odl_regions_at (info->regions, x + 0.5, y + 0.5);
      if (found < 0 || info->regions->items[found].kind != ODL_REGION_TISSUE)
        inside[(gsize) y * info->extent.x + x] = 0;
    }
}

bool
odl_area_find (OdlImage *image, OdlArea area, guint8 *inside, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);

  if (area == ODL_AREA_REGION && !odl_area_has_regions (info))
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it does not say which parts of it are ultrasound pictures, so that filters "
           "cannot be kept inside them. Look for the sector, or filter everywhere."));
  memset (inside, 255, (gsize) info->extent.x * info->extent.y);
  if (area != ODL_AREA_ALL && odl_area_has_regions (info))
    keep_regions (info, inside);
  return area != ODL_AREA_SECTOR || odl_sector_find (image, inside, error);
}

bool
odl_area_add (OdlOperands *operands, OdlImage *image, OdlArea area, GError **error)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  const OdlImageInfo like
      = { .extent = { extent.x, extent.y }, .channels = 1, .type = ODL_SAMPLE_U8 };
  void *inside = NULL, *outside = NULL;

  if (area == ODL_AREA_ALL)
    return true;
  g_autoptr (OdlImage) mask = odl_image_alloc (&like, &inside, error);
  g_autoptr (OdlImage) rest = odl_image_alloc (&like, &outside, error);
  if (mask == NULL || rest == NULL || !odl_area_find (image, area, inside, error))
    return false;
  for (gsize i = 0; i < (gsize) extent.x * extent.y; i++)
    ((guint8 *) outside)[i] = (guint8) ~((const guint8 *) inside)[i];
  return odl_operands_add (operands, ODL_AREA_INSIDE, mask, error)
         && odl_operands_add (operands, ODL_AREA_OUTSIDE, rest, error);
}
