// SPDX-License-Identifier: MIT
// TIFF files with 32-bit float values.
#pragma once

#include "output/output.h"
#include "output/values.h"

G_BEGIN_DECLS

// Writes values, as odl_values_row has them. ODL_ERROR_IO, ODL_ERROR_TOO_LARGE; errors of
// the rows. Any thread.
bool odl_tiff_encode (OdlOutput *output, const OdlValues *values, GError **error);

G_END_DECLS
