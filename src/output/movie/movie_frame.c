// SPDX-License-Identifier: MIT
#include "output/movie/movie_frame.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"

// The source's matrix, transfer and primaries if luma.h supports the matrix; else
// BT.709.
static void
choose_colours (OdlMovieFormat *format, const OdlCodec *codec, const char *source)
{
  static const struct {
    GstVideoColorMatrix matrix;
    OdlLuma luma;
    const char *usual;
  } rows[] = {
    { GST_VIDEO_COLOR_MATRIX_BT709, ODL_LUMA_BT709, GST_VIDEO_COLORIMETRY_BT709 },
    { GST_VIDEO_COLOR_MATRIX_BT601, ODL_LUMA_BT601, GST_VIDEO_COLORIMETRY_BT601 },
    { GST_VIDEO_COLOR_MATRIX_BT2020, ODL_LUMA_BT2020, GST_VIDEO_COLORIMETRY_BT2020 },
  };
  g_auto (GStrv) words = g_strsplit (source != NULL ? source : "", ",", 2);
  GstVideoColorimetry kept = { 0 }, usual = { 0 };
  size_t row = 0;

  if (codec->bt601)
    kept.matrix = GST_VIDEO_COLOR_MATRIX_BT601;
  else if (words[0] != NULL)
    gst_video_colorimetry_from_string (&kept, words[0]);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].matrix == kept.matrix)
      row = i;
  gst_video_colorimetry_from_string (&usual, rows[row].usual);
  if (kept.matrix != usual.matrix || kept.transfer == GST_VIDEO_TRANSFER_UNKNOWN)
    kept.transfer = usual.transfer;
  if (kept.matrix != usual.matrix || kept.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    kept.primaries = usual.primaries;
  kept.matrix = usual.matrix;
  kept.range = GST_VIDEO_COLOR_RANGE_16_235;
  g_autofree char *text = gst_video_colorimetry_to_string (&kept);
  g_strlcpy (format->colorimetry, text, sizeof format->colorimetry);
  format->luma = rows[row].luma;
}

char *
odl_movie_format_init (OdlMovieFormat *format,
                       const OdlCodec *codec,
                       OdlQuality quality,
                       const char *colorimetry,
                       const OdlImage *shown)
{
  const OdlImageInfo *info = odl_image_info (shown);
  const bool lossless = quality == ODL_QUALITY_LOSSLESS;
  const bool odd = info->extent.x % 2 != 0 || info->extent.y % 2 != 0;
  const char *lossless_format = info->channels > 1             ? "BGRx"
                                : info->type == ODL_SAMPLE_U16 ? "GRAY16_LE"
                                                               : "GRAY8";

  *format = (OdlMovieFormat){
    .width = info->extent.x,
    .height = info->extent.y,
    .limited = !lossless,
    .pad = odd && codec->even && !lossless,
    .encoded = lossless ? lossless_format : "I420",
  };
  if (!lossless)
    choose_colours (format, codec, colorimetry);
  gst_util_double_to_fraction (info->pixel_aspect, &format->par_n, &format->par_d);
  if (!format->pad)
    return NULL;
  format->width += format->width % 2;
  format->height += format->height % 2;
  return g_strdup_printf (_ ("%s supports only even sizes: the last column or row is "
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
                                  from->extent.y + (from->extent.y & pad)))
    return odl_error_null (
        error, ODL_ERROR_TOO_LARGE,
        _ ("A picture of %d×%d is too large for a video; write numbered PNG files."),
        from->extent.x, from->extent.y);
  gst_util_double_to_fraction (from->pixel_aspect, &info->par_n, &info->par_d);
  if (format->limited)
    gst_video_colorimetry_from_string (&info->colorimetry, format->colorimetry);
  GstBuffer *buffer = format->limited ? luma_buffer (shown, format->luma, info)
                                      : wrapped_buffer (shown, info);
  if (buffer == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("There is not enough memory to write the video."));
  return buffer;
}
