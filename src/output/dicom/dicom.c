// SPDX-License-Identifier: MIT
#include "output/dicom/dicom.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "config.h"
#include "jpeg2000/jpeg2000.h"

#define RLE_HEAD_BYTES 64
#define RLE_MOST 128 // of a run, or of bytes as they are

const char *
odl_dicom_compression_name (OdlDicomCompression compression)
{
  static const char *const names[ODL_DICOM_N_COMPRESSIONS]
      = { "none", "rle", "jpeg2000" };

  g_return_val_if_fail (compression < ODL_DICOM_N_COMPRESSIONS, names[0]);
  return names[compression];
}

static void
make_even (GByteArray *bytes)
{
  if (bytes->len % 2 == 1)
    g_byte_array_append (bytes, (const guint8 *) "", 1);
}

// ---- RLE ----

static int
run_length (const guint8 *row, int from, int n)
{
  int length = 1;

  while (from + length < n && length < RLE_MOST && row[from + length] == row[from])
    length++;
  return length;
}

// One row: runs of three and more, or of two where no bytes wait to be written as they
// are (PS3.5, G.3.1).
static void
pack_row (const guint8 *row, int n, GByteArray *out)
{
  int waiting = 0; // bytes before `at`

  for (int at = 0; at <= n;) {
    const int run = at < n ? run_length (row, at, n) : 0;
    const bool worth = run >= 3 || (run == 2 && waiting == 0);
    if (waiting > 0 && (at == n || worth || waiting == RLE_MOST)) {
      const guint8 count = (guint8) (waiting - 1);
      g_byte_array_append (out, &count, 1);
      g_byte_array_append (out, row + at - waiting, (guint) waiting);
      waiting = 0;
      continue;
    }
    if (at == n)
      break;
    if (worth) {
      const guint8 pair[2] = { (guint8) (257 - run), row[at] };
      g_byte_array_append (out, pair, sizeof pair);
      at += run;
    } else {
      waiting++;
      at++;
    }
  }
}

// One byte of every sample of a channel: the bits from `shift` on.
static void
append_segment (const OdlDicomFrameShape *shape,
                const gint32 *samples,
                int channel,
                int shift,
                guint8 *row,
                GByteArray *out)
{
  for (int y = 0; y < shape->height; y++) {
    const gint32 *from = samples + (gsize) y * shape->width * shape->channels + channel;
    for (int x = 0; x < shape->width; x++)
      row[x] = (guint8) ((guint32) from[(gsize) x * shape->channels] >> shift);
    pack_row (row, shape->width, out);
  }
  make_even (out);
}

GByteArray *
odl_dicom_frame_rle (const OdlDicomFrameShape *shape, const gint32 *samples)
{
  const int n_bytes = shape->bits <= 8 ? 1 : 2;
  const int n = shape->channels * n_bytes;
  guint8 head[RLE_HEAD_BYTES] = { (guint8) n };
  GByteArray *out = g_byte_array_new ();
  g_autofree guint8 *row = g_malloc ((gsize) shape->width);

  g_byte_array_append (out, head, sizeof head);
  for (int i = 0; i < n; i++) {
    for (int b = 0; b < 4; b++)
      head[4 * (i + 1) + b] = (guint8) (out->len >> 8 * b);
    // The upper bytes come first.
    append_segment (shape, samples, i / n_bytes, 8 * (n_bytes - 1 - i % n_bytes), row,
                    out);
  }
  memcpy (out->data, head, sizeof head);
  return out;
}

// ---- JPEG 2000 ----

static OdlImage *
picture_of (const OdlDicomFrameShape *shape, const gint32 *samples, GError **error)
{
  const double lowest = shape->is_signed ? -ldexp (1, shape->bits - 1) : 0;
  const OdlImageInfo info = {
    .extent = { shape->width, shape->height, 1, 1 },
    .channels = shape->channels,
    .type = shape->is_signed ? ODL_SAMPLE_S16 : ODL_SAMPLE_U16,
    .stored_min = lowest,
    .stored_max = lowest + ldexp (1, shape->bits) - 1,
  };
  const gsize n = (gsize) shape->width * shape->height * shape->channels;
  void *data = NULL;
  OdlImage *image = odl_image_alloc (&info, &data, error);

  // Two's complement in both.
  for (gsize i = 0; image != NULL && i < n; i++)
    ((guint16 *) data)[i] = (guint16) samples[i];
  return image;
}

GByteArray *
odl_dicom_frame_jpeg2000 (const OdlDicomFrameShape *shape,
                          const gint32 *samples,
                          GError **error)
{
  static const char *const comments[] = { "Ondelette " ODL_VERSION, NULL };
  const OdlJpeg2000Params params
      = { .goal = ODL_JPEG2000_LOSSLESS, .comments = comments };
  g_autoptr (OdlImage) image = picture_of (shape, samples, error);

  if (image == NULL)
    return NULL;
  const OdlImageInfo *info = odl_image_info (image);
  const OdlJpeg2000Samples meaning = { .bits = shape->bits,
                                       .is_signed = shape->is_signed,
                                       .minimum = info->stored_min,
                                       .range = info->stored_max - info->stored_min };
  g_autoptr (GBytes) stream = odl_jpeg2000_encode (image, &meaning, &params, error);
  if (stream == NULL)
    return NULL;
  GByteArray *out = g_bytes_unref_to_array (g_steal_pointer (&stream));
  make_even (out);
  return out;
}

struct _OdlDicomFile {
  OdlOutput output;
  OdlDicomParams params;
  gint64 frames;
  gint64 bytes;
  guint64 limited;
};

bool
odl_dicom_samples_of (const OdlImage *source,
                      int bits,
                      OdlDicomSamples *samples,
                      GError **error)
{
  const OdlImageInfo *info = odl_image_info (source);
  const double span = info->stored_max - info->stored_min;
  const int most = info->type == ODL_SAMPLE_U8 ? 8 : 16;

  *samples = (OdlDicomSamples){ .bits = CLAMP (bits, 1, most),
                                .is_signed = info->type == ODL_SAMPLE_S16,
                                .zero = info->stored_min,
                                .one = info->stored_max };
  // A table of the file may have made larger values of smaller ones.
  while (samples->bits < most && ldexp (1, samples->bits) - 1 < span)
    samples->bits++;
  if (info->type == ODL_SAMPLE_F32 || info->channels == 4)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("its samples have more than 16 bits, which a derived picture "
                            "cannot hold. Write it as .tif."));
  else if (samples->bits == 1)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("its samples are single bits, as those of a segmentation, "
                            "which a derived picture cannot hold. Write it as .png."));
  else
    return true;
  return false;
}

static bool
append (OdlDicomFile *file, const void *data, gsize size, GError **error)
{
  file->bytes += (gint64) size;
  return odl_output_write (&file->output, data, size, error);
}

static void
free_file (OdlDicomFile *file)
{
  g_free ((OdlBlank *) file->params.blanks);
  g_free (file);
}

OdlDicomFile *
odl_dicom_file_new (OdlOutputGuard *guard,
                    const char *path,
                    const OdlDicomParams *params,
                    bool replace,
                    GError **error)
{
  OdlDicomFile *file = g_new0 (OdlDicomFile, 1);
  gsize size = 0;
  const void *header = g_bytes_get_data (params->header, &size);

  file->params = *params;
  file->params.blanks
      = g_memdup2 (params->blanks, params->n_blanks * sizeof *params->blanks);
  if (!(replace ? odl_output_open (guard, path, &file->output, error)
                : odl_output_open_new (guard, path, &file->output, error))) {
    free_file (file);
    return NULL;
  }
  if (append (file, header, size, error))
    return file;
  odl_dicom_file_abandon (file);
  return NULL;
}

// Samples of one channel as whole numbers.
static void
quantise (OdlDicomFile *file, const float *line, int channel, int n, gint32 *row)
{
  const OdlDicomSamples *samples = &file->params.samples;
  const double lowest = samples->is_signed ? -ldexp (1, samples->bits - 1) : 0;
  const double highest = lowest + ldexp (1, samples->bits) - 1;

  for (int x = 0; x < n; x++) {
    const double value = rint (samples->zero + line[x] * (samples->one - samples->zero));
    const bool fits = value >= lowest && value <= highest;
    file->limited += fits ? 0 : 1;
    row[x * file->params.channels + channel] = (gint32) (value > highest   ? highest
                                                         : value >= lowest ? value
                                                                           : lowest);
  }
}

static void
pack (const OdlDicomSamples *samples, const gint32 *row, gsize n, guint8 *bytes)
{
  for (gsize i = 0; i < n; i++)
    if (samples->bits <= 8) {
      bytes[i] = (guint8) row[i];
    } else {
      bytes[2 * i] = (guint8) row[i];
      bytes[2 * i + 1] = (guint8) ((guint32) row[i] >> 8);
    }
}

// An item of the pixel data (PS3.5, A.4); NULL: an empty one.
static bool
append_item (OdlDicomFile *file, const GByteArray *stream, GError **error)
{
  const guint size = stream != NULL ? stream->len : 0;
  const guint8 head[8] = { 0xfe,
                           0xff,
                           0x00,
                           0xe0,
                           (guint8) size,
                           (guint8) (size >> 8),
                           (guint8) (size >> 16),
                           (guint8) (size >> 24) };

  return append (file, head, sizeof head, error)
         && (stream == NULL || append (file, stream->data, size, error));
}

// A frame is one fragment. The table of offsets, which is the first item, stays empty.
static bool
append_compressed (OdlDicomFile *file, const gint32 *frame, GError **error)
{
  const OdlDicomParams *params = &file->params;
  const OdlDicomFrameShape shape = { params->width, params->height, params->channels,
                                     params->samples.bits, params->samples.is_signed };
  g_autoptr (GByteArray) stream = params->compression == ODL_DICOM_RLE
                                      ? odl_dicom_frame_rle (&shape, frame)
                                      : odl_dicom_frame_jpeg2000 (&shape, frame, error);

  if (stream == NULL || (file->frames == 0 && !append_item (file, NULL, error)))
    return false;
  return append_item (file, stream, error);
}

static void
blank (const OdlDicomFile *file, gint32 *frame)
{
  const OdlDicomParams *params = &file->params;
  const gsize row = (gsize) params->width * params->channels, n = row * params->height;
  gint32 black = frame[0];

  // Not the smallest that can be stored, which would dominate automatic windows.
  for (gsize i = 1; i < n; i++)
    black = params->inverse ? MAX (black, frame[i]) : MIN (black, frame[i]);
  if (params->channels == 3)
    black = 0;
  for (gsize b = 0; b < params->n_blanks; b++) {
    const OdlBlank *area = &params->blanks[b];
    const int right = MIN (area->x + area->width, params->width);
    for (int y = area->y; y < MIN (area->y + area->height, params->height); y++)
      for (int i = area->x * params->channels; i < right * params->channels; i++)
        frame[y * row + i] = black;
  }
}

static bool
fits (const OdlDicomFile *file, const OdlImageInfo *info, int height, GError **error)
{
  const OdlDicomParams *params = &file->params;

  if (info->extent.x == params->width && height == params->height
      && info->channels == params->channels && file->frames < params->n_frames)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("%s: frame %" PRId64
                           " differs from the first in size or colours; a DICOM file "
                           "cannot hold it. Write numbered pictures."),
                        file->output.shown, file->frames + 1);
}

bool
odl_dicom_file_write (OdlDicomFile *file, OdlRows *rows, GError **error)
{
  const OdlDicomParams *params = &file->params;
  const gsize per_row = (gsize) params->width * params->channels;

  if (!fits (file, odl_image_info (rows->image), rows->height, error))
    return false;
  const gsize n = per_row * params->height;
  g_autofree gint32 *frame = g_try_new (gint32, n);
  g_autofree guint8 *bytes = g_try_malloc (2 * n);
  g_autofree float *line = g_new (float, params->width);
  if (frame == NULL || bytes == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("there is not enough memory to write it"));
  for (;;) {
    for (int y = rows->first; y < rows->end; y++)
      for (int c = 0; c < params->channels; c++) {
        odl_image_scaled_row (rows->image, c, y - rows->top, 0, 0, line);
        quantise (file, line, c, params->width, frame + y * per_row);
      }
    if (rows->end == rows->height)
      break;
    if (!rows->next (rows, error))
      return false;
  }
  if (params->n_blanks > 0)
    blank (file, frame);
  if (params->compression != ODL_DICOM_PLAIN) {
    const bool done = append_compressed (file, frame, error);
    file->frames++;
    return done;
  }
  pack (&params->samples, frame, n, bytes);
  file->frames++;
  return append (file, bytes, params->samples.bits <= 8 ? n : 2 * n, error);
}

guint64
odl_dicom_file_limited (const OdlDicomFile *file)
{
  return file->limited;
}

gint64
odl_dicom_file_bytes (const OdlDicomFile *file)
{
  return file->bytes;
}

bool
odl_dicom_file_finish (OdlDicomFile *file, GError **error)
{
  static const guint8 end[8] = { 0xfe, 0xff, 0xdd, 0xe0 };
  const OdlDicomParams *params = &file->params;
  const bool compressed = params->compression != ODL_DICOM_PLAIN;
  const gsize pixels = (gsize) params->width * params->height * params->channels;
  const bool odd = params->samples.bits <= 8 && pixels % 2 == 1 && file->frames % 2 == 1;
  bool done = file->frames == params->n_frames;

  if (!done)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s: only %" PRId64 " of %" PRId64
                    " frames could be read. Choose those with --frames."),
                 file->output.shown, file->frames, params->n_frames);
  if (compressed)
    done = done && append (file, end, sizeof end, error);
  else
    done = done && (!odd || append (file, "", 1, error));
  done = odl_output_end (&file->output, done, error);
  free_file (file);
  return done;
}

void
odl_dicom_file_abandon (OdlDicomFile *file)
{
  if (file == NULL)
    return;
  odl_output_abandon (&file->output);
  free_file (file);
}
