// SPDX-License-Identifier: MIT
// Synthesis along AXIS with the interleaved kernels: output sample c of n, with m = c >> 1, is
//   sum over d of low_taps[d] low[m + LOW_FIRST + d] + high_taps[d] high[m + HIGH_FIRST + d],
// where the .x taps are for even c and the .y taps for odd c. With PARITY 0 or 1 the geometry
// (lines.vert) covers only samples of that parity; otherwise each sample selects its taps. The border
// folds the index in the interleaved signal (low[i] is sample 2 i, high[i] is 2 i + 1).
//   grey, AXIS 1    approx R (LL), details RGBA (-, LH, HL, HH) -> RG (low, high along x)
//   grey, AXIS 0    RG (low, high along x)                      -> R
//   COLOUR, AXIS 1  four textures                               -> two targets (low, high)
//   COLOUR, AXIS 0  two textures                                -> RGB
#include "include/border.glsl"
#include "include/store.glsl"
#include "include/reversible.glsl"
#include "include/texel.glsl"

uniform int n;
uniform vec2 low_taps[LOW_SIZE];
uniform vec2 high_taps[HIGH_SIZE];

// Index of sample 2 i or 2 i + 1 of the interleaved signal in its band; -1 stays -1.
#if defined INTERIOR || defined MIRROR
#define PLACE(i, odd) (i)
#else
#define PLACE(i, odd) (FOLD (2 * (i) + odd, n) >> 1)
#endif

#if defined COLOUR && AXIS == 1
#define VALUE mat2x3
uniform sampler2D approx;
uniform sampler2D lh;
uniform sampler2D hl;
uniform sampler2D hh;
#define LOW(p) mat2x3 (TEXEL (approx, p).rgb, TEXEL (hl, p).rgb)
#define HIGH(p) mat2x3 (TEXEL (lh, p).rgb, TEXEL (hh, p).rgb)
layout (location = 0) out vec4 low_out;
layout (location = 1) out vec4 high_out;
#elif defined COLOUR
#define VALUE vec3
uniform sampler2D low;
uniform sampler2D high;
#define LOW(p) TEXEL (low, p).rgb
#define HIGH(p) TEXEL (high, p).rgb
layout (location = 0) out vec4 result;
#elif AXIS == 1
#define VALUE vec2
uniform sampler2D approx;
uniform sampler2D details;
#define LOW(p) vec2 (TEXEL (approx, p).r, TEXEL (details, p).b)
#define HIGH(p) TEXEL (details, p).ga
layout (location = 0) out vec4 result;
#else
#define VALUE float
uniform sampler2D halves;
#define LOW(p) TEXEL (halves, p).r
#define HIGH(p) TEXEL (halves, p).g
layout (location = 0) out vec4 result;
#endif

VALUE low_at (ivec2 p, int i)
{
  p[AXIS] = PLACE (i, 0);
  if (INSIDE (p[AXIS]))
    return LOW (p);
  return VALUE (0.0);
}

VALUE high_at (ivec2 p, int i)
{
  p[AXIS] = PLACE (i, 1);
  if (INSIDE (p[AXIS]))
    return HIGH (p);
  return VALUE (0.0);
}

#if !defined PARITY
#define TAP(tap) (odd ? (tap).y : (tap).x)
#elif PARITY == 0
#define TAP(tap) (tap).x
#else
#define TAP(tap) (tap).y
#endif

#ifdef REVERSIBLE
VALUE restored (ivec2 p, int m, bool odd)
{
  VALUE detail = whole (high_at (p, m));
  VALUE even = whole (low_at (p, m)) - LIFT_APPROX (whole (high_at (p, m - 1)), detail);
  if (!odd)
    return quantum * even;
  VALUE next = whole (low_at (p, m + 1)) - LIFT_APPROX (detail, whole (high_at (p, m + 1)));
  return quantum * (detail + LIFT_DETAIL (even, next));
}
#endif

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  int m = p[AXIS] >> 1;
#ifdef PARITY
  const bool odd = PARITY == 1;
#else
  bool odd = (p[AXIS] & 1) == 1;
#endif
#ifdef REVERSIBLE
  VALUE sum = restored (p, m, odd);
#else
  VALUE sum = VALUE (0.0);
  for (int d = LOW_BEGIN; d < LOW_END; d++)
    sum += TAP (low_taps[d]) * low_at (p, m + LOW_FIRST + d);
  for (int d = HIGH_BEGIN; d < HIGH_END; d++)
    sum += TAP (high_taps[d]) * high_at (p, m + HIGH_FIRST + d);
#endif
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
