// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/codestream.h"

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

// JFIF and Adobe markers as in libjpeg: JFIF means YCbCr; Adobe states the colour
// space; components named R, G, B are RGB.
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

// ---- JPEG 2000: ISO/IEC 15444-1, A.2 ----

enum {
  MARKER_SOC = 0xff4f,
  MARKER_SIZ = 0xff51,
  MARKER_COD = 0xff52,
  MARKER_SOT = 0xff90,
};

// The smallest tile: its SOT and SOD markers.
#define TILE_BYTES 14
static uint32_t
read_u16 (const uint8_t *at)
{
  return (uint32_t) (at[0] << 8 | at[1]);
}

static uint32_t
read_u32 (const uint8_t *at)
{
  return read_u16 (at) << 16 | read_u16 (at + 2);
}

static bool
is_jp2 (const uint8_t *data, size_t size)
{
  return size >= 12 && memcmp (data, "\0\0\0\x0cjP  \r\n\x87\n", 12) == 0;
}

bool
odl_jpeg2000_begins (const uint8_t *data, size_t size)
{
  return (size >= 2 && read_u16 (data) == MARKER_SOC) || is_jp2 (data, size);
}

// The contiguous codestream box of a JP2 file (I.4); false if there is none.
static bool
unbox (const uint8_t **data, size_t *size)
{
  size_t at = 0;

  while (*size - at >= 8) {
    const uint8_t *box = *data + at;
    const size_t left = *size - at;
    size_t head = 8, length = read_u32 (box);
    if (length == 1 && left >= 16) {
      head = 16;
      length = (size_t) read_u32 (box + 8) << 32 | read_u32 (box + 12);
    } else if (length == 0) {
      length = left;
    }
    if (memcmp (box + 4, "jp2c", 4) == 0) {
      *data = box + head;
      *size = MIN (length, left) - MIN (head, MIN (length, left));
      return true;
    }
    if (length < head || length > left)
      break;
    at += length;
  }
  return false;
}

// Image and tile size (A.5.1). All components must be alike and of full size.
static bool
read_size (const uint8_t *body, size_t length, size_t size, OdlCodestream *stream)
{
  uint32_t n[8]; // size, offset of the image; of a tile

  if (length < 36)
    return false;
  for (int i = 0; i < 8; i++)
    n[i] = read_u32 (body + 2 + 4 * i);
  const uint32_t n_components = read_u16 (body + 34);
  const uint8_t *component = body + 36;
  if (n_components == 0 || length < 36 + 3 * (size_t) n_components || n[0] <= n[2]
      || n[1] <= n[3] || n[4] == 0 || n[5] == 0 || n[6] > n[2] || n[7] > n[3])
    return false;
  const uint64_t across = ((uint64_t) n[0] - n[6] + n[4] - 1) / n[4];
  const uint64_t down = ((uint64_t) n[1] - n[7] + n[5] - 1) / n[5];
  stream->width = n[0] - n[2];
  stream->height = n[1] - n[3];
  stream->n_components = (int) n_components;
  stream->precision = (component[0] & 0x7f) + 1;
  stream->is_signed = (component[0] & 0x80) != 0;
  for (uint32_t c = 0; c < n_components; c++)
    stream->uneven = stream->uneven || component[3 * c] != component[0]
                     || component[3 * c + 1] != 1 || component[3 * c + 2] != 1;
  return across <= 65535 && down <= 65535 && across * down <= size / TILE_BYTES;
}

bool
odl_jpeg2000_read (const uint8_t **data, size_t *size, OdlCodestream *stream)
{
  bool sized = false, coded = false;
  size_t at = 2;

  *stream = (OdlCodestream){ 0 };
  if (is_jp2 (*data, *size) && !unbox (data, size))
    return false;
  if (*size < 4 || read_u16 (*data) != MARKER_SOC)
    return false;
  while (at + 4 <= *size && read_u16 (*data + at) != MARKER_SOT) {
    const uint32_t marker = read_u16 (*data + at);
    const size_t length = read_u16 (*data + at + 2);
    const uint8_t *body = *data + at + 4;
    if (marker < MARKER_SOC || length < 2 || length > *size - at - 2)
      return false;
    if (marker == MARKER_SIZ)
      sized = read_size (body, length - 2, *size, stream);
    // Multiple component transform; wavelet, of which 1 is reversible (A.6.1).
    if (marker == MARKER_COD && length >= 12) {
      stream->transformed = body[4] == 1;
      stream->lossless = body[9] == 1;
      coded = true;
    }
    at += 2 + length;
  }
  return sized && coded;
}
