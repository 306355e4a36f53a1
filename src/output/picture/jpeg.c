// SPDX-License-Identifier: MIT
#include "output/picture/lossy.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "base/error.h"

// Of the quality that libjpeg counts from 1 to 100.
#define HIGH 95
#define SMALL 75

#define BUFFER_BYTES 65536

// State of libjpeg's callbacks. The first failure is reported.
typedef struct {
  struct jpeg_error_mgr manager; // first: the library knows this part
  struct jpeg_destination_mgr destination;
  jmp_buf end;
  OdlOutput *output;
  GError **error;
  JOCTET buffer[BUFFER_BYTES];
} Sink;

static void
error_cb (j_common_ptr common)
{
  Sink *sink = (Sink *) common->err;
  char message[JMSG_LENGTH_MAX];

  if (sink->error != NULL && *sink->error == NULL) {
    sink->manager.format_message (common, message);
    g_set_error (sink->error, ODL_ERROR, ODL_ERROR_IO, _ ("The JPEG writer failed: %s."),
                 message);
  }
  longjmp (sink->end, 1);
}

static void
message_cb (j_common_ptr common)
{
}

static void
begin_cb (j_compress_ptr jpeg)
{
  Sink *sink = (Sink *) jpeg->err;

  sink->destination.next_output_byte = sink->buffer;
  sink->destination.free_in_buffer = sizeof sink->buffer;
}

static boolean
flush_cb (j_compress_ptr jpeg)
{
  Sink *sink = (Sink *) jpeg->err;

  if (!odl_output_write (sink->output, sink->buffer, sizeof sink->buffer, sink->error))
    longjmp (sink->end, 1);
  begin_cb (jpeg);
  return TRUE;
}

static void
end_cb (j_compress_ptr jpeg)
{
  Sink *sink = (Sink *) jpeg->err;
  const gsize n = sizeof sink->buffer - sink->destination.free_in_buffer;

  if (!odl_output_write (sink->output, sink->buffer, n, sink->error))
    longjmp (sink->end, 1);
}

static void
set_up (j_compress_ptr jpeg, const OdlImageInfo *info, OdlLossy lossy)
{
  const double *spacing = info->spacing_mm;

  jpeg->image_width = (JDIMENSION) info->extent.x;
  jpeg->image_height = (JDIMENSION) info->extent.y;
  jpeg->input_components = info->channels == 1 ? 1 : 3;
  jpeg->in_color_space = info->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults (jpeg);
  jpeg_set_quality (jpeg, lossy == ODL_LOSSY_SMALL ? SMALL : HIGH, TRUE);
  jpeg->optimize_coding = TRUE;
  if (lossy != ODL_LOSSY_SMALL)
    jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
  if (spacing[0] > 1e-3 && spacing[1] > 1e-3 && spacing[0] < 10 && spacing[1] < 10) {
    jpeg->density_unit = 2; // dots per centimetre
    jpeg->X_density = (UINT16) lrint (10 / spacing[0]);
    jpeg->Y_density = (UINT16) lrint (10 / spacing[1]);
  }
}

static void
write_rows (j_compress_ptr jpeg, const OdlImageInfo *info, JSAMPLE *row)
{
  for (int y = 0; y < info->extent.y; y++) {
    const uint8_t *from = (const uint8_t *) info->planes[0].data
                          + (gsize) y * info->planes[0].row_stride_bytes;
    for (int x = 0; x < info->extent.x; x++)
      for (int c = 0; c < jpeg->input_components; c++)
        row[x * jpeg->input_components + c] = from[x * info->channels + c];
    jpeg_write_scanlines (jpeg, &row, 1);
  }
}

static void
write_comment (j_compress_ptr jpeg, const char *text)
{
  if (text != NULL && *text != '\0')
    jpeg_write_marker (jpeg, JPEG_COM, (const JOCTET *) text,
                       (unsigned) MIN (strlen (text), 60000));
}

static bool
check (const OdlOutput *output, const OdlImageInfo *info, OdlLossy lossy, GError **error)
{
  if (lossy == ODL_LOSSY_LOSSLESS)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: JPEG always loses something. Write PNG, WebP or JPEG 2000 "
                    "without loss."),
                 output->shown);
  else if (MAX (info->extent.x, info->extent.y) > JPEG_MAX_DIMENSION)
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("%s: a JPEG file has at most %d pixels along a side. Write PNG or "
                    "TIFF."),
                 output->shown, (int) JPEG_MAX_DIMENSION);
  else
    return true;
  return false;
}

bool
odl_jpeg_encode (OdlOutput *output,
                 const OdlImage *shown,
                 OdlLossy lossy,
                 const char *description,
                 const char *mark,
                 GError **error)
{
  const OdlImageInfo *info = odl_image_info (shown);
  g_autofree Sink *sink = g_new0 (Sink, 1);
  g_autofree JSAMPLE *row = g_new (JSAMPLE, (gsize) info->extent.x * 3);
  struct jpeg_compress_struct jpeg = { .err = jpeg_std_error (&sink->manager) };

  if (!check (output, info, lossy, error))
    return false;
  sink->manager.error_exit = error_cb;
  sink->manager.output_message = message_cb;
  sink->destination.init_destination = begin_cb;
  sink->destination.empty_output_buffer = flush_cb;
  sink->destination.term_destination = end_cb;
  sink->output = output;
  sink->error = error;
  if (setjmp (sink->end) != 0) {
    jpeg_destroy_compress (&jpeg);
    return false;
  }
  jpeg_create_compress (&jpeg);
  jpeg.dest = &sink->destination;
  set_up (&jpeg, info, lossy);
  jpeg_start_compress (&jpeg, TRUE);
  write_comment (&jpeg, description);
  write_comment (&jpeg, mark);
  write_rows (&jpeg, info, row);
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
  return true;
}
