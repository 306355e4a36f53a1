// SPDX-License-Identifier: MIT
// OpenEXR files with 32-bit float values.
#pragma once

#include "output/output.h"
#include "output/values.h"

// Writes values, as odl_values_row has them, compressed without loss: channels Y, or R,
// G, B and A. Coefficients go into a part for each band, of its size, with names such as
// "level1.HL" or, of the dual tree, "level1.75" and "level1.-75"; the first part is what
// is left of the picture, "level3.LL". Consumes the rows. ODL_ERROR_IO,
// ODL_ERROR_TOO_LARGE; errors of the rows. Any thread.
bool odl_exr_encode (OdlOutput *output, const OdlValues *values, GError **error);
