// SPDX-License-Identifier: MIT
// Netpbm's PBM, PGM and PPM, plain and packed, of 8 and 16 bits, and PFM with floats.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "decoder/formats.h"

typedef struct {
  const uint8_t *data;
  size_t size;
  size_t at;
  char kind; // '1' … '6'; 'f' and 'F' of one and three floats
  uint32_t width, height;
  double greatest; // of PFM: the scale, below 0 of little-endian floats
  int channels;
} Pnm;

static bool
damaged (GError **error)
{
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("the image data is damaged or ends too early (%s)"), "PNM");
}

// Skips white space and comments; false at the end.
static bool
skip_blanks (Pnm *pnm)
{
  while (pnm->at < pnm->size) {
    const uint8_t c = pnm->data[pnm->at];
    if (c == '#') {
      const uint8_t *end = memchr (pnm->data + pnm->at, '\n', pnm->size - pnm->at);
      pnm->at = end != NULL ? (size_t) (end - pnm->data) : pnm->size;
    } else if (!g_ascii_isspace (c)) {
      return true;
    } else {
      pnm->at++;
    }
  }
  return false;
}

// A number of the header or of plain samples; negative: there is none.
static int64_t
next_number (Pnm *pnm)
{
  int64_t value = -1;

  if (!skip_blanks (pnm))
    return -1;
  for (; pnm->at < pnm->size && g_ascii_isdigit (pnm->data[pnm->at]); pnm->at++) {
    value = MAX (value, 0) * 10 + (pnm->data[pnm->at] - '0');
    if (value > UINT32_MAX)
      return -1;
  }
  return value;
}

static bool
read_scale (Pnm *pnm)
{
  char word[32] = "";
  size_t n = 0;

  if (!skip_blanks (pnm))
    return false;
  while (n + 1 < sizeof word && pnm->at < pnm->size
         && !g_ascii_isspace (pnm->data[pnm->at]))
    word[n++] = (char) pnm->data[pnm->at++];
  char *end = word;
  pnm->greatest = g_ascii_strtod (word, &end);
  return n > 0 && *end == '\0' && isfinite (pnm->greatest) && pnm->greatest != 0;
}

static bool
is_float (const Pnm *pnm)
{
  return pnm->kind == 'f' || pnm->kind == 'F';
}

static bool
is_bits (const Pnm *pnm)
{
  return pnm->kind == '1' || pnm->kind == '4';
}

static bool
read_header (Pnm *pnm, GError **error)
{
  pnm->kind = (char) pnm->data[1];
  pnm->channels = pnm->kind == '3' || pnm->kind == '6' || pnm->kind == 'F' ? 3 : 1;
  pnm->at = 2;
  const int64_t width = next_number (pnm), height = next_number (pnm);
  if (width < 0 || height < 0)
    return damaged (error);
  pnm->width = (uint32_t) width;
  pnm->height = (uint32_t) height;
  if (is_float (pnm)) {
    if (!read_scale (pnm))
      return damaged (error);
  } else {
    pnm->greatest = is_bits (pnm) ? 1 : (double) next_number (pnm);
    if (pnm->greatest < 1 || pnm->greatest > 65535)
      return damaged (error);
  }
  // One white space divides the header from packed samples.
  pnm->at = MIN (pnm->at + 1, pnm->size);
  return true;
}

// ---- Samples ----

static void
put (const Pnm *pnm, OdlPicture *picture, size_t at, uint32_t value)
{
  value = MIN (value, (uint32_t) pnm->greatest);
  // In PBM 1 is black.
  if (is_bits (pnm))
    value = 1 - value;
  if (picture->reply.sample_type == ODL_SAMPLE_U16)
    ((uint16_t *) picture->pixels)[at] = (uint16_t) value;
  else
    ((uint8_t *) picture->pixels)[at] = (uint8_t) value;
}

// Bits of plain PBM need no space between them.
static int64_t
next_bit (Pnm *pnm)
{
  if (!skip_blanks (pnm))
    return -1;
  const int bit = pnm->data[pnm->at++] - '0';
  return bit == 0 || bit == 1 ? bit : -1;
}

// Each returns the number of samples that are there.

static size_t
read_plain (Pnm *pnm, OdlPicture *picture, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const int64_t value = is_bits (pnm) ? next_bit (pnm) : next_number (pnm);
    if (value < 0)
      return i;
    put (pnm, picture, i, (uint32_t) value);
  }
  return n;
}

static size_t
read_bits (Pnm *pnm, OdlPicture *picture)
{
  const uint32_t stride = (pnm->width + 7) / 8;
  const size_t rows = MIN ((pnm->size - pnm->at) / stride, pnm->height);

  for (size_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < pnm->width; x++) {
      const uint8_t byte = pnm->data[pnm->at + y * stride + x / 8];
      put (pnm, picture, y * pnm->width + x, byte >> (7 - x % 8) & 1);
    }
  return rows * pnm->width;
}

static size_t
read_packed (Pnm *pnm, OdlPicture *picture, size_t n)
{
  const size_t bytes = pnm->greatest > 255 ? 2 : 1;
  const uint8_t *at = pnm->data + pnm->at;

  n = MIN (n, (pnm->size - pnm->at) / bytes);
  for (size_t i = 0; i < n; i++, at += bytes)
    put (pnm, picture, i, bytes == 2 ? (uint32_t) (at[0] << 8 | at[1]) : at[0]);
  return n;
}

// The lowest row comes first in the file.
static size_t
read_floats (Pnm *pnm, OdlPicture *picture)
{
  const bool swap = (pnm->greatest > 0) == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  const size_t row = (size_t) pnm->width * (size_t) pnm->channels;
  const size_t rows = MIN ((pnm->size - pnm->at) / 4 / row, pnm->height);
  uint32_t *pixels = picture->pixels;

  for (size_t y = 0; y < rows; y++) {
    uint32_t *to = pixels + (pnm->height - 1 - y) * row;
    memcpy (to, pnm->data + pnm->at + y * row * 4, row * 4);
    for (size_t x = 0; x < row && swap; x++)
      to[x] = GUINT32_SWAP_LE_BE (to[x]);
  }
  return rows * row;
}

static size_t
read_samples (Pnm *pnm, OdlPicture *picture, size_t n)
{
  if (is_float (pnm))
    return read_floats (pnm, picture);
  if (pnm->kind == '4')
    return read_bits (pnm, picture);
  return pnm->kind < '4' ? read_plain (pnm, picture, n) : read_packed (pnm, picture, n);
}

static size_t
packed_bytes (const Pnm *pnm)
{
  const size_t row = (size_t) pnm->width * (size_t) pnm->channels;

  if (pnm->kind == '4')
    return (size_t) (pnm->width + 7) / 8 * pnm->height;
  return row * pnm->height * (is_float (pnm) ? 4 : pnm->greatest > 255 ? 2 : 1);
}

// Packed pictures may follow each other, mostly with nothing in between; plain ones are
// alone.
static bool
has_others (Pnm *pnm)
{
  if (pnm->kind >= '1' && pnm->kind <= '3')
    return false;
  pnm->at += packed_bytes (pnm);
  return skip_blanks (pnm) && pnm->size - pnm->at >= 3 && pnm->data[pnm->at] == 'P'
         && strchr ("1234567fF", pnm->data[pnm->at + 1]) != NULL
         && g_ascii_isspace (pnm->data[pnm->at + 2]);
}

static OdlSampleType
sample_type (const Pnm *pnm)
{
  if (is_float (pnm))
    return ODL_SAMPLE_F32;
  return pnm->greatest > 255 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8;
}

bool
odl_decode_pnm (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  Pnm pnm = { .data = input->data, .size = input->size };

  if (input->size < 3)
    return damaged (error);
  if (!read_header (&pnm, error))
    return false;
  const OdlPictureShape shape
      = { pnm.width, pnm.height, pnm.channels, sample_type (&pnm) };
  if (odl_picture_allocate (picture, &shape, 0, error) == NULL)
    return false;
  const size_t n = (size_t) pnm.width * pnm.height * (size_t) pnm.channels;
  const size_t n_there = read_samples (&pnm, picture, n);
  if (n_there == 0)
    return damaged (error);
  if (is_float (&pnm))
    odl_picture_finish_floats (picture, NULL);
  else
    picture->reply.stored_max = pnm.greatest;
  if (n_there < n)
    odl_picture_incomplete (picture, _ ("the image data is damaged or ends too early"));
  else if (has_others (&pnm))
    odl_picture_warn_of_others (picture);
  odl_picture_set_format (picture, is_float (&pnm) ? "PFM" : "PNM");
  return true;
}
