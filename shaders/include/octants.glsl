// SPDX-License-Identifier: MIT
// Shrinks coefficients of a band (0 LL, 1 HL, 2 LH, 3 HH) of a low or high slice of octants, as
// src/plan/step.h says: thresholds of the high slices are twice those of the low ones, and LL of
// the high slices, which is no approximation there, has that of HL in the low ones.
#include "include/shrink.glsl"

vec4 shrink_octant (vec4 detail, int band, bool is_high)
{
  vec2 threshold = vec2 (thresholds[max (band - 1, 0)] * (is_high && band > 0 ? 2.0 : 1.0));
  return vec4 (shrink (detail.xy, threshold), shrink (detail.zw, threshold));
}
