// SPDX-License-Identifier: MIT
#include "source/gst_frame.h"

#include <glib/gi18n-lib.h>
#include <gst/video/video.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "image/pool.h"

// Copying GStreamer frames that cannot be wrapped. Private to gst_frame.c.

// Alignment of planes and rows in a copy, for GPUs.
#define PLANE_ALIGNMENT 64
#define ROW_ALIGNMENT 16

// Maps sample (x, y) of the turned picture to the stored one: mirrored along the
// stored x or y, with x and y exchanged.
typedef struct {
  bool swap, from_right, from_below;
} Turn;

static const Turn turns[] = {
  [GST_VIDEO_ORIENTATION_90R] = { .swap = true, .from_below = true },
  [GST_VIDEO_ORIENTATION_180] = { .from_right = true, .from_below = true },
  [GST_VIDEO_ORIENTATION_90L] = { .swap = true, .from_right = true },
  [GST_VIDEO_ORIENTATION_HORIZ] = { .from_right = true },
  [GST_VIDEO_ORIENTATION_VERT] = { .from_below = true },
  [GST_VIDEO_ORIENTATION_UL_LR] = { .swap = true },
  [GST_VIDEO_ORIENTATION_UR_LL]
  = { .swap = true, .from_right = true, .from_below = true },
};

// ---- Memory ----

// A block of the pool or, if none is free, ordinary memory.
typedef struct {
  OdlImageBlock *block;
  guint8 *data;
} Memory;

static bool
allocate (Memory *memory, OdlImagePool *pool, size_t size, GError **error)
{
  memory->block = odl_image_pool_take (pool, size);
  memory->data = memory->block != NULL ? memory->block->data : odl_aligned_alloc (size);
  if (memory->data == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("there is not enough memory for one of its frames"));
  return memory->data != NULL;
}

static OdlImage *
publish (const Memory *memory, const OdlImageInfo *info, GError **error)
{
  OdlImage *image = memory->block != NULL
                        ? odl_image_wrap_block (info, memory->block, error)
                        : odl_image_wrap (info, odl_aligned_free, memory->data, error);
  if (image == NULL && memory->block != NULL)
    odl_image_block_give (memory->block);
  else if (image == NULL)
    odl_aligned_free (memory->data);
  return image;
}

static size_t
round_up (size_t size, size_t alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

// ---- Unturned ----

// Bytes with samples in a row of plane `p`.
static size_t
row_bytes (GstVideoFrame *frame, int p)
{
  size_t bytes = 0;

  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (frame); c++)
    if (GST_VIDEO_FRAME_COMP_PLANE (frame, c) == p)
      bytes = MAX (bytes, (size_t) GST_VIDEO_FRAME_COMP_WIDTH (frame, c)
                              * (size_t) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c));
  return MIN (bytes, (size_t) GST_VIDEO_FRAME_PLANE_STRIDE (frame, p));
}

static int
plane_rows (GstVideoFrame *frame, int p)
{
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (frame); c++)
    if (GST_VIDEO_FRAME_COMP_PLANE (frame, c) == p)
      return GST_VIDEO_FRAME_COMP_HEIGHT (frame, c);
  return 0;
}

static OdlImage *
copy_planes (GstVideoFrame *frame,
             const OdlImageInfo *from,
             OdlImagePool *pool,
             GError **error)
{
  const int n_planes = (int) GST_VIDEO_FRAME_N_PLANES (frame);
  size_t strides[GST_VIDEO_MAX_PLANES] = { 0 }, starts[GST_VIDEO_MAX_PLANES] = { 0 };
  size_t size = 0;
  Memory memory;

  for (int p = 0; p < n_planes; p++) {
    strides[p] = round_up (row_bytes (frame, p), ROW_ALIGNMENT);
    starts[p] = size;
    size += round_up (strides[p] * (size_t) plane_rows (frame, p), PLANE_ALIGNMENT);
  }
  if (!allocate (&memory, pool, size, error))
    return NULL;
  for (int p = 0; p < n_planes; p++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
    for (int y = 0; y < plane_rows (frame, p); y++)
      memcpy (memory.data + starts[p] + y * strides[p],
              data + (size_t) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p),
              row_bytes (frame, p));
  }
  OdlImageInfo info = *from;
  for (int c = 0; c < info.channels; c++) {
    const int p = GST_VIDEO_FRAME_COMP_PLANE (frame, c);
    const guint8 *plane = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
    const size_t offset = (size_t) ((const guint8 *) from->planes[c].data - plane);
    info.planes[c].data = memory.data + starts[p] + offset;
    info.planes[c].row_stride_bytes = strides[p];
  }
  return publish (&memory, &info, error);
}

// ---- Turned ----

// Stored width and height of channel `c`.
static void
stored_size (const OdlImageInfo *info, int c, int *width, int *height)
{
  const bool coarse = info->ycbcr.used && c > 0;
  const int shift_x = coarse ? info->ycbcr.shift_x : 0;
  const int shift_y = coarse ? info->ycbcr.shift_y : 0;

  *width = (info->extent.x + (1 << shift_x) - 1) >> shift_x;
  *height = (info->extent.y + (1 << shift_y) - 1) >> shift_y;
}

// Copies `n` samples `step` bytes apart to positions `to_step` bytes apart.
static void
copy_line (const guint8 *from,
           ptrdiff_t step,
           guint8 *to,
           size_t to_step,
           int n,
           bool two)
{
  if (two)
    for (int i = 0; i < n; i++, from += step, to += to_step)
      *(guint16 *) (void *) to = *(const guint16 *) (const void *) from;
  else
    for (int i = 0; i < n; i++, from += step, to += to_step)
      *to = *from;
}

static void
turn_channel (const OdlImageInfo *from, const OdlImageInfo *to, int c, Turn turn)
{
  const OdlPlane *source = &from->planes[c];
  const OdlPlane *target = &to->planes[c];
  const bool two = odl_sample_size (from->type) == 2;
  ptrdiff_t step_x = (ptrdiff_t) source->sample_stride_bytes;
  ptrdiff_t step_y = (ptrdiff_t) source->row_stride_bytes;
  const guint8 *start = source->data;
  int width, height;

  stored_size (from, c, &width, &height);
  if (turn.from_right) {
    start += (width - 1) * step_x;
    step_x = -step_x;
  }
  if (turn.from_below) {
    start += (height - 1) * step_y;
    step_y = -step_y;
  }
  const ptrdiff_t along = turn.swap ? step_y : step_x;
  const ptrdiff_t across = turn.swap ? step_x : step_y;
  const int n = turn.swap ? height : width;
  const int rows = turn.swap ? width : height;
  for (int y = 0; y < rows; y++)
    copy_line (start + y * across, along,
               (guint8 *) target->data + (size_t) y * target->row_stride_bytes,
               target->sample_stride_bytes, n, two);
}

// Exchanges the properties of x and y. Chroma is sited on the first pixel or in the
// centre; mirroring moves the former to the last pixel, for which the centre is the
// closest available siting.
static OdlImageInfo
turned_info (const OdlImageInfo *from, Turn turn)
{
  OdlImageInfo info = *from;

  if (turn.swap) {
    info.extent.x = from->extent.y;
    info.extent.y = from->extent.x;
    info.pixel_aspect = from->pixel_aspect > 0 ? 1 / from->pixel_aspect : 1;
    info.ycbcr.shift_x = from->ycbcr.shift_y;
    info.ycbcr.shift_y = from->ycbcr.shift_x;
  }
  info.ycbcr.centred_x = from->ycbcr.centred_x || turn.swap || turn.from_right;
  return info;
}

// Lays out the planes of `info` from `data` on; returns their size.
static size_t
lay_out (OdlImageInfo *info, guint8 *data)
{
  const size_t sample = odl_sample_size (info->type);
  size_t size = 0;

  for (int c = 0; c < info->channels; c++) {
    const bool apart = info->ycbcr.used;
    const size_t step = apart ? sample : sample * info->channels;
    int width, height;
    stored_size (info, c, &width, &height);
    const size_t row = apart ? round_up (width * step, ROW_ALIGNMENT) : width * step;
    info->planes[c] = (OdlPlane){
      .data = data != NULL ? data + (apart ? size : c * sample) : NULL,
      .sample_stride_bytes = step,
      .row_stride_bytes = row,
    };
    if (apart || c == 0)
      size += round_up (row * height, PLANE_ALIGNMENT);
  }
  return size;
}

static OdlImage *
copy_turned (const OdlImageInfo *from, Turn turn, OdlImagePool *pool, GError **error)
{
  OdlImageInfo info = turned_info (from, turn);
  Memory memory;

  if (!allocate (&memory, pool, lay_out (&info, NULL), error))
    return NULL;
  lay_out (&info, memory.data);
  for (int c = 0; c < info.channels; c++)
    turn_channel (from, &info, c, turn);
  return publish (&memory, &info, error);
}

// Copies the samples of `frame`, described by `info`, into a block of `pool` (may be
// NULL) if one is free, else into ordinary memory. The plane layout is kept. With
// `turn`, YCbCr frames get one plane per channel and others are interleaved; width,
// height, pixel aspect and chroma siting change accordingly. Errors of odl_image_wrap;
// ODL_ERROR_TOO_LARGE.
static OdlImage *
odl_gst_frame_copy (GstVideoFrame *frame,
                    const OdlImageInfo *info,
                    GstVideoOrientationMethod turn,
                    OdlImagePool *pool,
                    GError **error)
{
  if (turn > GST_VIDEO_ORIENTATION_IDENTITY && (size_t) turn < G_N_ELEMENTS (turns))
    return copy_turned (info, turns[turn], pool, error);
  return copy_planes (frame, info, pool, error);
}

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
