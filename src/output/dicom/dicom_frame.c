// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/dicom/dicom_frame.h"

#include <math.h>
#include <string.h>

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
