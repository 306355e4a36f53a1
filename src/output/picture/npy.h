// SPDX-License-Identifier: MIT
// NumPy's NPY files.
#pragma once

#include "output/output.h"
#include "output/values.h"

// Bytes before the numbers, which begin at a multiple of 64 (NumPy Enhancement Proposal
// 1).
#define ODL_NPY_HEAD 128

// What stands there; `sides` are those of the array, "480, 640", five at most.
void odl_npy_head (OdlNumberType type, const char *sides, char head[ODL_NPY_HEAD]);

// Writes values, as odl_values_row has them: an array (height, width), with a last axis
// for the channels if there are several. ODL_ERROR_IO, ODL_ERROR_TOO_LARGE; errors of
// the rows. Any thread.
bool odl_npy_encode (OdlOutput *output, const OdlValues *values, GError **error);
