// SPDX-License-Identifier: MIT
#include "image/probe.h"

#include <math.h>

#include "base/text.h"

#define COLOUR_LEVELS 255 // of red, green and blue converted from YCbCr

static void
read_colour (const OdlImage *scaled, int x, int y, float values[3])
{
  float *const rgb[] = { &values[0], &values[1], &values[2] };

  if (odl_image_info (scaled)->ycbcr.used) {
    odl_image_rgb_span (scaled, x, 1, y, rgb);
    return;
  }
  for (int c = 0; c < 3; c++)
    odl_image_scaled_span (scaled, c, x, 1, y, 0, 0, &values[c]);
}

// The value as stored of 0 and of 1, for display.
static double
least_of (const OdlImageInfo *info)
{
  return info->ycbcr.used ? 0 : info->stored_min;
}

static double
range_of (const OdlImageInfo *info)
{
  return info->ycbcr.used ? COLOUR_LEVELS : info->stored_max - info->stored_min;
}

bool
odl_probe (const OdlImage *image, const OdlImage *scaled, int x, int y, OdlProbe *probe)
{
  g_return_val_if_fail (image != NULL && scaled != NULL && probe != NULL, false);

  const OdlImageInfo *info = odl_image_info (image), *shown = odl_image_info (scaled);
  const bool whole = scaled == image && info->type != ODL_SAMPLE_F32 && !info->ycbcr.used;
  float values[3] = { 0 };

  if (x < 0 || y < 0 || x >= shown->extent.x || y >= shown->extent.y)
    return false;
  probe->channels = shown->channels == 1 ? 1 : 3;
  if (probe->channels == 1)
    odl_image_scaled_span (scaled, 0, x, 1, y, 0, 0, values);
  else
    read_colour (scaled, x, y, values);
  for (int c = 0; c < probe->channels; c++) {
    const double stored = least_of (info) + range_of (info) * (double) values[c];
    const bool made = scaled == image && info->ycbcr.used;
    // Single precision represents 16-bit values exactly, but not their fraction of the
    // range.
    probe->values[c] = whole || made ? round (stored) : stored;
    if (probe->channels == 1)
      probe->values[c]
          = info->value_map.slope * probe->values[c] + info->value_map.intercept;
  }
  return true;
}

// `range`: of all values.
static void
append_number (GString *text, double value, double range)
{
  const double nearest = round (value);

  // Removes the rounding errors of filters, which are as large as those of the range.
  if (fabs (value - nearest) < MAX (1e-6 * MAX (fabs (value), 1), 1e-7 * range))
    g_string_append_printf (text, "%.0f", nearest == 0 ? 0.0 : nearest);
  else
    g_string_append_printf (text, "%.5g", value);
}

char *
odl_probe_to_text (const OdlImage *image, const OdlProbe *probe)
{
  g_return_val_if_fail (image != NULL && probe != NULL, NULL);

  GString *text = g_string_new (NULL);
  const OdlImageInfo *info = odl_image_info (image);
  const char *unit = info->value_map.unit;
  const double range = fabs (info->value_map.slope * range_of (info));

  for (int c = 0; c < probe->channels; c++) {
    if (c > 0)
      g_string_append (text, ", ");
    append_number (text, probe->values[c], range);
  }
  if (probe->channels == 1 && *unit != '\0')
    g_string_append_printf (text, " %s", unit);
  return odl_text_with_minus (g_string_free (text, FALSE));
}

char *
odl_probe_difference_to_text (const OdlImage *image, const OdlProbe *probe)
{
  g_return_val_if_fail (image != NULL && probe != NULL, NULL);

  const OdlImageInfo *info = odl_image_info (image);
  const OdlValueMap *map = &info->value_map;
  const double none = probe->channels == 1 ? map->slope * least_of (info) + map->intercept
                                           : least_of (info);
  const double range = fabs (map->slope) * range_of (info);
  GString *text = g_string_new (NULL);
  for (int c = 0; c < probe->channels; c++) {
    const double value = probe->values[c] - none;
    g_string_append_printf (text, "%s%.4g", c > 0 ? ", " : "",
                            fabs (value) < 1e-7 * range ? 0.0 : value);
  }
  return odl_text_with_minus (g_string_free (text, FALSE));
}

char *
odl_probe_fraction_to_text (const OdlImage *image, double fraction)
{
  g_return_val_if_fail (image != NULL, NULL);

  const OdlImageInfo *info = odl_image_info (image);
  const double stored = least_of (info) + range_of (info) * fraction;
  const OdlProbe probe = {
    .channels = 1,
    .values = { info->value_map.slope * stored + info->value_map.intercept },
  };
  return odl_probe_to_text (image, &probe);
}
