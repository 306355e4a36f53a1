// SPDX-License-Identifier: MIT
// The format: NumPy Enhancement Proposal 1, versions 1 to 3.
#include "decoder/npy/npy.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "decoder/half.h"

// What follows the key in the text of a dictionary; NULL: it has no such key.
static const char *
value_of (const char *header, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s':", key);
  const char *found = strstr (header, quoted);

  return found != NULL ? found + strlen (quoted) + strspn (found + strlen (quoted), " ")
                       : NULL;
}

// Such as '<f4': order of the bytes, kind, and bytes of a number.
static bool
is_known_type (const char *descr)
{
  if (descr == NULL || strlen (descr) < 5 || descr[0] != '\''
      || strchr ("<>=|", descr[1]) == NULL || strchr ("fiub", descr[2]) == NULL
      || strchr ("1248", descr[3]) == NULL || descr[4] != '\'')
    return false;
  return descr[2] == 'b' ? descr[3] == '1' : descr[2] != 'f' || descr[3] >= '2';
}

static bool
read_type (const char *header, OdlNpy *npy, GError **error)
{
  const char *descr = value_of (header, "descr");
  const char *order = value_of (header, "fortran_order");
  const bool big = G_BYTE_ORDER == G_BIG_ENDIAN;

  if (descr != NULL
      && (g_str_has_prefix (descr, "'|O") || g_str_has_prefix (descr, "'O")))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it holds Python objects (a pickle), which could run "
                             "programs and are never read. Save an array of numbers."));
  if (!is_known_type (descr) || order == NULL)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its NPY header names no numbers that are read here: whole "
                             "ones, truth values, or floats of 2, 4 or 8 bytes"));
  npy->kind = descr[2];
  npy->bytes = descr[3] - '0';
  npy->swapped = (descr[1] == '>' && !big) || (descr[1] == '<' && big);
  npy->by_columns = g_str_has_prefix (order, "True");
  return true;
}

// Such as (480, 640).
static bool
read_shape (const char *header, OdlNpy *npy, GError **error)
{
  const char *at = value_of (header, "shape");

  at = at != NULL && *at == '(' ? at + 1 : "";
  while (g_ascii_isdigit (*at) && npy->n_axes < ODL_NPY_MAX_AXES) {
    char *end;
    npy->sides[npy->n_axes++] = g_ascii_strtoull (at, &end, 10);
    at = end + strspn (end, " ,");
  }
  return *at == ')'
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
  return read_type (header, npy, error) && read_shape (header, npy, error);
}

double
odl_npy_number (const OdlNpy *npy, const uint8_t *at)
{
  uint8_t bytes[8] = { 0 };
  union {
    uint8_t bytes[8];
    float f4;
    double f8;
    int8_t i1;
    int16_t i2;
    int32_t i4;
    int64_t i8;
    uint16_t u2;
    uint32_t u4;
    uint64_t u8;
  } all;

  for (int i = 0; i < npy->bytes; i++)
    bytes[i] = at[npy->swapped ? npy->bytes - 1 - i : i];
  memcpy (all.bytes, bytes, sizeof bytes);
  if (npy->kind == 'f')
    return npy->bytes == 2 ? odl_half_to_float (all.u2) : npy->bytes == 4 ? all.f4 : all.f8;
  if (npy->kind == 'i')
    return npy->bytes == 1   ? all.i1
           : npy->bytes == 2 ? all.i2
           : npy->bytes == 4 ? all.i4
                             : (double) all.i8;
  return npy->bytes == 1   ? bytes[0]
         : npy->bytes == 2 ? all.u2
         : npy->bytes == 4 ? all.u4
                           : (double) all.u8;
}
