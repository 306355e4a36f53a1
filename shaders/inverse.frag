// SPDX-License-Identifier: MIT
// Synthesis along AXIS with the interleaved kernels: output sample c of n, m = c >> 1, is
//   sum over d of low_taps[d] low[m + LOW_FIRST + d] + high_taps[d] high[m + HIGH_FIRST + d],
// where the .x taps are for even c and the .y taps for odd c. With PARITY 0 or 1 the geometry
// (lines.vert) covers only samples of that parity; without, each sample picks its taps. The
// border folds the index in the interleaved signal (low[i] is sample 2 i, high[i] 2 i + 1).
//   grey, AXIS 1    approx R (LL), details RGBA (-, LH, HL, HH) -> RG (low, high along x)
//   grey, AXIS 0    RG (low, high along x)                      -> R
//   COLOUR, AXIS 1  four textures                               -> two targets (low, high)
//   COLOUR, AXIS 0  two textures                                -> RGB
#include "include/border.glsl"
#include "include/store.glsl"

// Place of sample 2 i or 2 i + 1 of the interleaved signal in its band.
#ifdef INTERIOR
#define LOW_AT(i) (i)
#define HIGH_AT(i) (i)
#else
#define LOW_AT(i) (FOLD (2 * (i), n) >> 1)
#define HIGH_AT(i) (FOLD (2 * (i) + 1, n) >> 1)
#endif

uniform int n;
uniform vec2 low_taps[LOW_SIZE];
uniform vec2 high_taps[HIGH_SIZE];

#if !defined PARITY
#define TAP(tap) (odd ? (tap).y : (tap).x)
#elif PARITY == 0
#define TAP(tap) (tap).x
#else
#define TAP(tap) (tap).y
#endif

#if defined COLOUR && AXIS == 1
#define VALUE mat2x3
uniform sampler2D approx;
uniform sampler2D lh;
uniform sampler2D hl;
uniform sampler2D hh;
#define LOW(p) mat2x3 (texelFetch (approx, p, 0).rgb, texelFetch (hl, p, 0).rgb)
#define HIGH(p) mat2x3 (texelFetch (lh, p, 0).rgb, texelFetch (hh, p, 0).rgb)
layout (location = 0) out vec4 low_out;
layout (location = 1) out vec4 high_out;
#elif defined COLOUR
#define VALUE vec3
uniform sampler2D low;
uniform sampler2D high;
#define LOW(p) texelFetch (low, p, 0).rgb
#define HIGH(p) texelFetch (high, p, 0).rgb
layout (location = 0) out vec4 result;
#elif AXIS == 1
#define VALUE vec2
uniform sampler2D approx;
uniform sampler2D details;
#define LOW(p) vec2 (texelFetch (approx, p, 0).r, texelFetch (details, p, 0).b)
#define HIGH(p) texelFetch (details, p, 0).ga
layout (location = 0) out vec4 result;
#else
#define VALUE float
uniform sampler2D halves;
#define LOW(p) texelFetch (halves, p, 0).r
#define HIGH(p) texelFetch (halves, p, 0).g
layout (location = 0) out vec4 result;
#endif

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  int m = p[AXIS] >> 1;
#ifndef PARITY
  bool odd = (p[AXIS] & 1) == 1;
#endif
  VALUE sum = VALUE (0.0);
  for (int d = LOW_BEGIN; d < LOW_END; d++) {
    p[AXIS] = LOW_AT (m + LOW_FIRST + d);
    sum += TAP (low_taps[d]) * LOW (p);
  }
  for (int d = HIGH_BEGIN; d < HIGH_END; d++) {
    p[AXIS] = HIGH_AT (m + HIGH_FIRST + d);
    sum += TAP (high_taps[d]) * HIGH (p);
  }
#if defined COLOUR && AXIS == 1
  low_out = store (vec4 (sum[0], 1.0));
  high_out = store (vec4 (sum[1], 1.0));
#elif defined COLOUR
  result = store (vec4 (sum, 1.0));
#elif AXIS == 1
  result = store (vec4 (sum, 0.0, 1.0));
#else
  result = store (vec4 (sum));
#endif
}
