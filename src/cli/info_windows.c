// SPDX-License-Identifier: MIT
#include "cli/info_windows.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"

void
odl_info_write_windows (OdlJson *json, const OdlFileWindows *windows)
{
  if (windows == NULL)
    return;
  odl_json_begin_array (json, "windows");
  for (int i = 0; i < windows->n; i++) {
    const OdlFileWindow *item = &windows->items[i];
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", item->name);
    if (item->curve != NULL) {
      odl_json_integer (json, "levels", item->curve->n);
      odl_json_number (json, "levels_first", item->first);
      odl_json_number (json, "levels_last", item->last);
    } else {
      odl_json_number (json, "centre", item->centre);
      odl_json_number (json, "width", item->width);
    }
    odl_json_end_object (json);
  }
  odl_json_end_array (json);
}

// Transfer full.
static char *
levels_text (const OdlFileWindow *item)
{
  g_autofree char *from
      = odl_number_to_text (item->curve != NULL ? item->first : item->centre);
  g_autofree char *to
      = odl_number_to_text (item->curve != NULL ? item->last : item->width);

  // Translators: grey levels that a file offers; two values follow.
  return item->curve != NULL ? g_strdup_printf (_ ("table for %s to %s"), from, to)
                             : g_strdup_printf (_ ("centre %s, width %s"), from, to);
}

void
odl_info_print_windows (const OdlFileWindows *windows)
{
  for (int i = 0; windows != NULL && i < windows->n; i++) {
    const OdlFileWindow *item = &windows->items[i];
    g_autofree char *levels = levels_text (item);
    g_print ("%s %d: %s%s%s\n", _ ("window"), i + 1, levels,
             *item->name != '\0' ? ", " : "", item->name);
  }
}

// ---- regions -------------------------------------------------------------------------

static const char *const kind_names[ODL_N_REGION_KINDS] = {
  [ODL_REGION_OTHER] = "other",   [ODL_REGION_TISSUE] = "2d",
  [ODL_REGION_MOTION] = "m-mode", [ODL_REGION_SPECTRAL] = "spectral",
  [ODL_REGION_WAVE] = "wave",     [ODL_REGION_GRAPHICS] = "graphics",
};

void
odl_info_write_regions (OdlJson *json, const OdlRegions *regions)
{
  static const char *const units[] = { "unit_x", "unit_y" };
  static const char *const deltas[] = { "delta_x", "delta_y" };

  if (regions == NULL)
    return;
  odl_json_begin_array (json, "regions");
  for (int i = 0; i < regions->n; i++) {
    const OdlRegion *region = &regions->items[i];
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "kind", kind_names[region->kind]);
    odl_json_integer (json, "left", region->left);
    odl_json_integer (json, "top", region->top);
    odl_json_integer (json, "right", region->right);
    odl_json_integer (json, "bottom", region->bottom);
    for (int a = 0; a < 2; a++) {
      odl_json_string (json, units[a], odl_region_unit_name (region->unit[a]));
      odl_json_number (json, deltas[a], region->delta[a]);
    }
    if (region->has_reference) {
      odl_json_number (json, "reference_x", region->reference[0]);
      odl_json_number (json, "reference_y", region->reference[1]);
      odl_json_number (json, "reference_value_x", region->value[0]);
      odl_json_number (json, "reference_value_y", region->value[1]);
    }
    odl_json_end_object (json);
  }
  odl_json_end_array (json);
}

// "0.05 cm", or that it has no unit. Transfer full.
static char *
delta_text (const OdlRegion *region, int axis)
{
  g_autofree char *delta = odl_number_to_text (region->delta[axis]);

  return region->unit[axis] == ODL_REGION_NO_UNIT
             // Translators: of one axis of a region.
             ? g_strdup (_ ("no unit"))
             : g_strdup_printf ("%s %s", delta,
                                odl_region_unit_name (region->unit[axis]));
}

void
odl_info_print_regions (const OdlRegions *regions)
{
  for (int i = 0; regions != NULL && i < regions->n; i++) {
    const OdlRegion *region = &regions->items[i];
    g_autofree char *x = delta_text (region, 0);
    g_autofree char *y = delta_text (region, 1);
    // Translators: the number of a region; its kind, first column and row, width and
    // height, what a pixel is along x and along y.
    g_print (_ ("region %d: %s, at %d,%d, %d×%d, a pixel is %s × %s\n"), i + 1,
             odl_region_kind_title (region->kind), region->left, region->top,
             region->right - region->left, region->bottom - region->top, x, y);
  }
}

void
odl_info_print_line (const char *label, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_print ("%s: %s\n", label, text);
}
