// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/movie_frame.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

char *
odl_movie_format_init (OdlMovieFormat *format,
                       const OdlCodec *codec,
                       OdlQuality quality,
                       const OdlImage *shown)
{
  const OdlImageInfo *info = odl_image_info (shown);
  const bool lossless = quality == ODL_QUALITY_LOSSLESS;
  const bool odd = info->extent.x % 2 != 0 || info->extent.y % 2 != 0;
  const bool grey = info->channels == 1;
  // Grey has no colour samples to lose.
  const bool wants_444
      = (!grey && quality == ODL_QUALITY_HIGH) || (odd && codec->even_420);
  const bool full_colour = wants_444 && codec->takes_444;
  const char *lossless_format = !grey                          ? "BGRx"
                                : info->type == ODL_SAMPLE_U16 ? "GRAY16_LE"
                                                               : "GRAY8";

  *format = (OdlMovieFormat){
    .width = info->extent.x,
    .height = info->extent.y,
    .limited = !lossless,
    .pad = odd && codec->even_420 && !full_colour && !lossless,
    .encoded = lossless      ? lossless_format
               : full_colour ? "Y444"
                             : "I420",
    .luma = codec->bt601 ? ODL_LUMA_BT601 : ODL_LUMA_BT709,
    .colorimetry = lossless       ? NULL
                   : codec->bt601 ? GST_VIDEO_COLORIMETRY_BT601
                                  : GST_VIDEO_COLORIMETRY_BT709,
  };
  gst_util_double_to_fraction (info->pixel_aspect, &format->par_n, &format->par_d);
  if (!format->pad)
    return NULL;
  format->width += format->width % 2;
  format->height += format->height % 2;
  return g_strdup_printf (_ ("%s takes even sizes only: the last column or row is "
                             "repeated, %d×%d becomes %d×%d"),
                          codec->title, info->extent.x, info->extent.y, format->width,
                          format->height);
}

static GstBuffer *
luma_buffer (const OdlImage *shown, OdlLuma luma, const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  OdlLumaPlanes planes = { .width = info->width,
                           .height = info->height,
                           .shift = GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, 1),
                           .luma = luma };
  GstMapInfo map;

  if (buffer == NULL || !gst_buffer_map (buffer, &map, GST_MAP_WRITE)) {
    g_clear_pointer (&buffer, gst_buffer_unref);
    return NULL;
  }
  for (int i = 0; i < 3; i++) {
    planes.planes[i] = map.data + info->offset[i];
    planes.stride_bytes[i] = (size_t) info->stride[i];
  }
  odl_luma_fill (&planes, shown);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
unref_cb (void *image)
{
  odl_image_unref (image);
}

static GstBuffer *
wrapped_buffer (OdlImage *image, GstVideoInfo *info)
{
  const OdlImageInfo *from = odl_image_info (image);
  const size_t stride = from->planes[0].row_stride_bytes;
  const size_t size = stride * from->extent.y;
  GstBuffer *buffer = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY,
                                                   (void *) from->planes[0].data, size, 0,
                                                   size, odl_image_ref (image), unref_cb);

  info->stride[0] = (int) stride;
  info->size = size;
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                                  GST_VIDEO_INFO_FORMAT (info), info->width, info->height,
                                  1, info->offset, info->stride);
  return buffer;
}

static GstVideoFormat
lossless_format (const OdlImageInfo *info)
{
  if (info->channels == 1)
    return info->type == ODL_SAMPLE_U16 ? GST_VIDEO_FORMAT_GRAY16_LE
                                        : GST_VIDEO_FORMAT_GRAY8;
  return info->channels == 3 ? GST_VIDEO_FORMAT_RGB : GST_VIDEO_FORMAT_RGBx;
}

GstBuffer *
odl_movie_frame_buffer (OdlImage *shown,
                        const OdlMovieFormat *format,
                        GstVideoInfo *info,
                        GError **error)
{
  const OdlImageInfo *from = odl_image_info (shown);
  const int pad = format->pad ? 1 : 0;
  const GstVideoFormat raw = format->limited
                                 ? gst_video_format_from_string (format->encoded)
                                 : lossless_format (from);

  if (!gst_video_info_set_format (info, raw, from->extent.x + (from->extent.x & pad),
                                  from->extent.y + (from->extent.y & pad))) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("A picture of %d×%d is too large for a video; write numbered PNG "
                    "files."),
                 from->extent.x, from->extent.y);
    return NULL;
  }
  gst_util_double_to_fraction (from->pixel_aspect, &info->par_n, &info->par_d);
  if (format->limited)
    gst_video_colorimetry_from_string (&info->colorimetry, format->colorimetry);
  GstBuffer *buffer = format->limited ? luma_buffer (shown, format->luma, info)
                                      : wrapped_buffer (shown, info);
  if (buffer == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("Memory is too short to write the video."));
  return buffer;
}
