// SPDX-License-Identifier: MIT
#include "decoder/formats.h"

#include <glib/gi18n-lib.h>
#include <png.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "decoder/exif.h"
#include "decoder/profile.h"

// What this program writes about itself, before its version.
#define SOFTWARE "Ondelette "

// State that must survive libpng's longjmp.
typedef struct {
  const OdlDecoderInput *input;
  OdlPicture *picture;
  png_structp png;
  png_infop info;
  size_t position;
  bool out_of_data;
  int passes;
  int turn; // of Exif
  uint32_t width, height; // as stored
  uint8_t *stored; // of a picture that is turned when it is complete; else NULL
  uint32_t rows_done; // over all passes
  char message[200];
  GError *error;
} PngReader;

static void
read_cb (png_structp png, png_bytep to, size_t n)
{
  PngReader *reader = png_get_io_ptr (png);

  if (n > reader->input->size - reader->position) {
    reader->out_of_data = true;
    png_error (png, "the file ends too early");
  }
  memcpy (to, reader->input->data + reader->position, n);
  reader->position += n;
}

static void
error_cb (png_structp png, png_const_charp text)
{
  PngReader *reader = png_get_error_ptr (png);

  g_strlcpy (reader->message, text, sizeof reader->message);
  png_longjmp (png, 1);
}

static void
warning_cb (png_structp png, png_const_charp text)
{
}

// Adam7 delivers rows several times, so that they are turned when all have come.
static bool
allocate (PngReader *reader, int bits)
{
  png_structp png = reader->png;
  png_infop info = reader->info;
  const size_t bytes = (size_t) reader->height * png_get_rowbytes (png, info);
  const OdlOrientation orientation
      = odl_orientation (reader->turn, reader->width, reader->height);
  const OdlPictureShape shape = {
    .width = orientation.width,
    .height = orientation.height,
    .channels = png_get_channels (png, info),
    .type = bits == 16 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8,
  };
  const bool turns = reader->turn != 1;

  if (odl_picture_allocate (reader->picture, &shape, turns ? bytes : 0, &reader->error)
      == NULL)
    return false;
  if (turns)
    reader->stored = g_malloc0 (bytes);
  return true;
}

static void
turn (PngReader *reader)
{
  const size_t stride
      = reader->picture->reply.data_bytes / ((size_t) reader->width * reader->height);
  const OdlOrientation orientation
      = odl_orientation (reader->turn, reader->width, reader->height);

  for (uint32_t y = 0; y < reader->height; y++)
    odl_orientation_put_row (&orientation,
                             reader->stored + (size_t) y * reader->width * stride, y,
                             reader->width, stride, reader->picture->pixels);
  odl_picture_detail (reader->picture, "orientation", "%d", reader->turn);
}

// Requests 8 or 16 bits of grey, RGB or RGBA from libpng.
static bool
set_up_output (PngReader *reader)
{
  png_structp png = reader->png;
  png_infop info = reader->info;
  int colour = png_get_color_type (png, info);
  int bits = png_get_bit_depth (png, info);
  bool transparent = png_get_valid (png, info, PNG_INFO_tRNS) != 0;

  png_set_expand (png);
  if (bits == 16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
  if (transparent || (colour & PNG_COLOR_MASK_ALPHA) != 0)
    png_set_gray_to_rgb (png);
  reader->passes = png_set_interlace_handling (png);
  png_read_update_info (png, info);
  reader->width = png_get_image_width (png, info);
  reader->height = png_get_image_height (png, info);
  odl_picture_set_format (reader->picture, _ ("PNG, %d bit"), bits);
  odl_picture_detail (reader->picture, "bits", "%d", bits);
  odl_picture_detail (reader->picture, "colour", "%s",
                      colour == PNG_COLOR_TYPE_PALETTE       ? "palette"
                      : (colour & PNG_COLOR_MASK_COLOR) != 0 ? "rgb"
                                                             : "grey");
  return allocate (reader, bits);
}

static void
note_profile (PngReader *reader)
{
  png_charp name;
  png_bytep profile;
  png_uint_32 size;
  int compression;

  if (png_get_iCCP (reader->png, reader->info, &name, &compression, &profile, &size) != 0)
    odl_picture_note_profile (reader->picture, profile, size);
}

// Others write how large a picture is to be printed; this program, how large what it
// shows is.
static void
find_spacing (PngReader *reader)
{
  OdlDecoderReply *reply = &reader->picture->reply;
  png_uint_32 per_metre[2];
  png_textp texts;
  int unit = PNG_RESOLUTION_UNKNOWN, n = 0;
  bool is_ours = false;

  png_get_text (reader->png, reader->info, &texts, &n);
  for (int i = 0; i < n; i++)
    is_ours |= strcmp (texts[i].key, "Software") == 0 && texts[i].text != NULL
               && g_str_has_prefix (texts[i].text, SOFTWARE);
  if (!is_ours || reader->turn != 1
      || png_get_pHYs (reader->png, reader->info, &per_metre[0], &per_metre[1], &unit)
             == 0
      || unit != PNG_RESOLUTION_METER || per_metre[0] == 0 || per_metre[1] == 0)
    return;
  for (int axis = 0; axis < 2; axis++)
    reply->spacing_mm[axis] = 1000.0 / per_metre[axis];
  reply->pixel_aspect = CLAMP (reply->spacing_mm[0] / reply->spacing_mm[1], 0.001, 1000);
}

static void
read_rows (PngReader *reader)
{
  size_t stride = png_get_rowbytes (reader->png, reader->info);
  uint8_t *pixels
      = reader->stored != NULL ? reader->stored : (uint8_t *) reader->picture->pixels;

  for (int pass = 0; pass < reader->passes; pass++)
    for (uint32_t y = 0; y < reader->height; y++) {
      png_read_row (reader->png, pixels + y * stride, NULL);
      reader->rows_done++;
    }
}

static bool
finish (PngReader *reader, GError **error)
{
  if (reader->error != NULL) {
    g_propagate_error (error, reader->error);
    return false;
  }
  if (reader->stored != NULL)
    turn (reader);
  if (odl_png_is_animated (reader->input->data, reader->input->size))
    odl_picture_warn_of_others (reader->picture);
  if (reader->message[0] == '\0')
    return true;
  if (reader->rows_done == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the PNG data is damaged (%s)"),
                          odl_text_cut_stop (reader->message));
  if (reader->rows_done < reader->passes * reader->height)
    odl_picture_incomplete (reader->picture, "%s",
                            reader->out_of_data ? _ ("the file ends too early")
                                                : _ ("the PNG data is damaged"));
  return true;
}

// libpng reports sizes beyond its limit as damage; report them as too large.
static bool
sides_are_sane (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  uint32_t sides[2];

  if (input->size < 24 || memcmp (input->data + 12, "IHDR", 4) != 0)
    return true;
  memcpy (sides, input->data + 16, sizeof sides);
  OdlPictureShape shape
      = { GUINT32_FROM_BE (sides[0]), GUINT32_FROM_BE (sides[1]), 1, ODL_SAMPLE_U8 };
  if (shape.width <= ODL_IMAGE_MAX_SIDE && shape.height <= ODL_IMAGE_MAX_SIDE)
    return true;
  return odl_picture_allocate (picture, &shape, 0, error) != NULL;
}

bool
odl_decode_png (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  PngReader reader = { .input = input,
                       .picture = picture,
                       .turn = odl_exif_of_png (input->data, input->size) };

  if (!sides_are_sane (input, picture, error))
    return false;
  reader.png
      = png_create_read_struct (PNG_LIBPNG_VER_STRING, &reader, error_cb, warning_cb);
  reader.info = png_create_info_struct (reader.png);
  if (setjmp (png_jmpbuf (reader.png)) == 0) {
    png_set_user_limits (reader.png, ODL_IMAGE_MAX_SIDE, ODL_IMAGE_MAX_SIDE);
    png_set_chunk_malloc_max (reader.png, 1 << 23);
    png_set_chunk_cache_max (reader.png, 32);
    // Small input chunks: at the end of a truncated file, only an incomplete chunk is
    // lost.
    png_set_compression_buffer_size (reader.png, 256);
    png_set_read_fn (reader.png, &reader, read_cb);
    png_read_info (reader.png, reader.info);
    note_profile (&reader);
    if (set_up_output (&reader)) {
      find_spacing (&reader);
      read_rows (&reader);
    }
  }
  png_destroy_read_struct (&reader.png, &reader.info, NULL);
  const bool done = finish (&reader, error);
  g_free (reader.stored);
  return done;
}
