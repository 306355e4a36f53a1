// SPDX-License-Identifier: MIT
// Soft thresholding, or hard where `hard` is 1. A threshold of 0 changes nothing.
uniform vec3 thresholds; // of HL, LH, HH
uniform float hard;

vec2 shrink (vec2 detail, vec2 threshold)
{
  // Soft thresholds take off `off` at most; hard ones keep what is above `most` as it is.
  vec2 off = hard > 0.5 ? vec2 (0.0) : threshold;
  vec2 most = hard > 0.5 ? threshold : vec2 (-1.0);
  vec2 rest = detail - clamp (detail, -off, off);
  return mix (vec2 (0.0), rest, greaterThan (abs (detail), most));
}
