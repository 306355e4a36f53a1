// SPDX-License-Identifier: MIT
// The taps of the filter envelope.
#pragma once

#include <math.h>

#define ODL_HILBERT_MOST 127 // taps

// Tap k, odd, of a Hilbert transform of `length` taps: that of −k is its negative, those
// of even k are 0.
static inline double
odl_hilbert_tap (int length, int k)
{
  return 2 / (M_PI * k) * (0.54 + 0.46 * cos (M_PI * k / (length / 2)));
}
