// SPDX-License-Identifier: MIT
#include "source/auto_window.h"

#include <math.h>

#include "image/numbers.h"

#define FULL_RANGE 65535

typedef struct {
  double lowest;
  double highest;
} Extremes;

static Extremes
find_extremes (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPadding padding = odl_image_numbers (image).padding;
  const double range = info->stored_max - info->stored_min;
  g_autofree float *row = g_new (float, info->extent.x);
  Extremes found = { INFINITY, -INFINITY };

  for (int y = 0; y < info->extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    for (int x = 0; x < info->extent.x; x++) {
      const double stored = round (row[x] * range + info->stored_min);
      if (odl_padding_holds (&padding, stored))
        continue;
      found.lowest = MIN (found.lowest, stored);
      found.highest = MAX (found.highest, stored);
    }
  }
  return found;
}

static void
set_range (OdlAutoWindow *window, Extremes found)
{
  double end = 256;

  while (end <= found.highest || -end > found.lowest)
    end *= 2;
  window->stored_min = found.lowest < 0 ? -end : 0;
  window->stored_max = end - 1;
}

// A curve of levels serves as a window.
static bool
lacks_window (const OdlImageInfo *info)
{
  return !info->value_map.has_window && info->value_map.curve == NULL;
}

static bool
lacks_range (const OdlImageInfo *info)
{
  return info->stored_max - info->stored_min == FULL_RANGE;
}

bool
odl_auto_window_is_missing (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);

  // Waves of beams swing about a 0 that is the middle of their range.
  return info->channels == 1 && info->beams.array == ODL_BEAMS_NONE
         && (info->type == ODL_SAMPLE_U16 || info->type == ODL_SAMPLE_S16)
         && (lacks_window (info) || lacks_range (info));
}

OdlAutoWindow
odl_auto_window_find (const OdlImage *image, const double found[2])
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlValueMap *map = &info->value_map;
  OdlAutoWindow window = { 0 };

  if (!odl_auto_window_is_missing (image))
    return window;

  const Extremes ends
      = found != NULL ? (Extremes){ found[0], found[1] } : find_extremes (image);
  if (!(ends.highest > ends.lowest))
    return window;
  if (lacks_window (info)) {
    // The ends are centre − 0.5 ∓ (width − 1) / 2.
    window.centre
        = map->slope * 0.5 * (ends.lowest + ends.highest) + map->intercept + 0.5;
    window.width = fabs (map->slope) * (ends.highest - ends.lowest) + 1;
  }
  if (lacks_range (info))
    set_range (&window, ends);
  return window;
}

OdlImage *
odl_auto_window_apply (OdlImage *image, const OdlAutoWindow *window)
{
  OdlImageInfo info = *odl_image_info (image);

  if (window->width > 0) {
    info.value_map.has_window = true;
    info.value_map.window_centre = window->centre;
    info.value_map.window_width = window->width;
  }
  if (window->stored_min < window->stored_max) {
    info.stored_min = window->stored_min;
    info.stored_max = window->stored_max;
  }
  OdlImage *described = odl_image_with_info (image, &info);
  odl_image_unref (image);
  return described;
}
