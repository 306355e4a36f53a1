// SPDX-License-Identifier: MIT
// Truevision TGA (File Format Specification, version 2.0): grey, colours and colour maps,
// with runs and without.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"
#include "decoder/opacity.h"
#include "decoder/exif.h"

enum { HEADER_BYTES = 18, FOOTER_BYTES = 26, ATTRIBUTES_AT = 494 };

typedef enum { MAPPED = 1, COLOURS = 2, GREY = 3 } Kind;

typedef struct {
  const uint8_t *data;
  size_t size;
  size_t at; // of the next byte of samples
  Kind kind;
  bool has_runs;
  uint32_t map_first, map_count; // number of the first colour, and of colours
  int map_bits;
  const uint8_t *map;
  uint32_t width, height;
  int bits; // of a pixel
  int opacity_bits;
  bool from_right, from_top;
  bool has_opacity, multiplied;
  int channels;
  bool beyond_map; // a sample names a colour that is not there
} Tga;

static uint32_t
word (const uint8_t *at)
{
  return at[0] | (uint32_t) at[1] << 8;
}

static bool
ends_early (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("the image data is damaged or ends too early (%s)"), "TGA");
}

static bool
is_colour_bits (int bits)
{
  return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

// What the extension area of version 2 says of opacity: 3 it is, 4 colours are multiplied
// by it, less it is none; −1: there is no such area.
static int
attributes (const Tga *tga)
{
  static const char signature[] = "TRUEVISION-XFILE.";
  const uint8_t *footer = tga->data + tga->size - FOOTER_BYTES;

  if (tga->size < HEADER_BYTES + FOOTER_BYTES
      || memcmp (footer + 8, signature, sizeof signature) != 0)
    return -1;
  const uint64_t area = word (footer) | (uint64_t) word (footer + 2) << 16;
  return area > 0 && area + ATTRIBUTES_AT < tga->size ? tga->data[area + ATTRIBUTES_AT]
                                                      : -1;
}

// Without an extension area, 8 bits beside a colour are opacity even where the header
// counts none, as other programs take them; a single one only where it counts.
static void
find_opacity (Tga *tga)
{
  const int bits = tga->kind == MAPPED ? tga->map_bits : tga->bits;
  const int said = attributes (tga);
  const bool room = tga->kind == GREY
                        ? bits == 16
                        : bits == 32 || (bits == 16 && tga->opacity_bits > 0);

  tga->has_opacity = room && (said < 0 || said == 3 || said == 4);
  tga->multiplied = tga->has_opacity && said == 4;
  tga->channels = tga->has_opacity ? 4 : tga->kind == GREY ? 1 : 3;
}

static bool
read_header (Tga *tga, GError **error)
{
  const uint8_t *head = tga->data;

  if (tga->size <= HEADER_BYTES)
    return ends_early (error);
  tga->kind = (Kind) (head[2] & 7);
  tga->has_runs = (head[2] & 8) != 0;
  tga->map_first = word (head + 3);
  tga->map_count = head[1] == 1 ? word (head + 5) : 0;
  tga->map_bits = head[7];
  tga->width = word (head + 12);
  tga->height = word (head + 14);
  tga->bits = head[16];
  tga->opacity_bits = head[17] & 15;
  tga->from_right = (head[17] & 16) != 0;
  tga->from_top = (head[17] & 32) != 0;
  const bool known
      = tga->kind == MAPPED ? (tga->bits == 8 || tga->bits == 16) && tga->map_count > 0
                                  && is_colour_bits (tga->map_bits)
        : tga->kind == COLOURS ? is_colour_bits (tga->bits)
                               : tga->kind == GREY && (tga->bits == 8 || tga->bits == 16);
  if (!known || (head[17] & 0xc0) != 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("TGA of type %d with %d bits per pixel is not supported"),
                          head[2], tga->bits);
  const size_t map_bytes = (size_t) tga->map_count * (size_t) ((tga->map_bits + 7) / 8);
  tga->at = HEADER_BYTES + (size_t) head[0];
  if (tga->at > tga->size || map_bytes > tga->size - tga->at)
    return ends_early (error);
  tga->map = tga->data + tga->at;
  tga->at += map_bytes;
  find_opacity (tga);
  return true;
}

// Five bits as eight.
static uint8_t
wide (uint32_t bits)
{
  return (uint8_t) (((bits & 31) * 255 + 15) / 31);
}

// Blue comes first in the file.
static void
take_colour (const uint8_t *from, int bits, uint8_t *to)
{
  const uint32_t short_colour = word (from);

  to[0] = bits < 24 ? wide (short_colour >> 10) : from[2];
  to[1] = bits < 24 ? wide (short_colour >> 5) : from[1];
  to[2] = bits < 24 ? wide (short_colour) : from[0];
  to[3] = bits == 32 ? from[3] : (short_colour & 0x8000) != 0 ? 255 : 0;
}

// One pixel; `to` has room for four channels.
static void
take_pixel (Tga *tga, const uint8_t *from, uint8_t *to)
{
  uint32_t index;

  switch (tga->kind) {
  case COLOURS:
    take_colour (from, tga->bits, to);
    break;
  case GREY:
    to[0] = to[1] = to[2] = from[0];
    to[3] = tga->bits == 16 ? from[1] : 255;
    break;
  case MAPPED:
    index = tga->bits == 16 ? word (from) : from[0];
    if (index >= tga->map_first && index - tga->map_first < tga->map_count) {
      take_colour (tga->map
                       + (size_t) (index - tga->map_first)
                             * (size_t) ((tga->map_bits + 7) / 8),
                   tga->map_bits, to);
    } else {
      memset (to, 0, 4);
      tga->beyond_map = true;
    }
    break;
  }
}

// Writes row after row to where it is shown; returns the number of pixels that are there.
static size_t
read_pixels (Tga *tga, const OdlOrientation *orientation, OdlPicture *picture)
{
  const size_t bytes = (size_t) (tga->bits + 7) / 8;
  const size_t n = (size_t) tga->width * tga->height, channels = (size_t) tga->channels;
  g_autofree uint8_t *row = g_malloc0 ((size_t) tga->width * channels);
  size_t left = 0, done = 0; // of a packet, and of all
  bool repeats = false;

  for (; done < n; done++) {
    uint8_t pixel[4] = { 0 };
    if (tga->has_runs && left == 0) {
      if (tga->at >= tga->size)
        break;
      repeats = (tga->data[tga->at] & 128) != 0;
      left = (size_t) (tga->data[tga->at++] & 127) + 1;
    }
    if (bytes > tga->size - tga->at)
      break;
    take_pixel (tga, tga->data + tga->at, pixel);
    left -= left > 0 ? 1 : 0;
    tga->at += repeats && left > 0 ? 0 : bytes;
    memcpy (row + done % tga->width * channels, pixel, channels);
    if ((done + 1) % tga->width == 0)
      odl_orientation_put_row (orientation, row, (uint32_t) (done / tga->width),
                               tga->width, channels, picture->pixels);
  }
  return done;
}

bool
odl_decode_tga (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  // Of Exif, by the corner where the file begins.
  static const int corners[2][2] = { { 4, 3 }, { 1, 2 } };
  Tga tga = { .data = input->data, .size = input->size };

  if (!read_header (&tga, error))
    return false;
  const OdlOrientation orientation
      = odl_orientation (corners[tga.from_top][tga.from_right], tga.width, tga.height);
  const OdlPictureShape shape = { tga.width, tga.height, tga.channels, ODL_SAMPLE_U8 };
  if (odl_picture_allocate (picture, &shape, tga.width * 4, error) == NULL)
    return false;
  const size_t n_there = read_pixels (&tga, &orientation, picture);
  if (n_there < tga.width)
    return ends_early (error);
  if (n_there < (size_t) tga.width * tga.height)
    odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
  if (tga.beyond_map)
    odl_picture_incomplete (picture, _ ("some of its samples name no colour of its map, "
                                        "and are black"));
  if (tga.multiplied)
    odl_picture_divide_by_opacity (picture);
  odl_picture_set_format (picture, "TGA");
  return true;
}
