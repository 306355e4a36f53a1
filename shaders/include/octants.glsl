// SPDX-License-Identifier: MIT
// Shrinks coefficients of octants 1 to 7 (src/plan/numbers.h): band (0 LL, 1 HL, 2 LH, 3 HH) of a low
// or a high slice.
#define OCTANTS
#include "include/shrink.glsl"

float threshold_of_octant (int band, bool is_high)
{
  int i = max (band + (is_high ? 4 : 0) - 1, 0); // the approximation has none, and asks
#ifdef MEASURED
  return numbers[i * BAND_NUMBERS];
#else
  return thresholds[i];
#endif
}

vec4 shrink_octant (vec4 detail, int band, bool is_high)
{
  vec2 threshold = vec2 (threshold_of_octant (band, is_high));
  return vec4 (shrink (detail.xy, threshold), shrink (detail.zw, threshold));
}
