// SPDX-License-Identifier: MIT
// GIF89a. gdk-pixbuf finds a frame by the time at which it is shown, and shortest times
// are others there: its own clock is turned on by its own times, frame by frame, while
// those of the file are read here.
#include "decoder/still/gif.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include "decoder/still/moving.h"

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
scan_frames (Scan *scan)
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
} Frames;

static void
frames_free (void *data)
{
  Frames *frames = data;

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
restart (void *data)
{
  Frames *frames = data;
  const GTimeVal begin = time_of (0);

  g_clear_object (&frames->iter);
  frames->now_ms = 0;
  frames->begun = false;
  frames->iter = gdk_pixbuf_animation_get_iter (frames->animation, &begin);
  return frames->iter != NULL;
}

static bool
go_on (Frames *frames)
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
next (void *data, size_t *stride)
{
  Frames *frames = data;

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
open_frames (const OdlDecoderInput *input, const Scan *scan)
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
  Frames *frames = g_new0 (Frames, 1);
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
                                             .restart = restart,
                                             .next = next,
                                             .free_state = frames_free });
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
    scan_frames (&scan);
    OdlMoving *moving = scan.delays_ms->len > 1 ? open_frames (input, &scan) : NULL;
    g_array_unref (scan.delays_ms);
    if (moving == NULL)
      return false;
    *is_moving = true;
    *input->kept = moving;
    *input->free_kept = odl_moving_free;
  }
  return odl_moving_decode (*input->kept, input->frame, picture, error);
}
