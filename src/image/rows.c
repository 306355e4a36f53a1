// SPDX-License-Identifier: MIT
#include "image/rows.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"

OdlRows
odl_rows_of_image (OdlImage *image)
{
  const int height = odl_image_info (image)->extent.y;

  return (OdlRows){ .height = height, .image = image, .end = height };
}

static const char *
row_of (const OdlPlane *plane, int y)
{
  return (const char *) plane->data + (size_t) y * plane->row_stride_bytes;
}

static void
copy_samples (const OdlPlane *from,
              int from_y,
              const OdlPlane *to,
              int to_y,
              int width,
              size_t size)
{
  const char *in = row_of (from, from_y);
  char *out = (char *) row_of (to, to_y);

  if (from->sample_stride_bytes == size && to->sample_stride_bytes == size) {
    memcpy (out, in, (size_t) width * size);
    return;
  }
  for (int x = 0; x < width; x++)
    memcpy (out + (size_t) x * to->sample_stride_bytes,
            in + (size_t) x * from->sample_stride_bytes, size);
}

static void
copy_rows (const OdlImage *from, int first, int count, OdlImage *to, int at)
{
  const OdlImageInfo *in = odl_image_info (from), *out = odl_image_info (to);

  for (int c = 0; c < in->channels; c++)
    for (int y = 0; y < count; y++)
      copy_samples (&in->planes[c], first + y, &out->planes[c], at + y, in->extent.x,
                    odl_sample_size (in->type));
}

// ---- Crops ----

static void
unref_cb (void *image)
{
  odl_image_unref (image);
}

static OdlImage *
view (OdlImage *image, const OdlImageInfo *rows, int from, GError **error)
{
  OdlImageInfo info = *rows;

  for (int c = 0; c < info.channels; c++)
    info.planes[c].data = row_of (&info.planes[c], from);
  OdlImage *result = odl_image_wrap (&info, unref_cb, image, error);
  if (result != NULL)
    odl_image_ref (image);
  return result;
}

OdlImage *
odl_image_some_rows (OdlImage *image, int from, int to, int tail, GError **error)
{
  g_return_val_if_fail (image != NULL && 0 <= from && from < to, NULL);

  OdlImageInfo info = *odl_image_info (image);
  const int below = tail > 0 ? info.extent.y - tail : 0;
  void *samples;

  g_return_val_if_fail (!info.ycbcr.used && to <= info.extent.y && below >= 0, NULL);
  info.extent = (OdlExtent){ info.extent.x, to - from + below, 1, 1 };
  info.regions = NULL;
  info.shutter = info.overlay = NULL;
  info.surface = NULL;
  if (below == 0)
    return view (image, &info, from, error);
  OdlImage *result = odl_image_alloc (&info, &samples, error);
  if (result != NULL) {
    copy_rows (image, from, to - from, result, 0);
    copy_rows (image, tail, below, result, to - from);
  }
  return result;
}

// ---- Gathering ----

static OdlImage *
alloc_planes (const OdlRows *rows, GError **error)
{
  OdlImageInfo info = *odl_image_info (rows->image);
  const size_t row = (size_t) info.extent.x * sizeof (float);
  const size_t factors[] = { row, rows->height, info.channels };
  size_t size;
  char *samples = odl_size_product (factors, G_N_ELEMENTS (factors), &size)
                      ? odl_aligned_alloc_unset (size, false)
                      : NULL;

  info.extent.y = rows->height;
  if (samples == NULL)
    return odl_error_null (
        error, ODL_ERROR_TOO_LARGE,
        _ ("there is not enough memory for an image of %d × %d pixels"), info.extent.x,
        info.extent.y);
  for (int c = 0; c < info.channels; c++)
    info.planes[c] = (OdlPlane){ .data = samples + (size_t) c * row * rows->height,
                                 .sample_stride_bytes = sizeof (float),
                                 .row_stride_bytes = row };
  OdlImage *image = odl_image_wrap (&info, odl_aligned_free, samples, error);
  if (image == NULL)
    odl_aligned_free (samples);
  return image;
}

OdlImage *
odl_rows_gather (OdlRows *rows, GError **error)
{
  g_return_val_if_fail (rows != NULL && rows->first == 0, NULL);

  if (rows->next == NULL)
    return odl_image_ref (rows->image);
  g_autoptr (OdlImage) whole = alloc_planes (rows, error);
  if (whole == NULL)
    return NULL;
  for (;;) {
    copy_rows (rows->image, rows->first - rows->top, rows->end - rows->first, whole,
               rows->first);
    if (rows->end == rows->height)
      return g_steal_pointer (&whole);
    if (!rows->next (rows, error))
      return NULL;
  }
}
