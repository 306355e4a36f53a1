// SPDX-License-Identifier: MIT
#include "decoder/still/webp.h"

#include <webp/demux.h>

#include "decoder/still/moving.h"

typedef struct {
  WebPData data;
  WebPAnimDecoder *decoder;
  uint32_t width;
} Frames;

static void
frames_free (void *data)
{
  Frames *frames = data;

  WebPAnimDecoderDelete (frames->decoder);
  g_free (frames);
}

static bool
restart (void *data)
{
  WebPAnimDecoderReset (((Frames *) data)->decoder);
  return true;
}

static const uint8_t *
next (void *data, size_t *stride)
{
  Frames *frames = data;
  uint8_t *rgba = NULL;
  int end_ms;

  *stride = (size_t) frames->width * 4;
  return WebPAnimDecoderGetNext (frames->decoder, &rgba, &end_ms) ? rgba : NULL;
}

// Times of the frames, and whether all of them are opaque.
static void
scan_frames (const WebPDemuxer *demuxer, OdlMovingParams *params)
{
  WebPIterator frame;

  if (!WebPDemuxGetFrame (demuxer, 1, &frame))
    return;
  params->opaque = !frame.has_alpha && frame.x_offset == 0 && frame.y_offset == 0
                   && (uint32_t) frame.width == params->width
                   && (uint32_t) frame.height == params->height;
  do {
    const uint32_t delay_ms = (uint32_t) MAX (frame.duration, 0);
    g_array_append_val (params->delays_ms, delay_ms);
    params->opaque = params->opaque && frame.dispose_method == WEBP_MUX_DISPOSE_NONE
                     && (!frame.has_alpha || frame.blend_method == WEBP_MUX_BLEND);
  } while (params->delays_ms->len < ODL_DECODER_MAX_FRAMES
           && WebPDemuxNextFrame (&frame));
  WebPDemuxReleaseIterator (&frame);
}

static OdlMoving *
open_frames (const OdlDecoderInput *input, int turn)
{
  const WebPData data = { input->data, input->size };
  WebPAnimDecoderOptions options;
  WebPAnimInfo info;

  if (!WebPAnimDecoderOptionsInit (&options))
    return NULL;
  WebPAnimDecoder *decoder = WebPAnimDecoderNew (&data, &options);
  if (decoder == NULL)
    return NULL;
  Frames *frames = g_new0 (Frames, 1);
  *frames = (Frames){ data, decoder, 0 };
  OdlMovingParams params = { .format = "WebP",
                             .turn = turn,
                             .delays_ms = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                             .state = frames,
                             .restart = restart,
                             .next = next,
                             .free_state = frames_free };
  if (WebPAnimDecoderGetInfo (decoder, &info)) {
    frames->width = params.width = info.canvas_width;
    params.height = info.canvas_height;
    scan_frames (WebPAnimDecoderGetDemuxer (decoder), &params);
  }
  if (params.delays_ms->len > 1)
    return odl_moving_new (&params);
  g_array_unref (params.delays_ms);
  frames_free (frames);
  return NULL;
}

bool
odl_webp_decode_moving (const OdlDecoderInput *input,
                        int turn,
                        OdlPicture *picture,
                        bool *is_moving,
                        GError **error)
{
  *is_moving = *input->kept != NULL;
  if (!*is_moving) {
    OdlMoving *moving = open_frames (input, turn);
    if (moving == NULL)
      return false;
    *is_moving = true;
    *input->kept = moving;
    *input->free_kept = odl_moving_free;
  }
  return odl_moving_decode (*input->kept, input->frame, picture, error);
}
