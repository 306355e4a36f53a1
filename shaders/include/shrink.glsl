// SPDX-License-Identifier: MIT
// Soft thresholding, or hard where `hard` is 1. A threshold of 0 changes nothing.
uniform float threshold;
uniform float hard;

vec2 shrink (vec2 detail)
{
  // Soft thresholds take off `off` at most; hard ones keep what is above `most` as it is.
  float off = hard > 0.5 ? 0.0 : threshold;
  float most = hard > 0.5 ? threshold : -1.0;
  vec2 rest = detail - clamp (detail, -off, off);
  return mix (vec2 (0.0), rest, greaterThan (abs (detail), vec2 (most)));
}
