// SPDX-License-Identifier: MIT
#include "image/volume/volume.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "image/numbers.h"

static void
release_volume (void *volume)
{
  odl_image_unref (volume);
}

OdlImage *
odl_volume_slice (OdlImage *volume, int z)
{
  OdlImageInfo info = *odl_image_info (volume);

  g_return_val_if_fail (z >= 0 && z < info.extent.z, NULL);
  info.extent.z = 1;
  info.mark = NULL;
  for (int c = 0; c < info.channels; c++)
    info.planes[c].data = (const uint8_t *) info.planes[c].data
                          + (size_t) z * info.planes[c].slice_stride_bytes;
  return odl_image_wrap (&info, release_volume, odl_image_ref (volume), NULL);
}

static bool
lies_tall (const OdlImageInfo *info)
{
  for (int c = 0; c < info->channels; c++)
    if (info->planes[c].slice_stride_bytes
        != info->planes[c].row_stride_bytes * info->extent.y)
      return false;
  return true;
}

OdlImage *
odl_volume_tall (OdlImage *volume, GError **error)
{
  OdlImageInfo info = *odl_image_info (volume);
  const int depth = info.extent.z;

  if (!lies_tall (&info)) {
    void *samples;
    g_autoptr (OdlImage) tight = odl_volume_alloc (volume, depth, &samples, error);
    for (int z = 0; tight != NULL && z < depth; z++) {
      g_autoptr (OdlImage) slice = odl_volume_slice (volume, z);
      odl_volume_put (tight, samples, z, slice);
    }
    return tight != NULL ? odl_volume_tall (tight, error) : NULL;
  }
  info.extent.y *= depth;
  info.extent.z = 1;
  info.mark = NULL;
  return odl_image_wrap (&info, release_volume, odl_image_ref (volume), NULL);
}

OdlImage *
odl_volume_alloc (const OdlImage *slice, int depth, void **samples, GError **error)
{
  OdlImageInfo info = *odl_image_info (slice);

  info.extent.z = depth;
  info.regions = NULL;
  info.shutter = info.overlay = NULL;
  info.surface = NULL;
  OdlImage *volume = odl_image_alloc (&info, samples, error);
  if (volume != NULL)
    odl_image_share_padding (volume, slice);
  return volume;
}

bool
odl_volume_put (const OdlImage *volume, void *samples, int z, const OdlImage *slice)
{
  const OdlImageInfo *to = odl_image_info (volume), *from = odl_image_info (slice);
  const size_t size = odl_sample_size (to->type);

  if (from->extent.x != to->extent.x || from->extent.y != to->extent.y
      || from->channels != to->channels || from->type != to->type
      || from->stored_min != to->stored_min || from->stored_max != to->stored_max
      || from->ycbcr.used)
    return false;
  for (int c = 0; c < to->channels; c++)
    for (int y = 0; y < to->extent.y; y++) {
      const uint8_t *row
          = (const uint8_t *) from->planes[c].data + y * from->planes[c].row_stride_bytes;
      uint8_t *out
          = (uint8_t *) samples
            + (((size_t) z * to->extent.y + y) * to->extent.x * to->channels + c) * size;
      for (int x = 0; x < to->extent.x; x++)
        memcpy (out + (size_t) x * to->channels * size,
                row + x * from->planes[c].sample_stride_bytes, size);
    }
  return true;
}

bool
odl_volume_add (OdlImage **volume,
                void **samples,
                int depth,
                int z,
                const OdlImage *slice,
                GError **error)
{
  if (*volume == NULL)
    *volume = odl_volume_alloc (slice, depth, samples, error);
  if (*volume == NULL)
    return false;
  if (odl_volume_put (*volume, *samples, z, slice))
    return true;
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("The result of slice %d is of another kind than the first one."), z + 1);
}
