// SPDX-License-Identifier: MIT
// The format: NumPy Enhancement Proposal 1, versions 1 to 3.
#include "decoder/npy/npy.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/half.h"

#define WORD_BYTES 32

// The header is a dictionary as Python writes it: what is between its words may be blanks
// and line breaks, and texts may have either kind of quotes.
typedef struct {
  const char *at;
  char descr[WORD_BYTES]; // empty: none, or one that is no text
  bool has_order; // of the axes
} Header;

// What numpy.dtype takes besides letters with a number of bytes.
static const struct {
  const char *name;
  char kind;
  int bytes;
} types[] = {
  { "float16", 'f', 2 }, { "half", 'f', 2 },   { "e", 'f', 2 },
  { "float32", 'f', 4 }, { "single", 'f', 4 }, { "f", 'f', 4 },
  { "float64", 'f', 8 }, { "double", 'f', 8 }, { "float", 'f', 8 },
  { "d", 'f', 8 },       { "int8", 'i', 1 },   { "byte", 'i', 1 },
  { "b", 'i', 1 },       { "int16", 'i', 2 },  { "short", 'i', 2 },
  { "h", 'i', 2 },       { "int32", 'i', 4 },  { "intc", 'i', 4 },
  { "i", 'i', 4 },       { "int64", 'i', 8 },  { "int", 'i', 8 },
  { "q", 'i', 8 },       { "uint8", 'u', 1 },  { "ubyte", 'u', 1 },
  { "B", 'u', 1 },       { "uint16", 'u', 2 }, { "ushort", 'u', 2 },
  { "H", 'u', 2 },       { "uint32", 'u', 4 }, { "uintc", 'u', 4 },
  { "I", 'u', 4 },       { "uint64", 'u', 8 }, { "Q", 'u', 8 },
  { "bool", 'b', 1 },    { "bool_", 'b', 1 },  { "?", 'b', 1 },
};

static char
next (Header *header)
{
  while (g_ascii_isspace (*header->at))
    header->at++;
  return *header->at;
}

static bool
take (Header *header, char wanted)
{
  if (next (header) != wanted)
    return false;
  header->at++;
  return true;
}

// A text in quotes, maybe with the letter of Unicode or bytes before it. Longer ones are
// cut: no word that is known has their length.
static bool
take_text (Header *header, char text[WORD_BYTES])
{
  const char first = next (header);
  size_t n = 0;

  if (first != '\0' && strchr ("ub", first) != NULL)
    header->at++;
  const char quote = *header->at;
  if (quote != '\'' && quote != '"')
    return false;
  for (header->at++; *header->at != quote && *header->at != '\0'; header->at++)
    if (n + 1 < WORD_BYTES)
      text[n++] = *header->at;
  text[n] = '\0';
  return take (header, quote);
}

// Such as (480, 640); Python 2 wrote 480L.
static bool
take_shape (Header *header, OdlNpy *npy)
{
  if (!take (header, '('))
    return false;
  npy->n_axes = 0;
  while (g_ascii_isdigit (next (header)) && npy->n_axes < ODL_NPY_MAX_AXES) {
    char *end;
    npy->sides[npy->n_axes++] = g_ascii_strtoull (header->at, &end, 10);
    header->at = end + (*end == 'L' ? 1 : 0);
    if (!take (header, ','))
      break;
  }
  return take (header, ')');
}

static bool
take_order (Header *header, OdlNpy *npy)
{
  npy->by_columns = g_str_has_prefix (header->at, "True");
  header->has_order = npy->by_columns || g_str_has_prefix (header->at, "False");
  header->at += npy->by_columns ? strlen ("True") : strlen ("False");
  return header->has_order;
}

// False: it is no such dictionary, or says no shape. A type that is no text ends it.
static bool
take_dictionary (Header *header, OdlNpy *npy)
{
  bool has_shape = false;
  char key[WORD_BYTES];

  if (!take (header, '{'))
    return false;
  while (next (header) != '}') {
    if (!take_text (header, key) || !take (header, ':'))
      return false;
    next (header);
    if (g_str_equal (key, "descr")) {
      if (!take_text (header, header->descr))
        return true;
    } else if (g_str_equal (key, "shape")) {
      has_shape = take_shape (header, npy);
      if (!has_shape)
        return false;
    } else if (!g_str_equal (key, "fortran_order") || !take_order (header, npy)) {
      return false;
    }
    if (!take (header, ','))
      break;
  }
  return has_shape && take (header, '}');
}

// Such as <f4 or float32; without an order of bytes it is the machine's.
static bool
read_type (const char *descr, OdlNpy *npy)
{
  const bool big = G_BYTE_ORDER == G_BIG_ENDIAN;
  const bool ordered = *descr != '\0' && strchr ("<>=|", *descr) != NULL;
  const char *type = descr + (ordered ? 1 : 0);

  npy->swapped = (*descr == '>' && !big) || (*descr == '<' && big);
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (type, types[i].name)) {
      npy->kind = types[i].kind;
      npy->bytes = types[i].bytes;
      return true;
    }
  if (strlen (type) != 2 || strchr ("fiub", type[0]) == NULL
      || strchr ("1248", type[1]) == NULL)
    return false;
  npy->kind = type[0];
  npy->bytes = type[1] - '0';
  return npy->kind == 'b' ? npy->bytes == 1 : npy->kind != 'f' || npy->bytes >= 2;
}

static bool
is_object (const char *descr)
{
  return strchr ("|<>=", *descr) != NULL && *descr != '\0' ? descr[1] == 'O'
                                                           : *descr == 'O';
}

static bool
read_header (const char *text, OdlNpy *npy, GError **error)
{
  Header header = { .at = text };
  const bool complete = take_dictionary (&header, npy);

  if (is_object (header.descr) || g_str_equal (header.descr, "object"))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it holds Python objects (a pickle), which could run "
                             "programs and are never read. Save an array of numbers."));
  if (complete && (!header.has_order || !read_type (header.descr, npy)))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its NPY header names no numbers that are read here: whole "
                             "ones, truth values, or floats of 2, 4 or 8 bytes"));
  return complete
         || odl_error_set (error, ODL_ERROR_CORRUPT,
                           _ ("its NPY header does not say how many numbers there are"));
}

bool
odl_npy_begins (const uint8_t *data, size_t size)
{
  return size >= strlen (ODL_NPY_MAGIC)
         && memcmp (data, ODL_NPY_MAGIC, strlen (ODL_NPY_MAGIC)) == 0;
}

bool
odl_npy_read (const uint8_t *data, size_t size, OdlNpy *npy, GError **error)
{
  const size_t head = size > 7 && data[6] >= 2 ? 12 : 10;

  *npy = (OdlNpy){ 0 };
  if (size < head)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  const size_t length
      = data[8] + 256u * data[9]
        + (head == 12 ? 65536u * data[10] + (size_t) data[11] * 16777216u : 0);
  if (length > size - head)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("the file ends early"));
  npy->offset = head + length;
  g_autofree char *header = g_strndup ((const char *) data + head, length);
  return read_header (header, npy, error);
}

OdlNumberType
odl_npy_type (const OdlNpy *npy)
{
  static const OdlNumberType whole[][2] = {
    [1] = { ODL_NUMBER_U8, ODL_NUMBER_S8 },
    [2] = { ODL_NUMBER_U16, ODL_NUMBER_S16 },
    [4] = { ODL_NUMBER_U32, ODL_NUMBER_S32 },
    [8] = { ODL_NUMBER_U64, ODL_NUMBER_S64 },
  };

  if (npy->kind == 'b')
    return ODL_NUMBER_BOOL;
  if (npy->kind == 'f')
    return npy->bytes == 2   ? ODL_NUMBER_F16
           : npy->bytes == 4 ? ODL_NUMBER_F32
                             : ODL_NUMBER_F64;
  return whole[npy->bytes][npy->kind == 'i'];
}

void
odl_npy_copy (const OdlNpy *npy, const uint8_t *at, void *number)
{
  uint8_t *bytes = number;

  for (int i = 0; i < npy->bytes; i++)
    bytes[i] = at[npy->swapped ? npy->bytes - 1 - i : i];
}

double
odl_npy_number (const OdlNpy *npy, const uint8_t *at)
{
  uint8_t bytes[8];

  odl_npy_copy (npy, at, bytes);
  return odl_number_get (odl_npy_type (npy), bytes);
}
