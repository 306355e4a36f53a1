// SPDX-License-Identifier: MIT
#include "decoder/formats.h"

#include <glib/gi18n-lib.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "base/error.h"
#include "base/text.h"
#include "decoder/exif.h"
#include "decoder/profile.h"

// State that must survive libjpeg's longjmp.
typedef struct {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf exit;
  OdlPicture *picture;
  uint8_t *row;
  bool damaged;
  char message[JMSG_LENGTH_MAX];
  GError *error;
} JpegReader;

static void
error_exit_cb (j_common_ptr jpeg)
{
  JpegReader *reader = jpeg->client_data;

  reader->errors.format_message (jpeg, reader->message);
  longjmp (reader->exit, 1);
}

static void
message_cb (j_common_ptr jpeg, int level)
{
  JpegReader *reader = jpeg->client_data;

  // Only warnings during entropy decoding affect the picture.
  if (level < 0 && reader->jpeg.output_scanline < reader->jpeg.output_height)
    reader->damaged = true;
}

static int
orientation_of (struct jpeg_decompress_struct *jpeg)
{
  for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker != NULL;
       marker = marker->next) {
    int orientation = odl_exif_orientation (marker->data, marker->data_length);
    if (orientation != 0)
      return orientation;
  }
  return 1;
}

static bool
has_others (const struct jpeg_decompress_struct *jpeg)
{
  for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker != NULL;
       marker = marker->next)
    if (marker->marker == JPEG_APP0 + 2
        && odl_mpf_pictures (marker->data, marker->data_length) > 1)
      return true;
  return false;
}

// Adobe programs store CMYK inverted and signal it with their marker.
static void
cmyk_to_rgb (uint8_t *row, uint32_t width, bool inverted)
{
  const uint8_t *from = row;
  uint8_t flip = inverted ? 0 : 255;

  for (uint32_t x = 0; x < width; x++, from += 4, row += 3) {
    unsigned k = from[3] ^ flip;
    for (int c = 0; c < 3; c++)
      row[c] = (uint8_t) (((from[c] ^ flip) * k + 127) / 255);
  }
}

static void
note_profile (JpegReader *reader)
{
  JOCTET *profile = NULL;
  unsigned size = 0;

  if (jpeg_read_icc_profile (&reader->jpeg, &profile, &size))
    odl_picture_note_profile (reader->picture, profile, size);
  free (profile);
}

static bool
set_up_output (JpegReader *reader, OdlOrientation *orientation)
{
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  bool cmyk = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
  bool grey = jpeg->jpeg_color_space == JCS_GRAYSCALE;
  int turn = orientation_of (jpeg);

  jpeg->out_color_space = grey ? JCS_GRAYSCALE : cmyk ? JCS_CMYK : JCS_RGB;
  jpeg->dct_method = JDCT_ISLOW;
  *orientation = odl_orientation (turn, jpeg->image_width, jpeg->image_height);
  OdlPictureShape shape
      = { orientation->width, orientation->height, grey ? 1 : 3, ODL_SAMPLE_U8 };
  odl_picture_set_format (reader->picture, _ ("JPEG, %d bit"), jpeg->data_precision);
  odl_picture_detail (reader->picture, "bits", "%d", jpeg->data_precision);
  odl_picture_detail (reader->picture, "colour", "%s",
                      grey   ? "grey"
                      : cmyk ? "cmyk"
                             : "rgb");
  odl_picture_detail (reader->picture, "lossy", "yes");
  if (turn != 1)
    odl_picture_detail (reader->picture, "orientation", "%d", turn);
  note_profile (reader);
  if (has_others (jpeg))
    odl_picture_warn_of_others (reader->picture);
  return odl_picture_allocate (reader->picture, &shape, 0, &reader->error) != NULL;
}

static void
read_rows (JpegReader *reader, const OdlOrientation *orientation)
{
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;

  reader->row = g_malloc ((size_t) jpeg->output_width * jpeg->output_components);
  while (jpeg->output_scanline < jpeg->output_height) {
    uint32_t y = jpeg->output_scanline;
    JSAMPROW rows[] = { reader->row };

    if (jpeg_read_scanlines (jpeg, rows, 1) != 1)
      break;
    if (jpeg->out_color_space == JCS_CMYK)
      cmyk_to_rgb (reader->row, jpeg->output_width, jpeg->saw_Adobe_marker);
    odl_orientation_put_row (orientation, reader->row, y, jpeg->output_width,
                             reader->picture->reply.channels, reader->picture->pixels);
  }
}

static bool
finish (JpegReader *reader, GError **error)
{
  if (reader->error != NULL) {
    g_propagate_error (error, reader->error);
    return false;
  }
  if (reader->picture->pixels == NULL || reader->row == NULL
      || reader->jpeg.output_scanline == 0)
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("the JPEG data is damaged or of a kind that cannot be read (%s)"),
        odl_text_cut_stop (reader->message));
  if (reader->damaged || reader->jpeg.output_scanline < reader->jpeg.output_height)
    odl_picture_incomplete (reader->picture,
                            _ ("the JPEG data is damaged or ends too early"));
  return true;
}

bool
odl_decode_jpeg (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  // On the heap: longjmp would clobber local variables.
  g_autofree JpegReader *reader = g_new0 (JpegReader, 1);
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;

  reader->picture = picture;
  jpeg->err = jpeg_std_error (&reader->errors);
  jpeg->client_data = reader;
  reader->errors.error_exit = error_exit_cb;
  reader->errors.emit_message = message_cb;
  if (setjmp (reader->exit) == 0) {
    OdlOrientation orientation;

    jpeg_create_decompress (jpeg);
    jpeg_mem_src (jpeg, input->data, (unsigned long) input->size);
    jpeg_save_markers (jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_save_markers (jpeg, JPEG_APP0 + 2, 0xffff);
    jpeg_read_header (jpeg, TRUE);
    if (set_up_output (reader, &orientation)) {
      jpeg_start_decompress (jpeg);
      read_rows (reader, &orientation);
    }
  }
  bool done = finish (reader, error);
  jpeg_destroy_decompress (jpeg);
  g_free (reader->row);
  return done;
}
