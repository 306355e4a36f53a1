// SPDX-License-Identifier: MIT
// Analysis or synthesis along AXIS with 2 x 2 samples per texel: pair m of the output is, from the
// even samples e and odd samples o of the input (in synthesis low and high coefficients),
//   sum over d of taps[d].xy e[m + FIRST + d] + taps[d].zw o[m + FIRST + d],
// .x and .z for the first of the pair, .y and .w for the second; both lines of a texel at once.
// Texel formats, in component order (columns 2 x, 2 x + 1; rows 2 y, 2 y + 1):
//   block  picture s00 s10 s01 s11, or half transformed: L0 H0 L1 H1 (low, high; row 0, row 1)
//   bands  LL LH HL HH of one position
// AXIS 0: block -> block; with FLAT from single samples: of R (also LL of bands), of RGB, or with
// APART of R of one texture per channel. AXIS 1, analysis: block -> bands. AXIS 1, SYNTHESIS:
// bands -> block; details are shrunk as they are read; with APPROX_IN LL comes from blocks.
// COLOUR: one texture and one target per channel, all three at once.
#include "include/border.glsl"
#include "include/store.glsl"
#include "include/reversible.glsl"
#include "include/packed.glsl"
#if AXIS == 1 && defined SYNTHESIS
#include "include/shrink.glsl"
#endif

// One texel, and one member of a pair: a number, or one per channel.
#ifdef COLOUR
#define FOUR mat4x3
#define TWO mat2x3
#else
#define FOUR vec4
#define TWO vec2
#endif

uniform sampler2D source;
#if defined COLOUR && (!defined FLAT || defined APART)
uniform sampler2D green;
uniform sampler2D blue;
#endif
#ifdef APPROX_IN
uniform sampler2D approx;
#ifdef COLOUR
uniform sampler2D approx_green;
uniform sampler2D approx_blue;
#endif
#endif
uniform int n; // per line
#ifdef SYNTHESIS
uniform int shift; // from input rows to output rows
#endif
uniform vec4 taps[COUNT];

layout (location = 0) out vec4 texel_out;
#ifdef COLOUR
layout (location = 1) out vec4 green_out;
layout (location = 2) out vec4 blue_out;
#endif

// The pairs of a texel along AXIS: columns 0, 2 and 1, 3, except for analysis along y.
#if AXIS == 1 && !defined SYNTHESIS
#define EVEN(texel) TWO ((texel)[0], (texel)[1])
#define ODD(texel) TWO ((texel)[2], (texel)[3])
#else
#define EVEN(texel) TWO ((texel)[0], (texel)[2])
#define ODD(texel) TWO ((texel)[1], (texel)[3])
#endif

#if defined FLAT && defined GATHER
FOUR block (ivec2 p)
{
  vec2 middle = vec2 (2 * p + 1) / vec2 (textureSize (source, 0));
#ifdef COLOUR
  return transpose (mat3x4 (textureGather (source, middle).wzxy,
                            textureGather (green, middle).wzxy,
                            textureGather (blue, middle).wzxy));
#else
  return textureGather (source, middle).wzxy;
#endif
}
#elif defined FLAT
#ifdef APART
#define SAMPLE(p) \
  vec3 (texelFetch (source, p, 0).r, texelFetch (green, p, 0).r, texelFetch (blue, p, 0).r)
#elif defined COLOUR
#define SAMPLE(p) texelFetch (source, p, 0).rgb
#else
#define SAMPLE(p) texelFetch (source, p, 0).r
#endif

FOUR block (ivec2 p)
{
  ivec2 last = textureSize (source, 0) - 1;
  ivec2 p0 = 2 * p, p1 = min (2 * p + 1, last);
  return FOUR (SAMPLE (p0), SAMPLE (ivec2 (p1.x, p0.y)), SAMPLE (ivec2 (p0.x, p1.y)),
               SAMPLE (p1));
}
#else
vec4 texel_at (sampler2D channel, ivec2 p)
{
  vec4 texel = texelFetch (channel, p, 0);
#if AXIS == 1 && defined SYNTHESIS
  texel = vec4 (texel.x, shrink (texel.yz, thresholds.yx), shrink (texel.ww, thresholds.zz).x);
#endif
  return texel;
}

FOUR block (ivec2 p)
{
#ifdef COLOUR
  return transpose (mat3x4 (texel_at (source, p), texel_at (green, p), texel_at (blue, p)));
#else
  return texel_at (source, p);
#endif
}
#endif

// With LL from its own source.
FOUR whole_block (ivec2 p)
{
  FOUR value = block (p);
#if defined APPROX_IN && defined COLOUR
  value[0] = vec3 (packed_at (approx, p), packed_at (approx_green, p),
                   packed_at (approx_blue, p));
#elif defined APPROX_IN
  value[0] = packed_at (approx, p);
#endif
  return value;
}

// Pair sample i of a line, with the border applied.
TWO even_at (ivec2 p, int i)
{
  int index = FOLD (2 * i, n);
  p[AXIS] = max (index, 0) >> 1;
  if (INSIDE (index))
    return EVEN (whole_block (p));
  return TWO (0.0);
}

TWO odd_at (ivec2 p, int i)
{
  int index = FOLD (2 * i + 1, n);
  p[AXIS] = max (index, 0) >> 1;
  if (INSIDE (index))
    return ODD (whole_block (p));
  return TWO (0.0);
}

#ifdef REVERSIBLE
void transform (ivec2 p, out TWO first, out TWO second)
{
  int m = p[AXIS];
  TWO even = whole (even_at (p, m)), next = whole (even_at (p, m + 1));
  TWO before = whole (odd_at (p, m - 1)), odd = whole (odd_at (p, m));
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
void add (inout TWO first, inout TWO second, vec4 tap, TWO even, TWO odd)
{
  first += tap.x * even + tap.z * odd;
  second += tap.y * even + tap.w * odd;
}

#ifdef APPROX_IN
// LL of two rows.
vec2 approx_rows (sampler2D channel, ivec2 p)
{
  vec4 four = texelFetch (channel, ivec2 (p.x >> 1, p.y), 0);
  return (p.x & 1) == 1 ? four.yw : four.xz;
}

TWO both_rows (ivec2 p)
{
#ifdef COLOUR
  return transpose (mat3x2 (approx_rows (approx, p), approx_rows (approx_green, p),
                            approx_rows (approx_blue, p)));
#else
  return approx_rows (approx, p);
#endif
}
#endif

// Away from the borders, one fetch serves the even and the odd sample, and for LL two rows.
void transform_inside (ivec2 p, inout TWO first, inout TWO second)
{
  int m = p[AXIS] + FIRST;
#ifdef APPROX_IN
  TWO rows[COUNT / 2 + 1];
  for (int r = 0; r <= COUNT / 2; r++)
    rows[r] = both_rows (ivec2 (p.x, (m >> 1) + r));
#endif
  for (int d = 0; d < COUNT; d++) {
    p[AXIS] = m + d;
    FOUR value = block (p);
#ifdef APPROX_IN
    // The row of m is the first or the second of rows[0].
    if ((m & 1) == 1)
      value[0] = d % 2 == 0 ? rows[d / 2][1] : rows[d / 2 + 1][0];
    else
      value[0] = d % 2 == 0 ? rows[d / 2][0] : rows[d / 2][1];
#endif
    add (first, second, taps[d], EVEN (value), ODD (value));
  }
}

void transform (ivec2 p, out TWO first, out TWO second)
{
  int m = p[AXIS] + FIRST;
  first = TWO (0.0);
  second = TWO (0.0);
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

vec4 stored (vec2 first, vec2 second)
{
#if AXIS == 1 && defined SYNTHESIS
  return store (vec4 (first, second));
#else
  return store (vec4 (first.x, second.x, first.y, second.y));
#endif
}

void main ()
{
  TWO first, second;
  ivec2 p = ivec2 (gl_FragCoord.xy);
#ifdef SYNTHESIS
  p.y += shift;
#endif
  transform (p, first, second);
#ifdef COLOUR
  mat3x2 firsts = transpose (first), seconds = transpose (second);
  texel_out = stored (firsts[0], seconds[0]);
  green_out = stored (firsts[1], seconds[1]);
  blue_out = stored (firsts[2], seconds[2]);
#else
  texel_out = stored (first, second);
#endif
}
