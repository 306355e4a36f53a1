// SPDX-License-Identifier: MIT
#include "decoder/still/moving.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <webp/demux.h>

#include "base/error.h"
#include "decoder/exif.h"

// What browsers take where a file says none.
#define UNSAID_MS 100u
#define NS_PER_MS INT64_C (1000000)

struct _OdlMoving {
  OdlMovingParams params;
  int64_t *times_ns; // n_frames + 1 of them
  uint32_t n_unsaid; // frames without a time
  uint32_t next; // frame that the decoder composes next
};

OdlMoving *
odl_moving_new (const OdlMovingParams *params)
{
  OdlMoving *moving = g_new0 (OdlMoving, 1);
  const GArray *delays = params->delays_ms;

  moving->params = *params;
  moving->next = G_MAXUINT32;
  moving->times_ns = g_new0 (int64_t, delays->len + 1);
  for (guint i = 0; i < delays->len; i++) {
    const uint32_t said = g_array_index (delays, uint32_t, i);
    moving->n_unsaid += said == 0;
    moving->times_ns[i + 1]
        = moving->times_ns[i] + (said > 0 ? said : UNSAID_MS) * NS_PER_MS;
  }
  return moving;
}

void
odl_moving_free (void *data)
{
  OdlMoving *moving = data;

  moving->params.free_state (moving->params.state);
  g_array_unref (moving->params.delays_ms);
  g_free (moving->times_ns);
  g_free (moving);
}

static bool
put (const OdlMovingParams *params,
     const uint8_t *rgba,
     size_t stride,
     OdlPicture *picture,
     GError **error)
{
  const OdlOrientation orientation
      = odl_orientation (params->turn, params->width, params->height);
  const int channels = params->opaque ? 3 : 4;
  const OdlPictureShape shape
      = { orientation.width, orientation.height, channels, ODL_SAMPLE_U8 };
  // A decoder keeps two of them.
  const size_t kept = (size_t) params->width * params->height * 8;
  uint8_t *to = odl_picture_allocate (picture, &shape, kept, error);
  g_autofree uint8_t *row = g_malloc ((size_t) params->width * 4);

  for (uint32_t y = 0; y < params->height && to != NULL; y++) {
    const uint8_t *from = rgba + y * stride;
    for (uint32_t x = 0; x < params->width; x++)
      memcpy (row + x * (size_t) channels, from + x * (size_t) 4, (size_t) channels);
    odl_orientation_put_row (&orientation, row, y, params->width, (size_t) channels, to);
  }
  return to != NULL;
}

static void
describe (const OdlMoving *moving, OdlPicture *picture)
{
  const OdlMovingParams *params = &moving->params;
  const uint32_t n = params->delays_ms->len;
  OdlDecoderReply *reply = &picture->reply;

  reply->n_frames = reply->declared_frames = n;
  reply->frame_rate = n * 1e9 / (double) moving->times_ns[n];
  odl_picture_set_times (picture, moving->times_ns, n + 1);
  picture->timing = g_strdup (_ ("delays of its frames"));
  odl_picture_set_format (picture, _ ("%s, animated"), params->format);
  if (params->turn != 1)
    odl_picture_detail (picture, "orientation", "%d", params->turn);
  if (moving->n_unsaid > 0)
    odl_picture_warn (picture,
                      ngettext ("%u frame says no time and is shown for 0.1 s",
                                "%u frames say no time and are shown for 0.1 s each",
                                moving->n_unsaid),
                      moving->n_unsaid);
  if (params->ends_early)
    odl_picture_warn_first (picture, _ ("it ends too early: %u frames are there"), n);
}

bool
odl_moving_decode (OdlMoving *moving, uint32_t frame, OdlPicture *picture, GError **error)
{
  const OdlMovingParams *params = &moving->params;
  const uint8_t *rgba = NULL;
  size_t stride = 0;

  if (frame >= params->delays_ms->len)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("there is no frame %u; the file holds %u"), frame + 1,
                          params->delays_ms->len);
  describe (moving, picture);
  if (frame < moving->next)
    moving->next = params->restart (params->state) ? 0 : G_MAXUINT32;
  for (; moving->next <= frame; moving->next++) {
    rgba = params->next (params->state, &stride);
    if (rgba == NULL)
      break;
  }
  if (rgba != NULL)
    return put (params, rgba, stride, picture, error);
  moving->next = G_MAXUINT32;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its frame %u, or one that it is made from, is damaged"),
                        frame + 1);
}

// GIF89a. gdk-pixbuf finds a frame by the time at which it is shown, and shortest times
// are others there: its own clock is turned on by its own times, frame by frame, while
// those of the file are read here.

#define HEAD_BYTES 13u
#define EXTENSION 0x21
#define IMAGE 0x2c
#define CONTROL 0xf9
#define MS_PER_UNIT 10u
#define TO_BACKGROUND 2
#define TO_PREVIOUS 3

// What is known of a file's frames.
typedef struct {
  const uint8_t *data;
  size_t size, at;
  uint32_t width, height;
  GArray *delays_ms;
  uint32_t delay_ms; // of the frame that comes
  bool transparent; // that frame
  int disposal; // of that frame
  bool opaque;
  bool ends_early;
} Scan;

static uint32_t
short_at (const uint8_t *at)
{
  return at[0] | (uint32_t) at[1] << 8;
}

// Blocks to the one of no length. False: they are not all there.
static bool
skip_blocks (Scan *scan)
{
  while (scan->at < scan->size) {
    const size_t length = scan->data[scan->at++];
    if (length == 0)
      return true;
    if (length > scan->size - scan->at)
      return false;
    scan->at += length;
  }
  return false;
}

static bool
take_extension (Scan *scan)
{
  const uint8_t *block = scan->data + scan->at;

  if (scan->size - scan->at < 2)
    return false;
  if (block[0] == CONTROL && block[1] == 4 && scan->size - scan->at >= 6) {
    scan->disposal = block[2] >> 2 & 7;
    scan->transparent = (block[2] & 1) != 0;
    scan->delay_ms = short_at (block + 3) * MS_PER_UNIT;
  }
  scan->at++;
  return skip_blocks (scan);
}

static bool
take_image (Scan *scan)
{
  const uint8_t *image = scan->data + scan->at;

  if (scan->size - scan->at < 10)
    return false;
  const bool covers = short_at (image) == 0 && short_at (image + 2) == 0
                      && short_at (image + 4) >= scan->width
                      && short_at (image + 6) >= scan->height;
  const size_t colours = (image[8] & 0x80) != 0 ? (size_t) 3 << ((image[8] & 7) + 1) : 0;
  scan->at += 9;
  if (colours + 1 > scan->size - scan->at)
    return false;
  scan->at += colours + 1;
  if (!skip_blocks (scan))
    return false;
  // Before the first one nothing is there, which the one after it may have to restore.
  if (scan->delays_ms->len == 0)
    scan->opaque = covers && !scan->transparent && scan->disposal != TO_PREVIOUS;
  scan->opaque = scan->opaque && scan->disposal != TO_BACKGROUND;
  g_array_append_val (scan->delays_ms, scan->delay_ms);
  scan->delay_ms = 0;
  scan->transparent = false;
  scan->disposal = 0;
  return true;
}

static void
gif_scan_frames (Scan *scan)
{
  if (scan->size < HEAD_BYTES)
    return;
  const uint8_t flags = scan->data[10];
  scan->width = short_at (scan->data + 6);
  scan->height = short_at (scan->data + 8);
  scan->at = HEAD_BYTES + ((flags & 0x80) != 0 ? (size_t) 3 << ((flags & 7) + 1) : 0);
  while (!scan->ends_early && scan->delays_ms->len < ODL_DECODER_MAX_FRAMES) {
    if (scan->at >= scan->size) {
      scan->ends_early = true;
      return;
    }
    const uint8_t kind = scan->data[scan->at++];
    if (kind == EXTENSION)
      scan->ends_early = !take_extension (scan);
    else if (kind == IMAGE)
      scan->ends_early = !take_image (scan);
    else if (kind != 0) // the end, or what is none of a GIF's
      return;
  }
}

// ---- composing -----------------------------------------------------------------------

typedef struct {
  GdkPixbufAnimation *animation;
  GdkPixbufAnimationIter *iter;
  uint32_t width, height;
  gint64 now_ms;
  bool begun; // the first frame was composed
} GifFrames;

static void
gif_free (void *data)
{
  GifFrames *frames = data;

  g_clear_object (&frames->iter);
  g_clear_object (&frames->animation);
  g_free (frames);
}

G_GNUC_BEGIN_IGNORE_DEPRECATIONS // there is no other clock

    static GTimeVal
    time_of (gint64 ms)
{
  return (GTimeVal){ (glong) (ms / 1000), (glong) (ms % 1000 * 1000) };
}

static bool
gif_restart (void *data)
{
  GifFrames *frames = data;
  const GTimeVal begin = time_of (0);

  g_clear_object (&frames->iter);
  frames->now_ms = 0;
  frames->begun = false;
  frames->iter = gdk_pixbuf_animation_get_iter (frames->animation, &begin);
  return frames->iter != NULL;
}

static bool
go_on (GifFrames *frames)
{
  const int delay_ms = gdk_pixbuf_animation_iter_get_delay_time (frames->iter);

  if (delay_ms <= 0)
    return false;
  frames->now_ms += delay_ms;
  const GTimeVal now = time_of (frames->now_ms);
  return gdk_pixbuf_animation_iter_advance (frames->iter, &now);
}

G_GNUC_END_IGNORE_DEPRECATIONS

static const uint8_t *
gif_next (void *data, size_t *stride)
{
  GifFrames *frames = data;

  if (frames->begun && !go_on (frames))
    return NULL;
  frames->begun = true;
  GdkPixbuf *pixbuf = gdk_pixbuf_animation_iter_get_pixbuf (frames->iter);
  if (pixbuf == NULL || gdk_pixbuf_get_n_channels (pixbuf) != 4
      || gdk_pixbuf_get_width (pixbuf) < (int) frames->width
      || gdk_pixbuf_get_height (pixbuf) < (int) frames->height)
    return NULL;
  *stride = (size_t) gdk_pixbuf_get_rowstride (pixbuf);
  return gdk_pixbuf_read_pixels (pixbuf);
}

static OdlMoving *
gif_open_frames (const OdlDecoderInput *input, const Scan *scan)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type ("gif", NULL);

  if (loader == NULL)
    return NULL;
  // Of a file that ends early there is what came before.
  gdk_pixbuf_loader_write (loader, input->data, input->size, NULL);
  gdk_pixbuf_loader_close (loader, NULL);
  GdkPixbufAnimation *animation = gdk_pixbuf_loader_get_animation (loader);
  if (animation == NULL || gdk_pixbuf_animation_is_static_image (animation))
    return NULL;
  GifFrames *frames = g_new0 (GifFrames, 1);
  frames->animation = g_object_ref (animation);
  frames->width = scan->width;
  frames->height = scan->height;
  return odl_moving_new (&(OdlMovingParams){ .format = "GIF",
                                             .width = scan->width,
                                             .height = scan->height,
                                             .turn = 1,
                                             .opaque = scan->opaque,
                                             .ends_early = scan->ends_early,
                                             .delays_ms = g_array_ref (scan->delays_ms),
                                             .state = frames,
                                             .restart = gif_restart,
                                             .next = gif_next,
                                             .free_state = gif_free });
}

bool
odl_gif_decode_moving (const OdlDecoderInput *input,
                       OdlPicture *picture,
                       bool *is_moving,
                       GError **error)
{
  *is_moving = *input->kept != NULL;
  if (!*is_moving) {
    Scan scan = { .data = input->data,
                  .size = input->size,
                  .delays_ms = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
    gif_scan_frames (&scan);
    OdlMoving *moving = scan.delays_ms->len > 1 ? gif_open_frames (input, &scan) : NULL;
    g_array_unref (scan.delays_ms);
    if (moving == NULL)
      return false;
    *is_moving = true;
    *input->kept = moving;
    *input->free_kept = odl_moving_free;
  }
  return odl_moving_decode (*input->kept, input->frame, picture, error);
}

typedef struct {
  WebPData data;
  WebPAnimDecoder *decoder;
  uint32_t width;
} WebpFrames;

static void
webp_free (void *data)
{
  WebpFrames *frames = data;

  WebPAnimDecoderDelete (frames->decoder);
  g_free (frames);
}

static bool
webp_restart (void *data)
{
  WebPAnimDecoderReset (((WebpFrames *) data)->decoder);
  return true;
}

static const uint8_t *
webp_next (void *data, size_t *stride)
{
  WebpFrames *frames = data;
  uint8_t *rgba = NULL;
  int end_ms;

  *stride = (size_t) frames->width * 4;
  return WebPAnimDecoderGetNext (frames->decoder, &rgba, &end_ms) ? rgba : NULL;
}

// Times of the frames, and whether all of them are opaque.
static void
webp_scan_frames (const WebPDemuxer *demuxer, OdlMovingParams *params)
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
webp_open_frames (const OdlDecoderInput *input, int turn)
{
  const WebPData data = { input->data, input->size };
  WebPAnimDecoderOptions options;
  WebPAnimInfo info;

  if (!WebPAnimDecoderOptionsInit (&options))
    return NULL;
  WebPAnimDecoder *decoder = WebPAnimDecoderNew (&data, &options);
  if (decoder == NULL)
    return NULL;
  WebpFrames *frames = g_new0 (WebpFrames, 1);
  *frames = (WebpFrames){ data, decoder, 0 };
  OdlMovingParams params = { .format = "WebP",
                             .turn = turn,
                             .delays_ms = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                             .state = frames,
                             .restart = webp_restart,
                             .next = webp_next,
                             .free_state = webp_free };
  if (WebPAnimDecoderGetInfo (decoder, &info)) {
    frames->width = params.width = info.canvas_width;
    params.height = info.canvas_height;
    webp_scan_frames (WebPAnimDecoderGetDemuxer (decoder), &params);
  }
  if (params.delays_ms->len > 1)
    return odl_moving_new (&params);
  g_array_unref (params.delays_ms);
  webp_free (frames);
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
    OdlMoving *moving = webp_open_frames (input, turn);
    if (moving == NULL)
      return false;
    *is_moving = true;
    *input->kept = moving;
    *input->free_kept = odl_moving_free;
  }
  return odl_moving_decode (*input->kept, input->frame, picture, error);
}
