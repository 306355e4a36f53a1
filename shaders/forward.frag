// SPDX-License-Identifier: MIT
// Analysis along AXIS, low- and high-pass together: texel m of the output along that axis holds
// low[m] and high[m] of the n input samples. taps[k] weighs sample 2 m + FIRST + k: .x for low,
// .y for high (which is centred on sample 2 m + 1). Whole-sample border.
//   grey, AXIS 0  R (picture, or LL of bands)   -> RG (low, high)
//   grey, AXIS 1  RG (low, high along x)        -> RGBA (LL, LH, HL, HH)
//   COLOUR        RGB                           -> two targets, low and high
#include "include/border.glsl"
#include "include/store.glsl"

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
uniform vec2 taps[COUNT];

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  int first = 2 * p[AXIS] + FIRST;
  VALUE low = VALUE (0.0);
  VALUE high = VALUE (0.0);
  for (int k = 0; k < COUNT; k++) {
    p[AXIS] = FOLD (first + k, n);
    VALUE value = READ (texelFetch (source, p, 0));
    low += taps[k].x * value;
    high += taps[k].y * value;
  }
#if defined COLOUR
  low_out = store (vec4 (low, 1.0));
  high_out = store (vec4 (high, 1.0));
#elif AXIS == 0
  both_out = store (vec4 (low, high, 0.0, 1.0));
#else
  both_out = store (vec4 (low.x, high.x, low.y, high.y));
#endif
}
