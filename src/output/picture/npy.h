// SPDX-License-Identifier: MIT
// NumPy's NPY files with 32-bit float values.
#pragma once

#include "output/output.h"
#include "output/values.h"

// Writes values, as odl_values_row has them: an array (height, width), with a last axis
// for the channels if there are several. ODL_ERROR_IO, ODL_ERROR_TOO_LARGE; errors of
// the rows. Any thread.
bool odl_npy_encode (OdlOutput *output, const OdlValues *values, GError **error);
