// SPDX-License-Identifier: MIT
#include "decoder/nrrd/unpack.h"

#include <bzlib.h>
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

#define FIRST_BYTES ((size_t) 1 << 20)
#define MAX_WORD 64

bool
odl_nrrd_set_too_large (size_t limit, GError **error)
{
  g_autofree char *most = g_format_size (limit);

  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("it unpacks to more than %s, which is more memory than a file of this size may "
         "take; write it with “encoding: raw” and open the result"),
      most);
}

static bool
grow (OdlNrrdUnpacked *unpacked, size_t *room, const OdlNrrdPacked *packed)
{
  const uint64_t most = MIN (packed->wanted, packed->limit);
  const size_t wider = (size_t) MIN (MAX (2 * (uint64_t) *room, FIRST_BYTES), most);
  uint8_t *bytes = wider > *room ? g_try_realloc (unpacked->bytes, wider) : NULL;

  if (bytes == NULL)
    return false;
  unpacked->bytes = bytes;
  *room = wider;
  return true;
}

// ---- bzip2 ---------------------------------------------------------------------------

static bool
begins_stream (const bz_stream *stream)
{
  return stream->avail_in > 4 && memcmp (stream->next_in, "BZh", 3) == 0;
}

// Some programs pack blocks into a stream each, one after the other.
static bool
unpack_bzip2 (const OdlNrrdPacked *packed, OdlNrrdUnpacked *unpacked, GError **error)
{
  bz_stream stream = { .next_in = (char *) packed->from };
  size_t room = 0, taken = 0;
  bool too_large = false;
  int result = BZ2_bzDecompressInit (&stream, 0, 0);

  while (result == BZ_OK && unpacked->n < packed->wanted) {
    if (unpacked->n == room && !grow (unpacked, &room, packed)) {
      too_large = true;
      break;
    }
    if (stream.avail_in == 0) {
      stream.avail_in = (unsigned) MIN (packed->size - taken, (size_t) 1 << 30);
      taken += stream.avail_in;
    }
    const unsigned free = (unsigned) MIN (room - unpacked->n, (size_t) 1 << 30);
    const unsigned before = stream.avail_in;
    stream.next_out = (char *) unpacked->bytes + unpacked->n;
    stream.avail_out = free;
    result = BZ2_bzDecompress (&stream);
    unpacked->n += free - stream.avail_out;
    if (result == BZ_STREAM_END && begins_stream (&stream)) {
      bz_stream next = { .next_in = stream.next_in, .avail_in = stream.avail_in };
      BZ2_bzDecompressEnd (&stream);
      stream = next;
      result = BZ2_bzDecompressInit (&stream, 0, 0);
    } else if (result == BZ_OK && before == stream.avail_in && stream.avail_out == free) {
      result = BZ_UNEXPECTED_EOF;
    }
  }
  BZ2_bzDecompressEnd (&stream);
  unpacked->is_damaged = result != BZ_OK && result != BZ_STREAM_END;
  return !too_large || odl_nrrd_set_too_large (packed->limit, error);
}

// ---- text ----------------------------------------------------------------------------

static const struct {
  int64_t least;
  uint64_t most;
} limits[] = {
  [ODL_META_U8] = { 0, G_MAXUINT8 },   [ODL_META_S8] = { G_MININT8, G_MAXINT8 },
  [ODL_META_U16] = { 0, G_MAXUINT16 }, [ODL_META_S16] = { G_MININT16, G_MAXINT16 },
  [ODL_META_U32] = { 0, G_MAXUINT32 }, [ODL_META_S32] = { G_MININT32, G_MAXINT32 },
  [ODL_META_U64] = { 0, G_MAXUINT64 }, [ODL_META_S64] = { G_MININT64, G_MAXINT64 },
};

// A whole number that does not fit is the nearest that does. False: it is no number.
static bool
read_whole (const char *word, OdlMetaSample sample, uint64_t *bits)
{
  char *end = NULL;
  const bool is_negative = word[0] == '-';

  if (is_negative) {
    const int64_t number = g_ascii_strtoll (word, &end, 10);
    *bits = (uint64_t) MAX (number, limits[sample].least);
  } else {
    const uint64_t number = g_ascii_strtoull (word, &end, 10);
    *bits = MIN (number, limits[sample].most);
  }
  if (end != word && *end == '\0')
    return true;
  // As floats: "7.9", "1e3", "nan".
  const double number = g_ascii_strtod (word, &end);
  if (end == word || *end != '\0')
    return false;
  const double least = (double) limits[sample].least;
  *bits = isnan (number)                           ? 0
          : number <= least                        ? (uint64_t) limits[sample].least
          : number >= (double) limits[sample].most ? limits[sample].most
          : number < 0                             ? (uint64_t) (int64_t) number
                                                   : (uint64_t) number;
  return true;
}

static bool
put_word (const char *word, const OdlMetaType *type, uint8_t *to)
{
  char *end = NULL;
  uint64_t bits = 0;

  if (type->sample == ODL_META_F32 || type->sample == ODL_META_F64) {
    const double number = g_ascii_strtod (word, &end);
    const float rounded = (float) number;
    if (end == word || *end != '\0')
      return false;
    if (type->sample == ODL_META_F32)
      memcpy (to, &rounded, sizeof rounded);
    else
      memcpy (to, &number, sizeof number);
    return true;
  }
  if (!read_whole (word, type->sample, &bits))
    return false;
  // The lowest bytes, in the order of this machine.
  const uint8_t *from = (const uint8_t *) &bits;
  memcpy (to, G_BYTE_ORDER == G_BIG_ENDIAN ? from + 8 - type->size : from, type->size);
  return true;
}

static bool
is_between (char c)
{
  return g_ascii_isspace (c) || c == ',';
}

// Numbers between blanks or commas; what is none ends them. Each takes two bytes of the
// file at least.
static bool
unpack_text (const OdlMetaType *type,
             const OdlNrrdPacked *packed,
             OdlNrrdUnpacked *unpacked,
             GError **error)
{
  const char *text = (const char *) packed->from;
  size_t room = 0, at = 0;

  while (unpacked->n < packed->wanted) {
    char word[MAX_WORD];
    size_t n = 0;
    while (at < packed->size && is_between (text[at]))
      at++;
    while (at < packed->size && n < MAX_WORD - 1 && !is_between (text[at]))
      word[n++] = text[at++];
    word[n] = '\0';
    if (n == 0)
      return true;
    if (unpacked->n + type->size > room
        && (!grow (unpacked, &room, packed) || unpacked->n + type->size > room))
      return odl_nrrd_set_too_large (packed->limit, error);
    unpacked->is_damaged = !put_word (word, type, unpacked->bytes + unpacked->n);
    if (unpacked->is_damaged)
      return true;
    unpacked->n += type->size;
  }
  return true;
}

// ---- hexadecimal digits --------------------------------------------------------------

static bool
unpack_hex (const OdlNrrdPacked *packed, OdlNrrdUnpacked *unpacked, GError **error)
{
  const char *text = (const char *) packed->from;
  size_t room = 0;
  int high = -1;

  for (size_t at = 0; at < packed->size && unpacked->n < packed->wanted; at++) {
    if (g_ascii_isspace (text[at]))
      continue;
    const int digit = g_ascii_xdigit_value (text[at]);
    unpacked->is_damaged = digit < 0;
    if (digit < 0)
      return true;
    if (high < 0) {
      high = digit;
      continue;
    }
    if (unpacked->n == room && !grow (unpacked, &room, packed))
      return odl_nrrd_set_too_large (packed->limit, error);
    unpacked->bytes[unpacked->n++] = (uint8_t) (high << 4 | digit);
    high = -1;
  }
  return true;
}

bool
odl_nrrd_unpack (const OdlNrrdHeader *header,
                 const OdlNrrdPacked *packed,
                 OdlNrrdUnpacked *unpacked,
                 GError **error)
{
  switch (header->encoding) {
  case ODL_NRRD_BZIP2:
    return unpack_bzip2 (packed, unpacked, error);
  case ODL_NRRD_TEXT:
    return unpack_text (header->type, packed, unpacked, error);
  default:
    return unpack_hex (packed, unpacked, error);
  }
}
