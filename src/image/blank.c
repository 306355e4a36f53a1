// SPDX-License-Identifier: MIT
#include "image/blank.h"

#include <string.h>

#include "image/area.h"
#include "image/regions.h"

// ---- Black ----

// The darkest pixel of a grey picture.
static const guint8 *
darkest (OdlImage *image, float *line)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPlane *plane = &info->planes[0];
  const guint8 *found = plane->data;
  float best = 0;

  for (int y = 0; y < info->extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, line);
    for (int x = 0; x < info->extent.x; x++) {
      const float dark = info->value_map.inverse ? -line[x] : line[x];
      if ((x > 0 || y > 0) && dark >= best)
        continue;
      best = dark;
      found = (const guint8 *) plane->data + y * plane->row_stride_bytes
              + x * plane->sample_stride_bytes;
    }
  }
  return found;
}

bool
odl_blank_image (OdlImage **blanked, const GArray *blanks, GError **error)
{
  OdlImage *image = *blanked;
  const OdlImageInfo *info = odl_image_info (image);
  const gsize size = odl_sample_size (info->type), pixel = size * info->channels;
  const gsize row = pixel * info->extent.x;
  g_autofree float *line = g_new (float, info->extent.x);
  void *samples = NULL;

  if (blanks->len == 0 || !odl_image_is_interleaved (image))
    return true;
  OdlImage *copy = odl_image_alloc (info, &samples, error);
  if (copy == NULL)
    return false;
  const guint8 *dark = info->channels == 1 ? darkest (image, line) : NULL;
  for (int y = 0; y < info->extent.y; y++) {
    guint8 *to = (guint8 *) samples + y * row;
    memcpy (to,
            (const guint8 *) info->planes[0].data + y * info->planes[0].row_stride_bytes,
            row);
    for (guint i = 0; i < blanks->len; i++) {
      const OdlBlank *area = &g_array_index (blanks, OdlBlank, i);
      if (y < area->y || y >= area->y + area->height)
        continue;
      for (int x = area->x; x < MIN (area->x + area->width, info->extent.x); x++)
        if (dark != NULL)
          memcpy (to + x * pixel, dark, size);
        else
          memset (to + x * pixel, 0, pixel);
    }
  }
  odl_image_unref (image);
  *blanked = copy;
  return true;
}

// ---- What lies outside regions ----

static bool
holds_a_picture (const OdlRegion *region)
{
  return region->kind == ODL_REGION_TISSUE || region->kind == ODL_REGION_MOTION
         || region->kind == ODL_REGION_SPECTRAL || region->kind == ODL_REGION_WAVE;
}

static gint
by_number (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

// The gaps between regions in rows `top` to `bottom`, in which none begins or ends.
static void
add_gaps (const OdlImageInfo *info, int top, int bottom, GArray *blanks)
{
  const int width = info->extent.x;

  for (int x = 0; x < width;) {
    int end = width, after = -1;
    for (int i = 0; i < info->regions->n; i++) {
      const OdlRegion *region = &info->regions->items[i];
      if (!holds_a_picture (region) || region->top > top || region->bottom < bottom)
        continue;
      if (region->left <= x && region->right > x)
        after = MAX (after, region->right);
      else if (region->left > x)
        end = MIN (end, region->left);
    }
    if (after < 0) {
      const OdlBlank blank = { x, top, end - x, bottom - top };
      g_array_append_val (blanks, blank);
    }
    x = after < 0 ? end : after;
  }
}

bool
odl_blank_add_outside (const OdlImageInfo *info, GArray *blanks)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (int));
  const int zero = 0, height = info->extent.y;
  bool found = false;

  g_array_append_val (edges, zero);
  g_array_append_val (edges, height);
  for (int i = 0; info->regions != NULL && i < info->regions->n; i++) {
    const OdlRegion *region = &info->regions->items[i];
    if (!holds_a_picture (region))
      continue;
    found = true;
    g_array_append_val (edges, region->top);
    g_array_append_val (edges, region->bottom);
  }
  g_array_sort (edges, by_number);
  for (guint i = 0; found && i + 1 < edges->len; i++) {
    const int top = g_array_index (edges, int, i);
    const int bottom = MIN (g_array_index (edges, int, i + 1), height);
    if (top < bottom)
      add_gaps (info, top, bottom, blanks);
  }
  return found;
}

// ---- What lies outside the sector ----

// Appends the runs of 0 in a row, `height` of which are alike.
static void
add_runs (const guint8 *row, int width, int y, int height, GArray *blanks)
{
  for (int x = 0; x < width; x++) {
    const int left = x;
    while (x < width && row[x] == 0)
      x++;
    const OdlBlank blank = { left, y, x - left, height };
    if (x > left)
      g_array_append_val (blanks, blank);
  }
}

bool
odl_blank_add_outside_sector (OdlImage *image, GArray *blanks)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  const gsize width = (gsize) extent.x;
  g_autofree guint8 *inside = g_new (guint8, width * extent.y);
  int end = 0;

  if (!odl_area_find (image, ODL_AREA_SECTOR, inside, NULL))
    return false;
  for (int y = 0; y < extent.y; y = end) {
    const guint8 *row = inside + y * width;
    for (end = y + 1; end < extent.y && memcmp (row, inside + end * width, width) == 0;)
      end++;
    add_runs (row, extent.x, y, end - y, blanks);
  }
  return true;
}

// ---- Text ----

bool
odl_blank_parse (const char *text, OdlBlank *blank)
{
  g_auto (GStrv) numbers = g_strsplit (text, ",", 5);
  int *const fields[] = { &blank->x, &blank->y, &blank->width, &blank->height };

  if (g_strv_length (numbers) != G_N_ELEMENTS (fields))
    return false;
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    gint64 value = 0;
    if (!g_ascii_string_to_signed (g_strstrip (numbers[i]), 10, i < 2 ? 0 : 1,
                                   G_MAXUINT16, &value, NULL))
      return false;
    *fields[i] = (int) value;
  }
  return true;
}
