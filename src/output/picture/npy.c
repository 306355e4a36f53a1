// SPDX-License-Identifier: MIT
#include "output/picture/npy.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

static const char *const types[] = {
  [ODL_NUMBER_BOOL] = "b1", [ODL_NUMBER_U8] = "u1",  [ODL_NUMBER_S8] = "i1",
  [ODL_NUMBER_U16] = "u2",  [ODL_NUMBER_S16] = "i2", [ODL_NUMBER_U32] = "u4",
  [ODL_NUMBER_S32] = "i4",  [ODL_NUMBER_U64] = "u8", [ODL_NUMBER_S64] = "i8",
  [ODL_NUMBER_F16] = "f2",  [ODL_NUMBER_F32] = "f4", [ODL_NUMBER_F64] = "f8",
};

static const OdlNumberRoom npy_room
    = { .types = ODL_HOLDS (ODL_NUMBER_BOOL) | ODL_HOLDS_WHOLE
                 | ODL_HOLDS (ODL_NUMBER_F16) | ODL_HOLDS_FLOATS };

void
odl_npy_head (OdlNumberType type, const char *sides, char head[ODL_NPY_HEAD])
{
  const char *order = odl_number_size (type) == 1       ? "|"
                      : G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<"
                                                        : ">";
  g_autofree char *words
      = g_strdup_printf ("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }",
                         order, types[type], sides);

  memset (head, ' ', ODL_NPY_HEAD);
  memcpy (head, "\x93NUMPY\x01\x00", 8);
  head[8] = (char) (ODL_NPY_HEAD - 10);
  head[9] = 0;
  memcpy (head + 10, words, MIN (strlen (words), ODL_NPY_HEAD - 11));
  head[ODL_NPY_HEAD - 1] = '\n';
}

static bool
write_header (OdlOutput *output,
              const OdlImageInfo *result,
              OdlNumberType type,
              int height,
              GError **error)
{
  g_autofree char *channels
      = result->channels > 1 ? g_strdup_printf (", %d", result->channels) : g_strdup ("");
  g_autofree char *sides
      = g_strdup_printf ("%d, %d%s", height, result->extent.x, channels);
  char head[ODL_NPY_HEAD];

  odl_npy_head (type, sides, head);
  return odl_output_write (output, head, sizeof head, error);
}

bool
odl_npy_encode (OdlOutput *output, const OdlValues *values, GError **error)
{
  OdlRows *rows = values->rows;
  const OdlImageInfo *result = odl_image_info (rows->image);
  const OdlNumberForm form = odl_values_form (values, &npy_room, ODL_SURE_OF_THIS);
  const gsize width = (gsize) result->extent.x;
  const gsize bytes = width * (gsize) result->channels * odl_number_size (form.type);
  g_autofree double *line = g_try_new (double, width);
  g_autofree char *row = g_try_malloc (bytes);

  if (line == NULL || row == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("There is not enough memory to write the NPY file."));
  if (!write_header (output, result, form.type, rows->height, error))
    return false;
  for (;;) {
    for (int y = rows->first; y < rows->end; y++) {
      odl_values_numbers (values, &form, y, 1, line, row);
      if (!odl_output_write (output, row, bytes, error))
        return false;
    }
    if (rows->end == rows->height)
      return true;
    if (!rows->next (rows, error))
      return false;
  }
}
