// SPDX-License-Identifier: MIT
#include "image/damaged.h"

#include <glib/gi18n-lib.h>

OdlImage *
odl_damaged_image (const OdlImage *like)
{
  OdlImageInfo info = *odl_image_info (like);
  void *samples;

  // Zero is the darkest value of most images; a uniform picture is recognisable in any
  // case.
  info.mark = _ ("damaged frame");
  return odl_image_alloc (&info, &samples, NULL);
}

static void
draw_pixel (float *pixel, int channels)
{
  for (int c = 0; c < channels; c++)
    pixel[c] = 1;
}

static void
copy_row (const OdlImage *from, int channels, int y, float *row, float *line)
{
  const int width = odl_image_info (from)->extent.x;

  for (int c = 0; c < channels; c++) {
    odl_image_scaled_row (from, c, y, 0, 0, line);
    for (int x = 0; x < width; x++)
      row[(size_t) x * channels + c] = line[x];
  }
}

// `under` is NULL for a black background.
static OdlImage *
draw_cross (const OdlImage *like, const OdlImage *under)
{
  OdlImageInfo info = *odl_image_info (like);
  const int width = info.extent.x, height = info.extent.y;
  const int half = MAX (width, height) / 128;
  void *samples;

  info.extent.z = info.extent.t = 1;
  info.type = ODL_SAMPLE_F32;
  info.stored_min = 0;
  info.stored_max = 1;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);
  if (image == NULL)
    return NULL;
  g_autofree float *line = g_new (float, width);
  for (int y = 0; y < height; y++) {
    float *row = (float *) samples + (size_t) y * width * info.channels;
    const int down = (int) ((int64_t) y * width / height);
    if (under != NULL)
      copy_row (under, info.channels, y, row, line);
    for (int x = MAX (down - half, 0); x <= MIN (down + half, width - 1); x++) {
      draw_pixel (row + (size_t) x * info.channels, info.channels);
      draw_pixel (row + (size_t) (width - 1 - x) * info.channels, info.channels);
    }
    // Alpha is opaque.
    for (int x = 0; info.channels == 4 && x < width; x++)
      row[(size_t) x * 4 + 3] = 1;
  }
  return image;
}

OdlImage *
odl_damaged_cross (const OdlImage *like)
{
  return draw_cross (like, NULL);
}

OdlImage *
odl_damaged_crossed (const OdlImage *scaled)
{
  return draw_cross (scaled, scaled);
}

// Recognisable, but visibly not live.
#define DIM 0.35f

OdlImage *
odl_lost_image (const OdlImage *last)
{
  const OdlImageInfo *from = odl_image_info (last);
  const OdlImageInfo info = { .extent = { from->extent.x, from->extent.y, 1, 1 },
                              .channels = from->channels == 1 ? 1 : 3,
                              .type = ODL_SAMPLE_U8,
                              .pixel_aspect = from->pixel_aspect,
                              .mark = _ ("signal lost") };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  if (image == NULL)
    return NULL;
  g_autofree float *row = g_new (float, info.extent.x);
  for (int c = 0; c < info.channels; c++)
    for (int y = 0; y < info.extent.y; y++) {
      uint8_t *to = (uint8_t *) samples + (size_t) y * info.extent.x * info.channels + c;
      odl_image_scaled_row (last, c, y, 0, 0, row);
      for (int x = 0; x < info.extent.x; x++)
        to[(size_t) x * info.channels] = (uint8_t) (DIM * 255 * CLAMP (row[x], 0, 1));
    }
  return image;
}
