// SPDX-License-Identifier: MIT
// TIFF files that hold values: 32-bit floats.
#pragma once

#include "image/rows.h"
#include "output/output.h"

G_BEGIN_DECLS

typedef struct {
  const OdlImage *source; // as it came: its value map and range give the result a meaning
  OdlRows *rows; // of the result, which are used up; their scaled samples count
  int approx_width, approx_height; // of the plan: beyond stand detail coefficients
  const char *description; // recipe and engine, ASCII
} OdlValues;

// In the unit of the source's value map; detail coefficients in the same scale, without
// an offset. Alpha is scaled like a colour without a value map. Errors: ODL_ERROR_IO,
// ODL_ERROR_TOO_LARGE, those of the rows. Any thread.
bool odl_tiff_encode (OdlOutput *output, const OdlValues *values, GError **error);

G_END_DECLS
