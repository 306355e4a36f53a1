// SPDX-License-Identifier: MIT
#include "source/auto_window.h"

#include <math.h>

OdlAutoWindow
odl_auto_window_find (const OdlImage *image, const double *padding)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlValueMap *map = &info->value_map;
  const double range = info->stored_max - info->stored_min;
  double lowest = INFINITY, highest = -INFINITY;
  OdlAutoWindow window = { 0 };

  if (map->has_window || info->channels != 1 || info->type == ODL_SAMPLE_F32
      || info->type == ODL_SAMPLE_U8)
    return window;

  g_autofree float *row = g_new (float, info->extent.x);
  for (int y = 0; y < info->extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    for (int x = 0; x < info->extent.x; x++) {
      const double stored = round (row[x] * range + info->stored_min);
      if (padding != NULL && stored == *padding)
        continue;
      lowest = MIN (lowest, stored);
      highest = MAX (highest, stored);
    }
  }
  if (!(highest > lowest))
    return window;

  // PS3.3 C.11.2.1.2: the ends are centre − 0.5 ∓ (width − 1) / 2.
  window.centre = map->slope * 0.5 * (lowest + highest) + map->intercept + 0.5;
  window.width = fabs (map->slope) * (highest - lowest) + 1;
  return window;
}

OdlImage *
odl_auto_window_apply (OdlImage *image, const OdlAutoWindow *window)
{
  if (window->width <= 0)
    return image;

  OdlImageInfo info = *odl_image_info (image);
  info.value_map.has_window = true;
  info.value_map.window_centre = window->centre;
  info.value_map.window_width = window->width;
  OdlImage *shown = odl_image_with_info (image, &info);
  odl_image_unref (image);
  return shown;
}
