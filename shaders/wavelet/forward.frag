// SPDX-License-Identifier: MIT
// Analysis along AXIS, low- and high-pass together: texel m of the output along that axis holds
// low[m] and high[m] of n input samples. low_taps weight the even samples 2 (m + LOW_FIRST + d),
// high_taps the odd ones 2 (m + HIGH_FIRST + d) + 1; .x for low, .y for high.
//   grey, AXIS 0  R (picture, or LL of bands)   -> RG (low, high)
//   grey, AXIS 1  RG (low, high along x)        -> RGBA (LL, LH, HL, HH)
//   COLOUR        RGB                           -> two targets, low and high
#include "include/border.glsl"
#include "include/store.glsl"
#include "include/reversible.glsl"
#include "include/texel.glsl"

#if defined COLOUR
#define VALUE vec3
#define READ(texel) (texel).rgb
layout (location = 0) out vec4 low_out;
layout (location = 1) out vec4 high_out;
#elif AXIS == 0
#define VALUE float
#define READ(texel) (texel).r
layout (location = 0) out vec4 both_out;
#else
#define VALUE vec2
#define READ(texel) (texel).rg
layout (location = 0) out vec4 both_out;
#endif

uniform sampler2D source;
uniform int n;
uniform vec2 low_taps[LOW_SIZE];
uniform vec2 high_taps[HIGH_SIZE];

VALUE sample_at (ivec2 p, int index)
{
  p[AXIS] = FOLD (index, n);
  return INSIDE (p[AXIS]) ? READ (TEXEL (source, p)) : VALUE (0.0);
}

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  int m = p[AXIS];
  VALUE low = VALUE (0.0);
  VALUE high = VALUE (0.0);
#ifdef REVERSIBLE
  VALUE x[5];
  for (int k = 0; k < 5; k++)
    x[k] = whole (sample_at (p, 2 * m - 2 + k));
  VALUE before = x[1] - LIFT_DETAIL (x[0], x[2]);
  high = x[3] - LIFT_DETAIL (x[2], x[4]);
  low = quantum * (x[2] + LIFT_APPROX (before, high));
  high *= quantum;
#else
  for (int d = LOW_BEGIN; d < LOW_END; d++) {
    VALUE value = sample_at (p, 2 * (m + LOW_FIRST + d));
    low += low_taps[d].x * value;
    high += low_taps[d].y * value;
  }
  for (int d = HIGH_BEGIN; d < HIGH_END; d++) {
    VALUE value = sample_at (p, 2 * (m + HIGH_FIRST + d) + 1);
    low += high_taps[d].x * value;
    high += high_taps[d].y * value;
  }
#endif
#if defined COLOUR
  low_out = store (vec4 (low, 1.0));
  high_out = store (vec4 (high, 1.0));
#elif AXIS == 0
  both_out = store (vec4 (low, high, 0.0, 1.0));
#else
  both_out = store (vec4 (low.x, high.x, low.y, high.y));
#endif
}
