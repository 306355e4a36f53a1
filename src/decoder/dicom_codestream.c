// SPDX-License-Identifier: MIT
#include "decoder/dicom_codestream.h"

#include <string.h>

enum {
  MARKER_SOF0 = 0xc0,
  MARKER_SOF3 = 0xc3,
  MARKER_DHT = 0xc4,
  MARKER_JPG = 0xc8,
  MARKER_DAC = 0xcc,
  MARKER_SOF15 = 0xcf,
  MARKER_SOI = 0xd8,
  MARKER_EOI = 0xd9,
  MARKER_SOS = 0xda,
  MARKER_APP0 = 0xe0,
  MARKER_APP14 = 0xee,
  MARKER_SOF55 = 0xf7, // JPEG-LS
};

static bool
is_frame_header (int marker)
{
  return marker == MARKER_SOF55
         || (marker >= MARKER_SOF0 && marker <= MARKER_SOF15 && marker != MARKER_DHT
             && marker != MARKER_JPG && marker != MARKER_DAC);
}

static bool
read_frame_header (int marker, const uint8_t *body, size_t size, OdlCodestream *stream)
{
  if (size < 6 || size < 6 + 3 * (size_t) body[5])
    return false;
  stream->precision = body[0];
  stream->height = (uint32_t) (body[1] << 8 | body[2]);
  stream->width = (uint32_t) (body[3] << 8 | body[4]);
  stream->n_components = body[5];
  stream->lossless = marker == MARKER_SOF3 || marker == MARKER_SOF55;
  if (body[5] == 3 && body[6] == 'R' && body[9] == 'G' && body[12] == 'B')
    stream->says_rgb = true;
  return true;
}

// The rules of the JFIF and Adobe markers, as libjpeg has them: JFIF is YCbCr, always;
// Adobe says which; component names R, G, B speak for themselves.
bool
odl_codestream_read (const uint8_t *data, size_t size, OdlCodestream *stream)
{
  size_t at = 2;
  bool found = false, jfif = false;

  *stream = (OdlCodestream){ 0 };
  if (size < 4 || data[0] != 0xff || data[1] != MARKER_SOI)
    return false;
  while (at + 4 <= size && data[at] == 0xff) {
    int marker = data[at + 1];
    if (marker == 0xff) {
      at++;
      continue;
    }
    size_t length = (size_t) (data[at + 2] << 8 | data[at + 3]);
    const uint8_t *body = data + at + 4;
    if (marker == MARKER_SOS || marker == MARKER_EOI || length < 2
        || length > size - at - 2)
      break;
    if (is_frame_header (marker))
      found = read_frame_header (marker, body, length - 2, stream);
    jfif
        = jfif || (marker == MARKER_APP0 && length >= 7 && memcmp (body, "JFIF", 5) == 0);
    if (marker == MARKER_APP14 && length >= 14 && memcmp (body, "Adobe", 5) == 0) {
      stream->says_rgb = body[11] == 0;
      stream->says_ycbcr = body[11] == 1;
    }
    at += 2 + length;
  }
  if (jfif) {
    stream->says_ycbcr = true;
    stream->says_rgb = false;
  }
  return found;
}

static bool
frames_from_offset_table (const OdlDicomScan *scan, uint32_t n_frames, GArray *starts)
{
  const OdlDicomSpan *spans = (const OdlDicomSpan *) scan->fragments->data;
  guint n = scan->fragments->len;
  guint fragment = 1;

  if (spans[0].size < (size_t) n_frames * 4)
    return false;
  for (uint32_t frame = 0; frame < n_frames; frame++) {
    size_t offset = odl_read_u32 (scan->data + spans[0].offset + (size_t) frame * 4);
    while (fragment < n && spans[fragment].offset - spans[1].offset < offset)
      fragment++;
    if (fragment >= n || spans[fragment].offset - spans[1].offset != offset
        || (frame > 0 && g_array_index (starts, guint, frame - 1) >= fragment)) {
      g_array_set_size (starts, 0);
      return false;
    }
    g_array_append_val (starts, fragment);
  }
  return true;
}

// Each frame of JPEG begins with a marker of its own; RLE frames are one piece each.
static void
frames_from_content (const OdlDicomScan *scan, uint32_t n_frames, GArray *starts)
{
  const OdlDicomSpan *spans = (const OdlDicomSpan *) scan->fragments->data;
  bool rle = scan->syntax->codec == ODL_DICOM_RLE;
  bool one_each = rle || scan->fragments->len - 1 <= n_frames;

  for (guint i = 1; i < scan->fragments->len && starts->len <= n_frames; i++) {
    const uint8_t *at = scan->data + spans[i].offset;
    bool begins = one_each || i == 1
                  || (spans[i].size > 2 && at[0] == 0xff && at[1] == MARKER_SOI);
    if (begins)
      g_array_append_val (starts, i);
  }
  // The last start, one frame too many, is the end of what was declared.
  if (starts->len > n_frames)
    return;
  guint end = scan->fragments->len;
  g_array_append_val (starts, end);
}

GArray *
odl_codestream_frames (const OdlDicomScan *scan, uint32_t declared_frames)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = scan->fragments->len;
  guint first = 1;

  if (n < 2) {
    g_array_append_val (starts, first);
  } else if (declared_frames == 1) {
    guint end = scan->syntax->codec == ODL_DICOM_RLE ? 2 : n;
    g_array_append_val (starts, first);
    g_array_append_val (starts, end);
  } else if (n - 1 > declared_frames
             && frames_from_offset_table (scan, declared_frames, starts)) {
    g_array_append_val (starts, n);
  } else {
    frames_from_content (scan, declared_frames, starts);
  }
  return starts;
}
