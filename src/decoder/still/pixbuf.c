// SPDX-License-Identifier: MIT
// GIF, BMP and WebP, with gdk-pixbuf's loaders.
#include "decoder/formats.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "decoder/exif.h"
#include "decoder/profile.h"
#include "decoder/still/moving.h"

#define COLOUR (-1)

// Rows that the loader has reported complete.
typedef struct {
  int bottom;
  int top;
} Progress;

void
odl_prepare_pixbuf (const char *format)
{
  // The first loader of a type reads its module from disk; later ones reuse it.
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (format, NULL);
  if (loader != NULL)
    gdk_pixbuf_loader_close (loader, NULL);
}

static void
area_updated_cb (GdkPixbufLoader *loader,
                 int x,
                 int y,
                 int width,
                 int height,
                 gpointer data)
{
  Progress *progress = data;

  progress->top = MIN (progress->top, y);
  progress->bottom = MAX (progress->bottom, y + height);
}

// Whether three channels are one. Lossy WebP without colour (U and V 128) comes out with
// green up to `slack` below the others, which libwebp rounds in another way.
static bool
is_grey (GdkPixbuf *pixbuf, int slack)
{
  const uint8_t *pixels = gdk_pixbuf_read_pixels (pixbuf);
  const int width = gdk_pixbuf_get_width (pixbuf),
            height = gdk_pixbuf_get_height (pixbuf);

  if (gdk_pixbuf_get_n_channels (pixbuf) != 3)
    return false;
  for (int y = 0; y < height; y++) {
    const uint8_t *rgb = pixels + (size_t) y * gdk_pixbuf_get_rowstride (pixbuf);
    for (int x = 0; x < width; x++, rgb += 3)
      if (rgb[0] != rgb[2] || rgb[1] > rgb[0] || rgb[0] - rgb[1] > slack)
        return false;
  }
  return true;
}

// What a format says of its pictures besides their samples.
typedef struct {
  const char *loader;
  int slack; // of channels that are equal, see is_grey; below 0 colours stay colours
  int turn; // of Exif
  bool tells; // its loader refuses data that end too early; those of other formats do
              // not, and the rows that they report are counted
} Kind;

static bool
copy_pixbuf (GdkPixbuf *pixbuf, const Kind *kind, OdlPicture *picture, GError **error)
{
  const size_t from_channels = (size_t) gdk_pixbuf_get_n_channels (pixbuf);
  const bool grey = is_grey (pixbuf, kind->slack);
  const uint32_t width = (uint32_t) gdk_pixbuf_get_width (pixbuf);
  const uint32_t height = (uint32_t) gdk_pixbuf_get_height (pixbuf);
  const OdlOrientation orientation = odl_orientation (kind->turn, width, height);
  OdlPictureShape shape = {
    .width = orientation.width,
    .height = orientation.height,
    .channels = grey ? 1 : (int) from_channels,
    .type = ODL_SAMPLE_U8,
  };
  uint8_t *to = odl_picture_allocate (picture, &shape, width, error);
  g_autofree uint8_t *greys = g_malloc (width);

  if (to == NULL)
    return false;
  for (uint32_t y = 0; y < height; y++) {
    const uint8_t *row = gdk_pixbuf_read_pixels (pixbuf)
                         + (size_t) y * (size_t) gdk_pixbuf_get_rowstride (pixbuf);
    for (uint32_t x = 0; x < width && grey; x++)
      greys[x] = row[x * from_channels];
    odl_orientation_put_row (&orientation, grey ? greys : row, y, width,
                             (size_t) shape.channels, to);
  }
  if (kind->turn != 1)
    odl_picture_detail (picture, "orientation", "%d", kind->turn);
  return true;
}

// Loaders allocate the size declared in the header, so check it first.
static bool
check_declared_size (const OdlPicture *picture,
                     uint32_t width,
                     uint32_t height,
                     GError **error)
{
  const OdlPictureShape shape = { width, height, 4, ODL_SAMPLE_U8 };

  return odl_picture_fits (picture, &shape, (size_t) width * height * 4, error);
}

static bool
decode (const Kind *kind,
        const OdlDecoderInput *input,
        OdlPicture *picture,
        GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GdkPixbufLoader) loader
      = gdk_pixbuf_loader_new_with_type (kind->loader, &cause);
  Progress progress = { .top = G_MAXINT };

  if (loader == NULL)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("this machine has no loader for its format (%s)"),
                          odl_text_cut_stop (cause->message));
  g_signal_connect (loader, "area-updated", G_CALLBACK (area_updated_cb), &progress);
  bool written = gdk_pixbuf_loader_write (loader, input->data, input->size, &cause);
  bool closed = gdk_pixbuf_loader_close (loader, cause == NULL ? &cause : NULL);

  GdkPixbuf *pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  int rows = MAX (progress.bottom - progress.top, 0);
  const bool whole = written && closed;
  if (pixbuf == NULL || (!whole && rows == 0)) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("the image data is damaged or ends too early (%s)"),
                 cause != NULL ? odl_text_cut_stop (cause->message) : _ ("no pixels"));
    return false;
  }
  if (!copy_pixbuf (pixbuf, kind, picture, error))
    return false;
  // The first picture of a GIF may be smaller than all of it, and of an animated WebP no
  // rows are reported.
  if (!whole || (!kind->tells && rows < gdk_pixbuf_get_height (pixbuf)))
    odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
  GdkPixbufAnimation *animation = gdk_pixbuf_loader_get_animation (loader);
  if (animation != NULL && !gdk_pixbuf_animation_is_static_image (animation))
    odl_picture_warn_of_others (picture);
  return true;
}

static bool
ends_early (const char *format, GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("the image data is damaged or ends too early (%s)"), format);
}

bool
odl_decode_gif (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  if (input->size < 13)
    return ends_early ("GIF", error);
  const uint8_t *size = input->data + 6;
  if (!check_declared_size (picture, size[0] | size[1] << 8, size[2] | size[3] << 8,
                            error))
    return false;
  bool is_moving;
  const bool done = odl_gif_decode_moving (input, picture, &is_moving, error);
  if (is_moving)
    return done;
  odl_picture_set_format (picture, "GIF");
  return decode (&(Kind){ "gif", COLOUR, 1, true }, input, picture, error);
}

bool
odl_decode_bmp (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  if (input->size < 26)
    return ends_early ("BMP", error);
  uint32_t sides[2];
  bool old = input->data[14] == 12;
  for (int i = 0; i < 2; i++) {
    const uint8_t *at = input->data + 18 + (old ? 2 : 4) * i;
    int32_t side
        = old ? at[0] | at[1] << 8
              : (int32_t) (at[0] | at[1] << 8 | at[2] << 16 | (uint32_t) at[3] << 24);
    sides[i] = side < 0 ? 0u - (uint32_t) side : (uint32_t) side;
  }
  odl_picture_set_format (picture, "BMP");
  return check_declared_size (picture, sides[0], sides[1], error)
         && decode (&(Kind){ "bmp", COLOUR, 1, false }, input, picture, error);
}

// Width and height by the first chunk; RFC 9649, sections 2.5 to 2.7.
static bool
read_webp_size (const OdlDecoderInput *input, uint32_t sides[2])
{
  const uint8_t *chunk = input->data + 12;

  if (input->size < 30)
    return false;
  if (memcmp (chunk, "VP8X", 4) == 0) {
    sides[0] = 1 + (chunk[12] | (uint32_t) chunk[13] << 8 | (uint32_t) chunk[14] << 16);
    sides[1] = 1 + (chunk[15] | (uint32_t) chunk[16] << 8 | (uint32_t) chunk[17] << 16);
    return true;
  }
  if (memcmp (chunk, "VP8L", 4) == 0) {
    const uint32_t bits = chunk[9] | (uint32_t) chunk[10] << 8
                          | (uint32_t) chunk[11] << 16 | (uint32_t) chunk[12] << 24;
    sides[0] = 1 + (bits & 0x3fff);
    sides[1] = 1 + (bits >> 14 & 0x3fff);
    return true;
  }
  sides[0] = (chunk[14] | (uint32_t) chunk[15] << 8) & 0x3fff;
  sides[1] = (chunk[16] | (uint32_t) chunk[17] << 8) & 0x3fff;
  return memcmp (chunk, "VP8 ", 4) == 0;
}

// By the length in the header, since the loader shows what is there without a word.
static bool
ends_before_its_length (const OdlDecoderInput *input)
{
  const uint8_t *size = input->data + 4;
  const uint64_t length = size[0] | (uint64_t) size[1] << 8 | (uint64_t) size[2] << 16
                          | (uint64_t) size[3] << 24;

  return length + 8 > input->size;
}

static void
note_webp_profile (const OdlDecoderInput *input, OdlPicture *picture)
{
  size_t size = 0;
  const uint8_t *profile = odl_webp_chunk (input->data, input->size, "ICCP", &size);

  odl_picture_note_profile (picture, profile, size);
}

bool
odl_decode_webp (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  uint32_t sides[2];

  if (!read_webp_size (input, sides))
    return ends_early ("WebP", error);
  // Of an animation no rows are reported.
  const bool moves
      = memcmp (input->data + 12, "VP8X", 4) == 0 && (input->data[20] & 2) != 0;
  // The loader takes what is not there of one for sizes.
  if (moves && ends_before_its_length (input))
    return ends_early ("WebP", error);
  const Kind kind = { "webp", memcmp (input->data + 12, "VP8L", 4) != 0,
                      odl_exif_of_webp (input->data, input->size), moves };
  note_webp_profile (input, picture);
  if (!check_declared_size (picture, sides[0], sides[1], error))
    return false;
  bool is_moving = false;
  const bool done
      = moves && odl_webp_decode_moving (input, kind.turn, picture, &is_moving, error);
  if (is_moving)
    return done;
  odl_picture_set_format (picture, "WebP");
  if (!decode (&kind, input, picture, error))
    return false;
  if (ends_before_its_length (input))
    odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
  return true;
}
