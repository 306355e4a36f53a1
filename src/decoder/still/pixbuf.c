// SPDX-License-Identifier: MIT
// GIF, BMP, TGA, WebP and AVIF, with gdk-pixbuf's loaders.
#include "config.h"

#include "decoder/formats.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

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

static bool
copy_pixbuf (GdkPixbuf *pixbuf, OdlPicture *picture, GError **error)
{
  OdlPictureShape shape = {
    .width = (uint32_t) gdk_pixbuf_get_width (pixbuf),
    .height = (uint32_t) gdk_pixbuf_get_height (pixbuf),
    .channels = gdk_pixbuf_get_n_channels (pixbuf),
    .type = ODL_SAMPLE_U8,
  };
  const uint8_t *from = gdk_pixbuf_read_pixels (pixbuf);
  uint8_t *to = odl_picture_allocate (picture, &shape, 0, error);
  size_t row_bytes = (size_t) shape.width * shape.channels;

  if (to == NULL)
    return false;
  for (uint32_t y = 0; y < shape.height; y++)
    memcpy (to + y * row_bytes, from + (size_t) y * gdk_pixbuf_get_rowstride (pixbuf),
            row_bytes);
  return true;
}

// Loaders allocate the size declared in the header, so check it first.
static bool
check_declared_size (const OdlDecoderInput *input,
                     uint32_t width,
                     uint32_t height,
                     GError **error)
{
  uint64_t bytes = (uint64_t) width * height * 4;

  if (width <= ODL_IMAGE_MAX_SIDE && height <= ODL_IMAGE_MAX_SIDE
      && bytes < input->memory / 2)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
               _ ("it is too large: its header says %u×%u pixels, which needs more "
                  "memory than a file of this size may take"),
               width, height);
  return false;
}

static bool
decode (const char *format,
        const OdlDecoderInput *input,
        OdlPicture *picture,
        GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (format, &cause);
  Progress progress = { .top = G_MAXINT };

  if (loader == NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("this machine has no loader for its format (%s)"),
                 odl_text_cut_stop (cause->message));
    return false;
  }
  g_signal_connect (loader, "area-updated", G_CALLBACK (area_updated_cb), &progress);
  bool written = gdk_pixbuf_loader_write (loader, input->data, input->size, &cause);
  bool closed = gdk_pixbuf_loader_close (loader, cause == NULL ? &cause : NULL);

  GdkPixbuf *pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  int rows = MAX (progress.bottom - progress.top, 0);
  if (pixbuf == NULL || (!(written && closed) && rows == 0)) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("the image data is damaged or ends too early (%s)"),
                 cause != NULL ? odl_text_cut_stop (cause->message) : _ ("no pixels"));
    return false;
  }
  if (!copy_pixbuf (pixbuf, picture, error))
    return false;
  // AVIF's loader reports no rows.
  if (!(written && closed) || (rows > 0 && rows < (int) picture->reply.height))
    odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
  GdkPixbufAnimation *animation = gdk_pixbuf_loader_get_animation (loader);
  if (animation != NULL && !gdk_pixbuf_animation_is_static_image (animation))
    odl_picture_warn_of_others (picture);
  return true;
}

static bool
ends_early (const char *format, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("the image data is damaged or ends too early (%s)"), format);
  return false;
}

bool
odl_decode_gif (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  if (input->size < 13)
    return ends_early ("GIF", error);
  const uint8_t *size = input->data + 6;
  odl_picture_set_format (picture, "GIF");
  return check_declared_size (input, size[0] | size[1] << 8, size[2] | size[3] << 8,
                              error)
         && decode ("gif", input, picture, error);
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
  return check_declared_size (input, sides[0], sides[1], error)
         && decode ("bmp", input, picture, error);
}

bool
odl_decode_tga (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  if (input->size < 18)
    return ends_early ("TGA", error);
  const uint8_t *size = input->data + 12;
  odl_picture_set_format (picture, "TGA");
  return check_declared_size (input, size[0] | size[1] << 8, size[2] | size[3] << 8,
                              error)
         && decode ("tga", input, picture, error);
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

bool
odl_decode_webp (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  uint32_t sides[2];

  if (!read_webp_size (input, sides))
    return ends_early ("WebP", error);
  odl_picture_set_format (picture, "WebP");
  return check_declared_size (input, sides[0], sides[1], error)
         && decode ("webp", input, picture, error);
}

// Width and height by the largest image property “ispe”; ISO/IEC 23008-12, 6.5.3.
static bool
read_avif_size (const OdlDecoderInput *input, uint32_t sides[2])
{
  const uint8_t *at = input->data;
  const uint8_t *end = input->data + MIN (input->size, 1 << 16);

  sides[0] = sides[1] = 0;
  while (at + 16 <= end && (at = memchr (at, 'i', (size_t) (end - at - 15))) != NULL) {
    if (memcmp (at, "ispe\0\0\0\0", 8) != 0) {
      at++;
      continue;
    }
    for (int i = 0; i < 2; i++) {
      const uint8_t *n = at + 8 + 4 * i;
      const uint32_t side
          = (uint32_t) n[0] << 24 | (uint32_t) n[1] << 16 | (uint32_t) n[2] << 8 | n[3];
      sides[i] = MAX (sides[i], side);
    }
    at += 16;
  }
  return sides[0] > 0 && sides[1] > 0;
}

bool
odl_decode_avif (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  uint32_t sides[2];

  if (!read_avif_size (input, sides))
    return ends_early ("AVIF", error);
  odl_picture_set_format (picture, "AVIF");
  return check_declared_size (input, sides[0], sides[1], error)
         && decode ("avif", input, picture, error);
}
