// SPDX-License-Identifier: MIT
// Border handling by index folding. shaders/include/border.glsl holds the same
// functions; a test compares both for every index.
#pragma once

#include "wavelet/wavelet.h"

// Maps any index to 0 … n − 1 by whole-sample reflection: period 2 (n − 1), about 0 and n
// − 1. n = 1 gives 0. n >= 1.
int odl_border_fold (int index, int n);

// Index of the sample that extends a line of n >= 1 samples at position `index`: 0 … n −
// 1, or −1 for zero (ODL_BORDER_ZERO only). For periodic and zero borders n must come
// from odl_border_length. Whole-sample folding and even periods preserve the parity of
// the index, so interleaved coefficients can be folded too.
int odl_border_index (OdlBorder border, int index, int n);

// Number of samples of n that are transformed: n; for periodic and zero borders the
// largest even number, if n > 1. A remaining sample is copied.
int odl_border_length (OdlBorder border, int n);
