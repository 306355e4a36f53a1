// SPDX-License-Identifier: MIT
#include "image/damaged.h"

#include <glib/gi18n-lib.h>

#include "config.h"

OdlImage *
odl_damaged_image (const OdlImage *like)
{
  OdlImageInfo info = *odl_image_info (like);
  void *samples;

  // Zero is the darkest value of most images; where it is not, it is still plainly none
  // of the picture.
  info.mark = _ ("damaged frame");
  return odl_image_alloc (&info, &samples, NULL);
}

static void
draw_pixel (float *pixel, int channels)
{
  for (int c = 0; c < channels; c++)
    pixel[c] = 1;
}

OdlImage *
odl_damaged_cross (const OdlImage *like)
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
  for (int y = 0; y < height; y++) {
    float *row = (float *) samples + (size_t) y * width * info.channels;
    const int down = (int) ((int64_t) y * width / height);
    for (int x = MAX (down - half, 0); x <= MIN (down + half, width - 1); x++) {
      draw_pixel (row + (size_t) x * info.channels, info.channels);
      draw_pixel (row + (size_t) (width - 1 - x) * info.channels, info.channels);
    }
    // Opaque throughout.
    for (int x = 0; info.channels == 4 && x < width; x++)
      row[(size_t) x * 4 + 3] = 1;
  }
  return image;
}
