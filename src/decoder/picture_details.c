// SPDX-License-Identifier: MIT
// What a file says about its picture besides: further windows, regions with scales of
// their own, a shutter; samples one by one.
#include <string.h>

#include "decoder/picture.h"

// At most as many bytes as fit, whole characters, on one line.
static void
set_name (OdlDecoderWindow *window, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  const char *end = valid + strlen (valid);

  while (end - valid >= (ptrdiff_t) sizeof window->name)
    end = g_utf8_prev_char (end);
  memcpy (window->name, valid, (size_t) (end - valid));
  for (char *c = window->name; *c != '\0'; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7f)
      *c = ' ';
}

static bool
add (OdlPicture *picture, const OdlDecoderWindow *window)
{
  if (picture->windows == NULL)
    picture->windows = g_array_new (FALSE, TRUE, sizeof *window);
  if (picture->windows->len >= ODL_DECODER_MAX_WINDOWS)
    return false;
  g_array_append_vals (picture->windows, window, 1);
  picture->reply.n_windows = picture->windows->len;
  return true;
}

bool
odl_picture_add_window (OdlPicture *picture,
                        const char *name,
                        double centre,
                        double width)
{
  OdlDecoderWindow window = { .centre = centre, .width = width };

  set_name (&window, name);
  return add (picture, &window);
}

static uint32_t
count_tables (const OdlPicture *picture)
{
  uint32_t n = 0;

  for (guint i = 0; picture->windows != NULL && i < picture->windows->len; i++)
    n += g_array_index (picture->windows, OdlDecoderWindow, i).n_levels > 0;
  return n;
}

bool
odl_picture_add_table (OdlPicture *picture,
                       const char *name,
                       const float *levels,
                       uint32_t n,
                       const double ends[2])
{
  OdlDecoderWindow window = { .n_levels = n, .first = ends[0], .last = ends[1] };

  set_name (&window, name);
  if (count_tables (picture) >= ODL_DECODER_MAX_TABLES || !add (picture, &window))
    return false;
  if (picture->tables == NULL)
    picture->tables = g_array_new (FALSE, FALSE, sizeof *levels);
  g_array_append_vals (picture->tables, levels, n);
  picture->reply.n_window_levels = picture->tables->len;
  return true;
}

void
odl_picture_drop_single_window (OdlPicture *picture)
{
  if (picture->reply.n_windows > 1)
    return;
  g_clear_pointer (&picture->windows, g_array_unref);
  g_clear_pointer (&picture->tables, g_array_unref);
  picture->reply.n_windows = picture->reply.n_window_levels = 0;
}

bool
odl_picture_add_region (OdlPicture *picture, const OdlDecoderRegion *region)
{
  if (picture->regions == NULL)
    picture->regions = g_array_new (FALSE, TRUE, sizeof *region);
  if (picture->regions->len >= ODL_DECODER_MAX_REGIONS)
    return false;
  g_array_append_vals (picture->regions, region, 1);
  picture->reply.n_regions = picture->regions->len;
  return true;
}

void
odl_picture_drop_regions (OdlPicture *picture)
{
  g_clear_pointer (&picture->regions, g_array_unref);
  picture->reply.n_regions = 0;
}

uint8_t *
odl_picture_add_shutter (OdlPicture *picture, double level)
{
  if (picture->shutter == NULL)
    picture->shutter = g_try_malloc0 (odl_decoder_bits_bytes (&picture->reply));
  picture->reply.has_shutter = picture->shutter != NULL;
  picture->reply.shutter_level = level;
  return picture->shutter;
}

void
odl_picture_drop_shutter (OdlPicture *picture)
{
  g_clear_pointer (&picture->shutter, g_free);
  picture->reply.has_shutter = 0;
  picture->reply.shutter_level = 0;
}

void
odl_picture_clear_details (OdlPicture *picture)
{
  g_clear_pointer (&picture->windows, g_array_unref);
  g_clear_pointer (&picture->tables, g_array_unref);
  g_clear_pointer (&picture->regions, g_array_unref);
  g_clear_pointer (&picture->shutter, g_free);
}

void
odl_picture_put (OdlPicture *picture, size_t at, double value)
{
  switch ((OdlSampleType) picture->reply.sample_type) {
  case ODL_SAMPLE_U8:
    ((uint8_t *) picture->pixels)[at] = (uint8_t) value;
    break;
  case ODL_SAMPLE_U16:
    ((uint16_t *) picture->pixels)[at] = (uint16_t) value;
    break;
  case ODL_SAMPLE_S16:
    ((int16_t *) picture->pixels)[at] = (int16_t) value;
    break;
  case ODL_SAMPLE_F32:
    ((float *) picture->pixels)[at] = (float) value;
    break;
  }
}
