// SPDX-License-Identifier: MIT
// Borders by index folding. shaders/include/border.glsl holds the same functions; a test
// compares them index by index.
#pragma once

#include "wavelet/wavelet.h"

// Maps any index to 0 … n − 1 by whole-sample reflection: period 2 (n − 1), about 0 and n
// − 1. n = 1 gives 0. n >= 1.
int odl_border_fold (int index, int n);

// The sample that stands at any index of a line of n >= 1 samples: 0 … n − 1, or −1 where
// it counts as zero (ODL_BORDER_ZERO only). For periodic and zero borders n is the length
// that odl_border_length gives. Whole-sample folding and periods of even length keep the
// parity of an index, so that it serves interleaved coefficients as well.
int odl_border_index (OdlBorder border, int index, int n);

// How many of n samples are transformed: n; for periodic and zero borders the even part
// of it when n > 1. What is left, one sample at most, is copied.
int odl_border_length (OdlBorder border, int n);
