// SPDX-License-Identifier: MIT
#include "source/video/answer.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

// About a hundred years: sums of times fit in 64 bits.
#define MAX_TIME_NS ((int64_t) 1 << 61)

static bool
within (double value, double minimum, double maximum)
{
  return isfinite (value) && value >= minimum && value <= maximum;
}

static char *
text_or_null (const char *text)
{
  return *text != '\0' ? g_strdup (text) : NULL;
}

bool
odl_video_answer_stream (const OdlVideoAnswer *answer, OdlVideoStream *stream)
{
  const OdlVideoStreamReply *from = &answer->reply.stream;
  const char *format = answer->texts[ODL_VIDEO_TEXT_FORMAT];
  const char *colorimetry = answer->texts[ODL_VIDEO_TEXT_COLORIMETRY];

  if (!within (from->rate, 0, 1e9) || from->full_range > 1 || from->interlaced > 1
      || from->has_others > 1 || from->turn > GST_VIDEO_ORIENTATION_CUSTOM
      || strlen (format) >= sizeof stream->kind.format
      || strlen (colorimetry) >= sizeof stream->kind.colorimetry)
    return false;
  stream->kind.rate = from->rate;
  stream->kind.full_range = from->full_range;
  stream->kind.interlaced = from->interlaced;
  g_strlcpy (stream->kind.format, format, sizeof stream->kind.format);
  g_strlcpy (stream->kind.colorimetry, colorimetry, sizeof stream->kind.colorimetry);
  stream->turn = (GstVideoOrientationMethod) from->turn;
  stream->codec = text_or_null (answer->texts[ODL_VIDEO_TEXT_CODEC]);
  stream->container = text_or_null (answer->texts[ODL_VIDEO_TEXT_CONTAINER]);
  stream->has_others = from->has_others;
  return true;
}

static bool
shape_is_sane (const OdlVideoShape *shape)
{
  return shape->width >= 1 && shape->height >= 1 && shape->width <= ODL_VIDEO_MAX_PIXELS
         && shape->height <= ODL_VIDEO_MAX_PIXELS
         && (uint64_t) shape->width * shape->height <= ODL_VIDEO_MAX_PIXELS
         && (shape->channels == 1 || shape->channels == 3 || shape->channels == 4)
         && shape->sample_type <= ODL_SAMPLE_U16 && shape->after_loss <= 1
         && shape->damaged <= 1 && shape->ycbcr <= 1
         && within (shape->stored_min, 0, 65535) && within (shape->stored_max, 0, 65535)
         && within (shape->pixel_aspect, 0.01, 100)
         && within (shape->frame_interval_ms, 0, 1e12) && shape->pts_ns >= -1
         && shape->pts_ns <= MAX_TIME_NS && shape->duration_ns >= 0
         && shape->duration_ns <= MAX_TIME_NS;
}

static bool
ycbcr_is_sane (const OdlVideoShape *shape)
{
  const double most = 1 << 20;

  return !shape->ycbcr
         || (shape->channels == 3 && shape->centred_x <= 1 && shape->shift_x <= 2
             && shape->shift_y <= 2 && within (shape->kr, 0, 1)
             && within (shape->kb, 0, 1) && within (shape->luma_offset, 0, most)
             && within (shape->luma_range, 0, most)
             && within (shape->chroma_offset, 0, most)
             && within (shape->chroma_range, 0, most));
}

// Every sample of the channel lies within the block, properly aligned.
static bool
plane_is_inside (const OdlVideoShape *shape, uint32_t c, const OdlVideoBlock *block)
{
  const OdlVideoPlane *plane = &shape->planes[c];
  const uint64_t sample = odl_sample_size ((OdlSampleType) shape->sample_type);
  const uint32_t shift_x = shape->ycbcr && c > 0 ? shape->shift_x : 0;
  const uint32_t shift_y = shape->ycbcr && c > 0 ? shape->shift_y : 0;
  const uint64_t width = (shape->width + (1u << shift_x) - 1) >> shift_x;
  const uint64_t height = (shape->height + (1u << shift_y) - 1) >> shift_y;

  // All factors are below 2^31, so products cannot overflow.
  if (plane->offset >= block->bytes || plane->sample_stride < sample
      || plane->sample_stride > 64 || plane->row_stride > block->bytes
      || plane->offset % sample != 0 || plane->row_stride % sample != 0
      || plane->sample_stride % sample != 0)
    return false;
  return plane->offset + (height - 1) * plane->row_stride
             + (width - 1) * plane->sample_stride + sample
         <= block->bytes;
}

static void
describe (const OdlVideoShape *shape, const OdlVideoBlock *block, OdlImageInfo *info)
{
  *info = (OdlImageInfo){
    .extent = { (int) shape->width, (int) shape->height, 1, 1 },
    .channels = (int) shape->channels,
    .type = (OdlSampleType) shape->sample_type,
    .stored_min = shape->stored_min,
    .stored_max = shape->stored_max,
    .frame_interval_ms = shape->frame_interval_ms,
    .pixel_aspect = shape->pixel_aspect,
    .pts_ns = shape->pts_ns,
    .mark = shape->damaged ? _ ("damaged frame") : NULL,
  };
  if (shape->ycbcr)
    info->ycbcr = (OdlYcbcr){
      .used = true,
      .centred_x = shape->centred_x,
      .shift_x = (int) shape->shift_x,
      .shift_y = (int) shape->shift_y,
      .kr = shape->kr,
      .kb = shape->kb,
      .luma_offset = shape->luma_offset,
      .luma_range = shape->luma_range,
      .chroma_offset = shape->chroma_offset,
      .chroma_range = shape->chroma_range,
    };
  for (uint32_t c = 0; c < shape->channels; c++)
    info->planes[c] = (OdlPlane){
      .data = block->data + shape->planes[c].offset,
      .sample_stride_bytes = shape->planes[c].sample_stride,
      .row_stride_bytes = shape->planes[c].row_stride,
    };
}

bool
odl_video_answer_frame (const OdlVideoAnswer *answer,
                        OdlVideoBlock *block,
                        OdlVideoFrame *frame)
{
  const OdlVideoShape *shape = &answer->reply.shape;
  OdlImageInfo info;

  if (!shape_is_sane (shape) || !ycbcr_is_sane (shape))
    return false;
  for (uint32_t c = 0; c < shape->channels; c++)
    if (!plane_is_inside (shape, c, block))
      return false;
  describe (shape, block, &info);
  *frame = (OdlVideoFrame){
    .image = odl_image_wrap (&info, odl_video_block_give, block, NULL),
    .duration_ns = shape->duration_ns,
    .after_loss = shape->after_loss,
  };
  return frame->image != NULL;
}
