// SPDX-License-Identifier: MIT
#include "base/clones.h"
#include "base/parallel.h"
#include "image/image.h"

ODL_ROW_LOOP
static void
weave_threes (const float *red,
              const float *green,
              const float *blue,
              int count,
              float *restrict out)
{
  for (int x = 0; x < count; x++) {
    out[3 * (size_t) x] = red[x];
    out[3 * (size_t) x + 1] = green[x];
    out[3 * (size_t) x + 2] = blue[x];
  }
}

void
odl_image_interleave_row (const float *const *rows, int channels, int count, float *out)
{
  if (channels == 3) {
    weave_threes (rows[0], rows[1], rows[2], count, out);
    return;
  }
  for (int c = 0; c < channels; c++)
    for (int x = 0; x < count; x++)
      out[(size_t) x * channels + c] = rows[c][x];
}

// Interleaves row `y` of all channels into `out`.
static void
scale_row (const OdlImage *image, int y, float *out)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x, channels = info->channels;
  g_autofree float *lines = g_new (float, (size_t) width *channels);
  float *rows[ODL_IMAGE_MAX_CHANNELS];

  for (int c = 0; c < channels; c++)
    rows[c] = lines + (size_t) c * width;
  if (info->ycbcr.used)
    odl_image_rgb_row (image, y, rows);
  for (int c = 0; c < channels && !info->ycbcr.used; c++)
    odl_image_scaled_row (image, c, y, 0, 0, rows[c]);
  odl_image_interleave_row ((const float *const *) rows, channels, width, out);
}

OdlImage *
odl_image_to_scaled (const OdlImage *image, GError **error)
{
  g_return_val_if_fail (image != NULL, NULL);

  const OdlImageInfo *from = odl_image_info (image);
  OdlImageInfo info = *from;
  float *samples;

  info.extent.z = info.extent.t = 1;
  info.type = ODL_SAMPLE_F32;
  info.stored_min = 0;
  info.stored_max = 1;
  info.value_map.intercept += info.value_map.slope * from->stored_min;
  info.value_map.slope *= from->stored_max - from->stored_min;
  OdlImage *scaled = odl_image_alloc (&info, (void **) &samples, error);
  if (scaled == NULL)
    return NULL;

  ODL_PARALLEL_FOR
  for (int y = 0; y < info.extent.y; y++)
    scale_row (image, y, samples + (size_t) y * info.extent.x * info.channels);
  return scaled;
}
