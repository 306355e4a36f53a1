// SPDX-License-Identifier: MIT
#include "decoder/dicom/codestream.h"

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
