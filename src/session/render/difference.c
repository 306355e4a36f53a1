// SPDX-License-Identifier: MIT
#include "session/render/difference.h"

OdlImage *
odl_difference_new (OdlImage *a, OdlImage *b, GError **error)
{
  const OdlImageInfo *of = odl_image_info (a);
  const int width = of->extent.x, channels = of->channels;
  const OdlImageInfo info = { .extent = { width, of->extent.y, 1, 1 },
                              .channels = channels,
                              .type = ODL_SAMPLE_F32,
                              .stored_max = 1,
                              .value_map = { .slope = 1 } };
  float *samples;
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);
  g_autofree float *row = g_new (float, 2 * width);
  if (!image)
    return NULL;
  for (int y = 0; y < of->extent.y; y++)
    for (int c = 0; c < channels; c++) {
      odl_image_scaled_row (a, c, y, 0, 0, row);
      odl_image_scaled_row (b, c, y, 0, 0, row + width);
      float *to = samples + (size_t) y * width * channels + c;
      for (int x = 0; x < width; x++)
        to[x * channels] = row[x] - row[width + x];
    }
  return image;
}
