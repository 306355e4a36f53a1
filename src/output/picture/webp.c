// SPDX-License-Identifier: MIT
#include "output/picture/lossy.h"

#include <glib/gi18n-lib.h>

#include <webp/encode.h>

#include "base/error.h"

#define HIGH 95
#define SMALL 75

typedef struct {
  OdlOutput *output;
  GError **error;
} Sink;

static int
write_cb (const uint8_t *data, size_t size, const WebPPicture *picture)
{
  const Sink *sink = picture->custom_ptr;

  return odl_output_write (sink->output, data, size, sink->error);
}

// Grey as three equal colours: the format has no other grey.
static bool
import (WebPPicture *picture, const OdlImageInfo *info)
{
  const uint8_t *from = info->planes[0].data;
  const gsize stride = info->planes[0].row_stride_bytes, width = (gsize) info->extent.x;

  if (info->channels == 4)
    return WebPPictureImportRGBA (picture, from, (int) stride) != 0;
  if (info->channels == 3)
    return WebPPictureImportRGB (picture, from, (int) stride) != 0;
  g_autofree uint8_t *grey = g_try_malloc (3 * width * (gsize) info->extent.y);
  if (grey == NULL)
    return false;
  for (int y = 0; y < info->extent.y; y++)
    for (gsize x = 0; x < width; x++)
      for (int c = 0; c < 3; c++)
        grey[((gsize) y * width + x) * 3 + (gsize) c] = from[(gsize) y * stride + x];
  return WebPPictureImportRGB (picture, grey, 3 * info->extent.x) != 0;
}

bool
odl_webp_encode (OdlOutput *output, const OdlImage *shown, OdlLossy lossy, GError **error)
{
  const OdlImageInfo *info = odl_image_info (shown);
  Sink sink = { output, error };
  WebPConfig config;
  WebPPicture picture;

  if (MAX (info->extent.x, info->extent.y) > WEBP_MAX_DIMENSION)
    return odl_error_set (
        error, ODL_ERROR_TOO_LARGE,
        _ ("%s: a WebP file has at most %d pixels along a side. Write PNG or TIFF."),
        output->shown, (int) WEBP_MAX_DIMENSION);
  bool done = WebPConfigPreset (&config, WEBP_PRESET_PICTURE,
                                lossy == ODL_LOSSY_SMALL ? SMALL : HIGH)
              && WebPPictureInit (&picture);
  g_return_val_if_fail (done, false);
  if (lossy == ODL_LOSSY_LOSSLESS)
    WebPConfigLosslessPreset (&config, 6);
  config.exact = 1; // colours below what is transparent stay
  picture.use_argb = lossy == ODL_LOSSY_LOSSLESS;
  picture.width = info->extent.x;
  picture.height = info->extent.y;
  picture.writer = write_cb;
  picture.custom_ptr = &sink;
  done = import (&picture, info) && WebPEncode (&config, &picture);
  if (!done && (error == NULL || *error == NULL))
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("The WebP writer failed: error %d."),
                 (int) picture.error_code);
  WebPPictureFree (&picture);
  return done;
}
