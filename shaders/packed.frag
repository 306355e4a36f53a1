// SPDX-License-Identifier: MIT
// Analysis or synthesis along AXIS of 2 x 2 samples a texel: pair m of the output is, of the even
// samples e and odd samples o of the input (for synthesis: low and high coefficients),
//   sum over d of taps[d].xy e[m + FIRST + d] + taps[d].zw o[m + FIRST + d],
// .x and .z for the first of the pair, .y and .w for the second. Both lines of a texel at once.
// Kinds of texels, in the order of their channels (columns 2 x, 2 x + 1; rows 2 y, 2 y + 1):
//   block  picture s00 s10 s01 s11, or half along x: L0 H0 L1 H1 (low, high; row 0, row 1)
//   bands  LL LH HL HH of one place
// AXIS 0: block -> block, and with FLAT from single samples (R). AXIS 1, analysis: block ->
// bands, and with APPROX_OUT LL once more (R). AXIS 1, SYNTHESIS: bands -> block; detail is
// shrunk as it is read; with APPROX_IN LL comes from blocks.
#include "include/border.glsl"
#include "include/store.glsl"
#include "include/reversible.glsl"
#include "include/packed.glsl"
#if AXIS == 1 && defined SYNTHESIS
#include "include/shrink.glsl"
#endif

uniform sampler2D source;
#ifdef APPROX_IN
uniform sampler2D approx;
#endif
uniform int n; // samples of a line
uniform vec4 taps[COUNT];

layout (location = 0) out vec4 texel_out;
#ifdef APPROX_OUT
layout (location = 1) out vec4 approx_out;
#endif

// The pairs of a texel along AXIS: .xz and .yw, but for analysis along y.
#if AXIS == 1 && !defined SYNTHESIS
#define EVEN(texel) (texel).xy
#define ODD(texel) (texel).zw
#else
#define EVEN(texel) (texel).xz
#define ODD(texel) (texel).yw
#endif

vec4 block (ivec2 p)
{
#if defined FLAT && defined GATHER
  return textureGather (source, vec2 (2 * p + 1) / vec2 (textureSize (source, 0))).wzxy;
#elif defined FLAT
  ivec2 last = textureSize (source, 0) - 1;
  ivec2 p0 = 2 * p, p1 = min (2 * p + 1, last);
  return vec4 (texelFetch (source, p0, 0).r, texelFetch (source, ivec2 (p1.x, p0.y), 0).r,
               texelFetch (source, ivec2 (p0.x, p1.y), 0).r, texelFetch (source, p1, 0).r);
#elif AXIS == 1 && defined SYNTHESIS
  vec4 bands = texelFetch (source, p, 0);
  return vec4 (bands.x, shrink (bands.yz), shrink (bands.ww).x);
#else
  return texelFetch (source, p, 0);
#endif
}

// With LL where it comes from elsewhere.
vec4 whole_block (ivec2 p)
{
  vec4 value = block (p);
#ifdef APPROX_IN
  value.x = packed_at (approx, p);
#endif
  return value;
}

// Pair sample i of a line, wherever the border finds it.
vec2 even_at (ivec2 p, int i)
{
  int index = FOLD (2 * i, n);
  p[AXIS] = max (index, 0) >> 1;
  return INSIDE (index) ? EVEN (whole_block (p)) : vec2 (0.0);
}

vec2 odd_at (ivec2 p, int i)
{
  int index = FOLD (2 * i + 1, n);
  p[AXIS] = max (index, 0) >> 1;
  return INSIDE (index) ? ODD (whole_block (p)) : vec2 (0.0);
}

#ifdef REVERSIBLE
void transform (ivec2 p, out vec2 first, out vec2 second)
{
  int m = p[AXIS];
  vec2 even = whole (even_at (p, m)), next = whole (even_at (p, m + 1));
  vec2 before = whole (odd_at (p, m - 1)), odd = whole (odd_at (p, m));
#ifdef SYNTHESIS
  even -= LIFT_APPROX (before, odd);
  next -= LIFT_APPROX (odd, whole (odd_at (p, m + 1)));
  odd += LIFT_DETAIL (even, next);
#else
  before -= LIFT_DETAIL (whole (even_at (p, m - 1)), even);
  odd -= LIFT_DETAIL (even, next);
  even += LIFT_APPROX (before, odd);
#endif
  first = quantum * even;
  second = quantum * odd;
}
#else
void add (inout vec2 first, inout vec2 second, vec4 tap, vec2 even, vec2 odd)
{
  first += tap.x * even + tap.z * odd;
  second += tap.y * even + tap.w * odd;
}

// Where no tap reaches a border, one fetch serves the even and the odd sample, and of LL a
// fetch serves two rows.
void transform_inside (ivec2 p, inout vec2 first, inout vec2 second)
{
  int m = p[AXIS] + FIRST;
#ifdef APPROX_IN
  vec2 rows[COUNT / 2 + 1];
  for (int r = 0; r <= COUNT / 2; r++) {
    vec4 four = texelFetch (approx, ivec2 (p.x >> 1, (m >> 1) + r), 0);
    rows[r] = (p.x & 1) == 1 ? four.yw : four.xz;
  }
#endif
  for (int d = 0; d < COUNT; d++) {
    p[AXIS] = m + d;
    vec4 value = block (p);
#ifdef APPROX_IN
    float from_even = d % 2 == 0 ? rows[d / 2].x : rows[d / 2].y;
    float from_odd = d % 2 == 0 ? rows[d / 2].y : rows[d / 2 + 1].x;
    value.x = (m & 1) == 1 ? from_odd : from_even;
#endif
    add (first, second, taps[d], EVEN (value), ODD (value));
  }
}

void transform (ivec2 p, out vec2 first, out vec2 second)
{
  int m = p[AXIS] + FIRST;
  first = second = vec2 (0.0);
#ifndef INTERIOR
  if (m < 0 || 2 * (m + COUNT) > n) {
    for (int d = 0; d < COUNT; d++)
      add (first, second, taps[d], even_at (p, m + d), odd_at (p, m + d));
    return;
  }
#endif
  transform_inside (p, first, second);
}
#endif

void main ()
{
  vec2 first, second;
  transform (ivec2 (gl_FragCoord.xy), first, second);
#if AXIS == 1 && defined SYNTHESIS
  texel_out = store (vec4 (first, second));
#else
  texel_out = store (vec4 (first.x, second.x, first.y, second.y));
#endif
#ifdef APPROX_OUT
  approx_out = store (first.xxxx);
#endif
}
