// SPDX-License-Identifier: MIT
#include "image/display/file_windows.h"

OdlFileWindows *
odl_file_windows_new (const OdlFileWindow *items, int n)
{
  OdlFileWindows *windows = g_malloc (sizeof *windows + (size_t) n * sizeof *items);

  g_atomic_ref_count_init (&windows->ref_count);
  windows->n = n;
  for (int i = 0; i < n; i++) {
    windows->items[i] = items[i];
    windows->items[i].name = g_strdup (items[i].name != NULL ? items[i].name : "");
    odl_curve_ref (items[i].curve);
  }
  return windows;
}

const OdlFileWindows *
odl_file_windows_ref (const OdlFileWindows *windows)
{
  if (windows != NULL)
    g_atomic_ref_count_inc (&((OdlFileWindows *) windows)->ref_count);
  return windows;
}

void
odl_file_windows_unref (const OdlFileWindows *windows)
{
  OdlFileWindows *last = (OdlFileWindows *) windows;

  if (last == NULL || !g_atomic_ref_count_dec (&last->ref_count))
    return;
  for (int i = 0; i < last->n; i++) {
    g_free (last->items[i].name);
    odl_curve_unref (last->items[i].curve);
  }
  g_free (last);
}

OdlValueMap
odl_file_windows_choose (const OdlFileWindows *windows,
                         const OdlValueMap *map,
                         int choice)
{
  OdlValueMap chosen = *map;

  if (windows == NULL || choice <= 0 || choice >= windows->n)
    return chosen;
  const OdlFileWindow *item = &windows->items[choice];
  chosen.curve = item->curve;
  chosen.curve_first = item->first;
  chosen.curve_last = item->last;
  chosen.has_window = item->curve == NULL;
  chosen.window_centre = item->centre;
  chosen.window_width = item->width;
  return chosen;
}
