// SPDX-License-Identifier: MIT
// Soft thresholding, or hard if `hard` is 1; or by RULE. A threshold of 0 changes nothing. With
// MEASURED, thresholds come from measure/bayes.comp.
#include "include/rule.glsl"
#ifdef MEASURED
layout (std430, binding = 3) restrict readonly buffer Numbers { float numbers[]; };
#endif
#ifdef OCTANTS
#ifndef MEASURED
uniform float thresholds[7]; // of octants 1 to 7
#endif
#elif defined MEASURED
#define thresholds (vec3 (numbers[0], numbers[BAND_NUMBERS], numbers[2 * BAND_NUMBERS]))
#else
uniform vec3 thresholds; // of HL, LH, HH
#endif
uniform float hard;

vec2 shrink (vec2 detail, vec2 threshold)
{
#if RULE > 0
  return detail * SHARE_OF (abs (detail), threshold);
#else
  // Soft: subtract at most `off`; hard: keep what is above `most`.
  vec2 off = hard > 0.5 ? vec2 (0.0) : threshold;
  vec2 most = hard > 0.5 ? threshold : vec2 (-1.0);
  vec2 rest = detail - clamp (detail, -off, off);
  return mix (vec2 (0.0), rest, greaterThan (abs (detail), most));
#endif
}
