// SPDX-License-Identifier: MIT
// TIFF files with 32-bit float values.
#pragma once

#include "image/rows.h"
#include "output/output.h"

G_BEGIN_DECLS

typedef struct {
  const OdlImage
      *source; // unprocessed: its value map and range define the unit of the result
  OdlRows *rows; // of the result; consumed
  int approx_width, approx_height; // of the plan: detail coefficients lie beyond
  const char *description; // recipe and engine, ASCII
} OdlValues;

// Writes values in the unit of the source's value map; detail coefficients in the same
// scale without offset. Alpha is scaled like a colour without a value map.
// ODL_ERROR_IO, ODL_ERROR_TOO_LARGE; errors of the rows. Any thread.
bool odl_tiff_encode (OdlOutput *output, const OdlValues *values, GError **error);

G_END_DECLS
