// SPDX-License-Identifier: MIT
#include "image/probe.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "image/numbers.h"

#define COLOUR_LEVELS 255 // of red, green and blue converted from YCbCr
#define FEWEST_DIGITS 5
#define MOST_DIGITS 9 // tell all numbers of single precision from each other
#define MOST_WHOLE 1e15 // that is written with all digits

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

// As the file has it.
static void
read_numbers (const OdlImage *image, int x, int y, OdlProbe *probe)
{
  for (int c = 0; c < probe->channels; c++)
    odl_image_numbers_span (image, c, x, 1, y, 0, &probe->values[c]);
}

// Of the range of the stored values; colours converted from others are whole.
static void
read_stored (const OdlImageInfo *info,
             const OdlImage *scaled,
             int x,
             int y,
             bool made,
             OdlProbe *probe)
{
  float values[3] = { 0 };

  if (probe->channels == 1)
    odl_image_scaled_span (scaled, 0, x, 1, y, 0, 0, values);
  else
    read_colour (scaled, x, y, values);
  for (int c = 0; c < probe->channels; c++) {
    const double stored = least_of (info) + range_of (info) * (double) values[c];
    probe->values[c] = made ? round (stored) : stored;
  }
}

bool
odl_probe (const OdlImage *image, const OdlImage *scaled, int x, int y, OdlProbe *probe)
{
  g_return_val_if_fail (image != NULL && scaled != NULL && probe != NULL, false);

  const OdlImageInfo *info = odl_image_info (image), *shown = odl_image_info (scaled);

  if (x < 0 || y < 0 || x >= shown->extent.x || y >= shown->extent.y)
    return false;
  *probe = (OdlProbe){ .channels = shown->channels == 1 ? 1 : 3 };
  probe->exact = scaled == image && !info->ycbcr.used;
  if (probe->exact)
    read_numbers (image, x, y, probe);
  else
    read_stored (info, scaled, x, y, scaled == image, probe);
  if (probe->channels == 1)
    probe->values[0]
        = info->value_map.slope * probe->values[0] + info->value_map.intercept;
  return true;
}

// With as few digits as tell the number from others of single precision.
static void
append_exact (GString *text, double value)
{
  if (isnan (value)) {
    // Translators: in the place of a value that is no number.
    g_string_append (text, _ ("no number"));
    return;
  }
  if (value == round (value) && fabs (value) < MOST_WHOLE) {
    g_string_append_printf (text, "%.0f", value == 0 ? 0.0 : value);
    return;
  }
  for (int n = FEWEST_DIGITS; n <= MOST_DIGITS; n++) {
    g_autofree char *digits = g_strdup_printf ("%.*g", n, value);
    if (n < MOST_DIGITS && (float) strtod (digits, NULL) != (float) value)
      continue;
    g_string_append (text, digits);
    return;
  }
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

// In the unit of the probe.
static bool
is_grey (const OdlProbe *probe)
{
  return probe->channels == 1;
}

static double
told_range (const OdlImageInfo *info, const OdlProbe *probe)
{
  const OdlUnitRange range = odl_unit_range (info, is_grey (probe), probe->unit);

  return fabs (range.one - range.zero);
}

static char *
with_unit (GString *text, const OdlImageInfo *info, const OdlProbe *probe)
{
  const char *unit = odl_unit_name (info, is_grey (probe), probe->unit);

  if (*unit != '\0')
    g_string_append_printf (text, " %s", unit);
  return odl_text_with_minus (g_string_free (text, FALSE));
}

char *
odl_probe_to_text (const OdlImage *image, const OdlProbe *probe)
{
  g_return_val_if_fail (image != NULL && probe != NULL, NULL);

  GString *text = g_string_new (NULL);
  const OdlImageInfo *info = odl_image_info (image);
  const double range = told_range (info, probe);

  for (int c = 0; c < probe->channels; c++) {
    const double value
        = odl_unit_value (info, is_grey (probe), probe->unit, probe->values[c]);
    if (c > 0)
      g_string_append (text, ", ");
    if (isnan (value) || (probe->exact && probe->unit == ODL_UNIT_FILE))
      append_exact (text, value);
    else
      append_number (text, value, range);
  }
  return with_unit (text, info, probe);
}

// What rounding leaves of nothing is 0.
static GString *
differences (const OdlImageInfo *info, const OdlProbe *taken)
{
  GString *text = g_string_new (NULL);
  const double range = told_range (info, taken);

  for (int c = 0; c < taken->channels; c++) {
    const double value
        = odl_unit_difference (info, is_grey (taken), taken->unit, taken->values[c]);
    g_string_append_printf (text, "%s%.4g", c > 0 ? ", " : "",
                            fabs (value) < 1e-7 * range ? 0.0 : value);
  }
  return text;
}

char *
odl_probe_difference_to_text (const OdlImage *image, const OdlProbe *probe)
{
  g_return_val_if_fail (image != NULL && probe != NULL, NULL);

  const OdlImageInfo *info = odl_image_info (image);
  const double none = odl_unit_range (info, is_grey (probe), ODL_UNIT_FILE).zero;
  OdlProbe taken = *probe;

  for (int c = 0; c < taken.channels; c++)
    taken.values[c] -= none;
  return odl_text_with_minus (g_string_free (differences (info, &taken), FALSE));
}

char *
odl_probe_residual_to_text (const OdlImage *image,
                            const OdlProbe *before,
                            const OdlProbe *after)
{
  g_return_val_if_fail (image != NULL && before != NULL && after != NULL, NULL);

  const OdlImageInfo *info = odl_image_info (image);
  OdlProbe taken = *before;

  for (int c = 0; c < taken.channels; c++)
    taken.values[c] -= after->values[c];
  return with_unit (differences (info, &taken), info, &taken);
}

char *
odl_probe_fraction_to_text (const OdlImage *image, double fraction, OdlUnit unit)
{
  g_return_val_if_fail (image != NULL, NULL);

  const OdlUnitRange range = odl_unit_range (odl_image_info (image), true, ODL_UNIT_FILE);
  const OdlProbe probe = {
    .channels = 1,
    .values = { range.zero + (range.one - range.zero) * fraction },
    .unit = unit,
  };
  return odl_probe_to_text (image, &probe);
}
