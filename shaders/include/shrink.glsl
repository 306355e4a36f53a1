// SPDX-License-Identifier: MIT
// Soft thresholding, or hard where `hard` is 1. A threshold of 0 changes nothing.
uniform float threshold;
uniform float hard;

vec2 shrink (vec2 detail)
{
  vec2 soft = detail - clamp (detail, -threshold, threshold);
  vec2 kept = mix (vec2 (0.0), detail, greaterThan (abs (detail), vec2 (threshold)));
  return hard > 0.5 ? kept : soft;
}
