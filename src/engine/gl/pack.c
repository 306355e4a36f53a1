// SPDX-License-Identifier: MIT
#include "engine/gl/pack.h"

#include <string.h>

// Copies samples whose strides GL cannot read, one by one and unconverted.
static void
gather_row (uint8_t *out, const OdlImageInfo *info, int y)
{
  const size_t size = odl_sample_size (info->type);

  for (int c = 0; c < info->channels; c++) {
    const OdlPlane *plane = &info->planes[c];
    const uint8_t *in = (const uint8_t *) plane->data + y * plane->row_stride_bytes;
    uint8_t *to = out + c * size;
    for (int x = 0; x < info->extent.x; x++) {
      memcpy (to, in, size);
      in += plane->sample_stride_bytes;
      to += info->channels * size;
    }
  }
}

// Red, green and blue as whole numbers, as the samples' type has them.
static void
convert_row (uint8_t *out, const OdlImage *image, int channel, int y, float *row)
{
  const OdlImageInfo *info = odl_image_info (image);
  const float range = (float) (info->stored_max - info->stored_min);
  const float most = info->type == ODL_SAMPLE_U8 ? 255.0f : 65535.0f;

  odl_image_scaled_row (image, channel, y, 0, 0, row);
  for (int x = 0; x < info->extent.x && info->type == ODL_SAMPLE_F32; x++)
    ((float *) (void *) out)[x * info->channels + channel] = row[x];
  for (int x = 0; x < info->extent.x && info->type != ODL_SAMPLE_F32; x++) {
    const float stored = (float) info->stored_min + row[x] * range + 0.5f;
    const size_t i = (size_t) x * info->channels + channel;
    if (info->type == ODL_SAMPLE_U8)
      out[i] = (uint8_t) CLAMP (stored, 0.0f, most);
    else
      ((uint16_t *) out)[i] = (uint16_t) CLAMP (stored, 0.0f, most);
  }
}

static void
convert (uint8_t *out, const OdlImage *image, size_t row_bytes)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree float *row = g_new (float, info->extent.x);

  for (int y = 0; y < info->extent.y; y++)
    for (int c = 0; c < info->channels; c++)
      convert_row (out + y * row_bytes, image, c, y, row);
}

void
odl_gl_pack_pixels (const OdlImage *image, uint8_t *out)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPlane *plane = &info->planes[0];
  const size_t row
      = (size_t) info->extent.x * info->channels * odl_sample_size (info->type);

  if (info->ycbcr.used)
    convert (out, image, row);
  else if (!odl_image_is_interleaved (image))
    for (int y = 0; y < info->extent.y; y++)
      gather_row (out + y * row, info, y);
  else if (plane->row_stride_bytes == row)
    memcpy (out, plane->data, row * info->extent.y);
  else
    for (int y = 0; y < info->extent.y; y++)
      memcpy (out + y * row, (const uint8_t *) plane->data + y * plane->row_stride_bytes,
              row);
}
