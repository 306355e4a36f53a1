// SPDX-License-Identifier: MIT
#include "source/gst_frame.h"

#include <glib/gi18n-lib.h>
#include <gst/video/video.h>
#include <math.h>

#include "base/error.h"
#include "source/gst_frame_copy.h"

// videoconvert converts all other formats to one of these.
#define FORMATS \
  "{ I420, YV12, NV12, NV21, Y42B, Y444, YUY2, YVYU, UYVY, GRAY8, I420_10LE, " \
  "I422_10LE, Y444_10LE, P010_10LE, I420_12LE, I422_12LE, Y444_12LE, GRAY16_LE, RGB, " \
  "BGR, RGBx, BGRx, xRGB, xBGR, RGBA, BGRA, ARGB, ABGR, GBR }"

bool
odl_gst_start (GError **error)
{
  static gsize started = 0;

  if (g_once_init_enter (&started)) {
    g_autoptr (GError) failure = NULL;
    gboolean done = gst_init_check (NULL, NULL, &failure);
    if (!done)
      g_debug ("GStreamer: %s", failure ? failure->message : "?");
    g_once_init_leave (&started, done ? 1 : 2);
  }
  if (started == 1)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("GStreamer, which plays videos, does not start; install "
                           "gstreamer1.0-plugins-base and -good"));
}

GstCaps *
odl_gst_frame_caps (void)
{
  return gst_caps_from_string ("video/x-raw, format=" FORMATS);
}

bool
odl_gst_frame_describe (GstCaps *caps, OdlGstFrameKind *kind)
{
  GstVideoInfo info;

  if (caps == NULL || !gst_video_info_from_caps (&info, caps))
    return false;
  // A variable or unknown rate is 0/1; max-framerate is not a rate.
  *kind = (OdlGstFrameKind){
    .rate = info.fps_n > 0 && info.fps_d > 0 ? (double) info.fps_n / info.fps_d : 0,
    .full_range = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255,
    .interlaced = GST_VIDEO_INFO_IS_INTERLACED (&info),
  };
  g_strlcpy (kind->format, GST_VIDEO_FORMAT_INFO_NAME (info.finfo), sizeof kind->format);
  g_autofree char *colorimetry = gst_video_colorimetry_to_string (&info.colorimetry);
  g_strlcpy (kind->colorimetry, colorimetry != NULL ? colorimetry : "",
             sizeof kind->colorimetry);
  return true;
}

static void
describe_ycbcr (const GstVideoInfo *video, OdlImageInfo *info)
{
  const GstVideoFormatInfo *format = video->finfo;
  OdlYcbcr *ycbcr = &info->ycbcr;
  int bits = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0)
             + (int) GST_VIDEO_FORMAT_INFO_SHIFT (format, 0);

  ycbcr->used = true;
  ycbcr->shift_x = GST_VIDEO_FORMAT_INFO_W_SUB (format, 1);
  ycbcr->shift_y = GST_VIDEO_FORMAT_INFO_H_SUB (format, 1);
  ycbcr->centred_x = (video->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) == 0
                     && video->chroma_site != GST_VIDEO_CHROMA_SITE_UNKNOWN;
  // If the matrix is unspecified, GStreamer has set BT.601 up to 576 rows and BT.709
  // above.
  gst_video_color_matrix_get_Kr_Kb (video->colorimetry.matrix, &ycbcr->kr, &ycbcr->kb);
  odl_ycbcr_set_range (ycbcr, bits,
                       video->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255);
}

// GStreamer treats grey and RGB of unspecified range as full range. (Alpha is always
// full range; with limited-range colours it is stretched like them, by 7 % at the
// ends.)
static void
describe_range (const GstVideoInfo *video, OdlImageInfo *info)
{
  const int depth = GST_VIDEO_FORMAT_INFO_DEPTH (video->finfo, 0);
  const int shift = (int) GST_VIDEO_FORMAT_INFO_SHIFT (video->finfo, 0);

  if (!GST_VIDEO_FORMAT_INFO_IS_YUV (video->finfo)
      && video->colorimetry.range == GST_VIDEO_COLOR_RANGE_16_235) {
    info->stored_min = ldexp (16, depth - 8 + shift);
    info->stored_max = ldexp (235, depth - 8 + shift);
  } else if (depth > 8) {
    info->stored_min = 0;
    info->stored_max = ldexp ((1u << depth) - 1u, shift);
  }
}

static bool
describe (const GstVideoInfo *video, OdlImageInfo *info, GError **error)
{
  const GstVideoFormatInfo *format = video->finfo;
  const int depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0);
  const bool grey = GST_VIDEO_FORMAT_INFO_IS_GRAY (format);
  const bool yuv = GST_VIDEO_FORMAT_INFO_IS_YUV (format);

  if ((!grey && !yuv && !GST_VIDEO_FORMAT_INFO_IS_RGB (format)) || depth < 8
      || GST_VIDEO_FORMAT_INFO_IS_COMPLEX (format))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its frames have the format %s, which is not supported"),
                          GST_VIDEO_FORMAT_INFO_NAME (format));
  *info = (OdlImageInfo){
    .extent = { video->width, video->height, 1, 1 },
    .channels = grey                                       ? 1
                : GST_VIDEO_FORMAT_INFO_HAS_ALPHA (format) ? 4
                                                           : 3,
    .type = depth > 8 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8,
    .frame_interval_ms = video->fps_n > 0 ? 1000.0 * video->fps_d / video->fps_n : 0,
    .pixel_aspect = video->par_n > 0 && video->par_d > 0
                        ? CLAMP ((double) video->par_n / video->par_d, 0.01, 100)
                        : 1,
  };
  describe_range (video, info);
  if (yuv)
    describe_ycbcr (video, info);
  return true;
}

// GStreamer 1.22 gives the offset of P010's second chroma component in samples instead
// of bytes.
static const guint8 *
component_data (GstVideoFrame *frame, int c, size_t sample_bytes)
{
  const guint8 *data = GST_VIDEO_FRAME_COMP_DATA (frame, c);
  const int offset = GST_VIDEO_FRAME_COMP_POFFSET (frame, c);

  return offset % (int) sample_bytes != 0 ? data - offset + offset * sample_bytes : data;
}

static void
locate_planes (GstVideoFrame *frame, OdlImageInfo *info)
{
  for (int c = 0; c < info->channels; c++)
    info->planes[c] = (OdlPlane){
      .data = component_data (frame, c, odl_sample_size (info->type)),
      .sample_stride_bytes = (size_t) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c),
      .row_stride_bytes = (size_t) GST_VIDEO_FRAME_COMP_STRIDE (frame, c),
    };
}

// Strides are untrusted: every row of every plane must lie within the mapped memory.
static bool
planes_fit (GstVideoFrame *frame, const OdlImageInfo *info)
{
  for (int c = 0; c < info->channels; c++) {
    const int plane = GST_VIDEO_FRAME_COMP_PLANE (frame, c);
    const int stride = GST_VIDEO_FRAME_COMP_STRIDE (frame, c);
    const int width = GST_VIDEO_FRAME_COMP_WIDTH (frame, c);
    const int height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, c);
    const int step = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c);
    const guint8 *data = info->planes[c].data;
    const size_t sample = odl_sample_size (info->type);
    if (data == NULL || stride <= 0 || step <= 0 || width < 1 || height < 1
        || (size_t) (width - 1) * step + sample > (size_t) stride)
      return false;
    const size_t needed
        = (size_t) stride * (height - 1) + (size_t) (width - 1) * step + sample;
    bool inside = false;
    for (guint m = 0; m < 4; m++) {
      const GstMapInfo *map = &frame->map[m];
      inside = inside
               || (map->data != NULL && data >= map->data && data < map->data + map->size
                   && needed <= (size_t) (map->data + map->size - data));
    }
    if (!inside || plane > 3)
      return false;
  }
  return true;
}

static void
unmap_cb (void *data)
{
  GstVideoFrame *frame = data;

  gst_video_frame_unmap (frame);
  g_free (frame);
}

// Device memory, or memory from a pool that needs its buffers back.
static bool
must_be_copied (GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    if (!gst_memory_is_type (gst_buffer_peek_memory (buffer, i), GST_ALLOCATOR_SYSMEM))
      return true;
  return false;
}

// Maps `buffer` and locates its planes.
static bool
map (GstVideoFrame *frame,
     GstBuffer *buffer,
     const GstVideoInfo *video,
     OdlImageInfo *info,
     GError **error)
{
  if (!gst_video_frame_map (frame, video, buffer, GST_MAP_READ))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("one of its frames has no pixels"));
  locate_planes (frame, info);
  // A buffer's own metadata may give a smaller size than the stream.
  if (GST_VIDEO_FRAME_WIDTH (frame) >= video->width
      && GST_VIDEO_FRAME_HEIGHT (frame) >= video->height && planes_fit (frame, info))
    return true;
  gst_video_frame_unmap (frame);
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("one of its frames is smaller than declared"));
}

static OdlImage *
wrap (GstBuffer *buffer, const GstVideoInfo *video, OdlImageInfo *info, GError **error)
{
  GstVideoFrame *frame = g_new0 (GstVideoFrame, 1);

  if (!map (frame, buffer, video, info, error)) {
    g_free (frame);
    return NULL;
  }
  OdlImage *image = odl_image_wrap (info, unmap_cb, frame, error);
  if (image == NULL)
    unmap_cb (frame);
  return image;
}

static OdlImage *
copy (GstBuffer *buffer,
      const GstVideoInfo *video,
      OdlImageInfo *info,
      const OdlGstFrameRequest *request,
      GError **error)
{
  GstVideoFrame frame;

  if (!map (&frame, buffer, video, info, error))
    return NULL;
  OdlImage *image
      = odl_gst_frame_copy (&frame, info, request->turn, request->pool, error);
  gst_video_frame_unmap (&frame);
  return image;
}

OdlImage *
odl_gst_frame_image (GstSample *sample, const OdlGstFrameRequest *request, GError **error)
{
  static const OdlGstFrameRequest nothing;
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstCaps *caps = gst_sample_get_caps (sample);
  GstVideoInfo video;
  OdlImageInfo info;

  if (request == NULL)
    request = &nothing;
  if (buffer == NULL || caps == NULL || !gst_video_info_from_caps (&video, caps))
    return odl_error_null (error, ODL_ERROR_CORRUPT,
                           _ ("one of its frames has no pixels"));
  if (!describe (&video, &info, error))
    return NULL;
  if (request->opaque)
    info.channels = MIN (info.channels, 3);
  const guint64 time = gst_segment_to_stream_time (
      gst_sample_get_segment (sample), GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  info.pts_ns = time == GST_CLOCK_TIME_NONE ? -1 : (int64_t) time;
  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED))
    info.mark = _ ("damaged frame");
  if (request->turn == GST_VIDEO_ORIENTATION_IDENTITY && !must_be_copied (buffer))
    return wrap (buffer, &video, &info, error);
  return copy (buffer, &video, &info, request, error);
}
