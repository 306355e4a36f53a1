// SPDX-License-Identifier: MIT
#include "output/picture/npy.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

// The numbers begin at a multiple of this (NumPy Enhancement Proposal 1).
#define HEADER_BYTES 128

static bool
write_header (OdlOutput *output, const OdlImageInfo *result, int height, GError **error)
{
  const char *order = G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<" : ">";
  g_autofree char *channels
      = result->channels > 1 ? g_strdup_printf (", %d", result->channels) : g_strdup ("");
  g_autofree char *words = g_strdup_printf (
      "{'descr': '%sf4', 'fortran_order': False, 'shape': (%d, %d%s), }", order, height,
      result->extent.x, channels);
  char header[HEADER_BYTES];

  memset (header, ' ', sizeof header);
  memcpy (header, "\x93NUMPY\x01\x00", 8);
  header[8] = (char) (HEADER_BYTES - 10);
  header[9] = 0;
  memcpy (header + 10, words, strlen (words));
  header[HEADER_BYTES - 1] = '\n';
  return odl_output_write (output, header, sizeof header, error);
}

bool
odl_npy_encode (OdlOutput *output, const OdlValues *values, GError **error)
{
  OdlRows *rows = values->rows;
  const OdlImageInfo *result = odl_image_info (rows->image);
  const gsize n = (gsize) result->extent.x * result->channels;
  // One channel, then all channels.
  g_autofree float *line = g_try_new (float, n + (gsize) result->extent.x);

  if (line == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("There is not enough memory to write the NPY file."));
  float *row = line + result->extent.x;
  if (!write_header (output, result, rows->height, error))
    return false;
  for (;;) {
    for (int y = rows->first; y < rows->end; y++) {
      odl_values_row (values, y, line, row);
      if (!odl_output_write (output, row, n * sizeof *row, error))
        return false;
    }
    if (rows->end == rows->height)
      return true;
    if (!rows->next (rows, error))
      return false;
  }
}
