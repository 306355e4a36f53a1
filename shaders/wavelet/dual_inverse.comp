// SPDX-License-Identifier: MIT
// Synthesis of one level of the dual tree (include/dual.glsl), along y into shared memory, then
// along x. A work group makes 8 x 8 blocks of 4 x 4 samples.
//   ll, hl, lh, hh  quads, all of one layout
//   target  quads
layout (local_size_x = GROUP) in;

#define GROUP_BLOCKS 8 // each way
#ifdef FIRST
#define STRIDE 4 // samples of a line of coefficients to a block
#else
#define STRIDE 2
#endif
#define COLUMNS ((STRIDE * (GROUP_BLOCKS - 1) + WINDOW + 3) / 4) // quads

uniform ivec2 size; // of the target
uniform ivec2 source_layout, target_layout; // quads per row, per channel

#include "include/dual.glsl"

layout (std430, binding = 0) readonly buffer Ll { vec4 ll[]; };
layout (std430, binding = 1) readonly buffer Hl { vec4 hl[]; };
layout (std430, binding = 2) readonly buffer Lh { vec4 lh[]; };
layout (std430, binding = 3) readonly buffer Hh { vec4 hh[]; };
layout (std430, binding = 4) writeonly buffer Target { vec4 target[]; };

shared vec4 halves[2 * 4 * GROUP_BLOCKS * COLUMNS]; // low, then high

// Coefficients of a line that becomes one of n samples.
int coefficients (int n)
{
  return dual_extended (n) * STRIDE / 4;
}

vec4 low_quad (int side, int at)
{
  return side == 0 ? ll[at] : hl[at];
}

vec4 high_quad (int side, int at)
{
  return side == 0 ? lh[at] : hh[at];
}

// Quad q of a row, beyond whose ends it is mirrored.
#define QUAD_OF(read) \
  int at = int (gl_WorkGroupID.z) * source_layout.y \
           + dual_mirrored (row, coefficients (size.y)) * source_layout.x; \
  int n = coefficients (size.x); \
  if (q >= 0 && 4 * q + 4 <= n) \
    return read (side, at + q); \
  int x0 = dual_mirrored (4 * q, n), x1 = dual_mirrored (4 * q + 1, n); \
  int x2 = dual_mirrored (4 * q + 2, n), x3 = dual_mirrored (4 * q + 3, n); \
  return vec4 (read (side, at + (x0 >> 2))[x0 & 3], read (side, at + (x1 >> 2))[x1 & 3], \
               read (side, at + (x2 >> 2))[x2 & 3], read (side, at + (x3 >> 2))[x3 & 3]);

vec4 low_of (int side, int q, int row)
{
  QUAD_OF (low_quad)
}

vec4 high_of (int side, int q, int row)
{
  QUAD_OF (high_quad)
}

// Block b of the group's column q of quads, of the low half or of the high one.
void filter_column (int side, int q, int b)
{
  int column = STRIDE * GROUP_BLOCKS / 4 * int (gl_WorkGroupID.x) - ORIGIN / 4 + q;
  int row = STRIDE * (GROUP_BLOCKS * int (gl_WorkGroupID.y) + b) - ORIGIN;
  int to = (4 * (side * GROUP_BLOCKS + b)) * COLUMNS + q;
  ivec2 n = ivec2 (coefficients (size.x), coefficients (size.y));
  vec4 sum[4];
  vec4 low, high;

  sum[0] = sum[1] = sum[2] = sum[3] = vec4 (0.0);
#define LOW(o, j, tap) sum[o] += tap * low;
#define HIGH(o, j, tap) sum[o] += tap * high;
#ifdef IN_LOOPS
  vec4 lows[WINDOW], highs[WINDOW];
  for (int j = 0; j < OPAQUE (WINDOW); j++) {
    lows[j] = low_of (side, column, row + j);
    highs[j] = high_of (side, column, row + j);
  }
#define READ_LOW(j) low = lows[j];
#define READ_HIGH(j) high = highs[j];
  TAPS (READ_LOW, READ_HIGH, LOW, HIGH)
#else
#define READ_LOW(j) low = ll[at + mirrored_once (row + j, n.y) * source_layout.x];
#define READ_HIGH(j) high = lh[at + mirrored_once (row + j, n.y) * source_layout.x];
#define READ_LOW_RIGHT(j) low = hl[at + mirrored_once (row + j, n.y) * source_layout.x];
#define READ_HIGH_RIGHT(j) high = hh[at + mirrored_once (row + j, n.y) * source_layout.x];
#define READ_LOW_AT_WILL(j) low = low_of (side, column, row + j);
#define READ_HIGH_AT_WILL(j) high = high_of (side, column, row + j);
  // Reads without a branch between them are begun together. A quad that is mirrored as a whole
  // is turned round once it is summed.
  bool whole = n.x % 4 == 0 && n.x >= WINDOW && n.y >= WINDOW;
  int quad = mirrored_once (column, n.x / 4);
  int at = int (gl_WorkGroupID.z) * source_layout.y + quad;
  if (whole && side == 0) {
    TAPS (READ_LOW, READ_HIGH, LOW, HIGH)
  } else if (whole) {
    TAPS (READ_LOW_RIGHT, READ_HIGH_RIGHT, LOW, HIGH)
  } else {
    TAPS (READ_LOW_AT_WILL, READ_HIGH_AT_WILL, LOW, HIGH)
  }
  if (whole && quad != column)
    for (int o = 0; o < 4; o++)
      sum[o] = sum[o].wzyx;
#endif
#undef LOW
#undef HIGH
  halves[to] = sum[0];
  halves[to + COLUMNS] = sum[1];
  halves[to + 2 * COLUMNS] = sum[2];
  halves[to + 3 * COLUMNS] = sum[3];
}

// The quad that begins at (x, y), counted from what is put before the lines.
void put (int x, int y, vec4 samples)
{
  x -= dual_before (size.x);
  y -= dual_before (size.y);
  int at = int (gl_WorkGroupID.z) * target_layout.y + y * target_layout.x;
  if (y < 0 || y >= size.y)
    return;
  if (dual_before (size.x) == 0) {
    if (x < size.x)
      target[at + (x >> 2)] = samples;
    return;
  }
  // One sample is put before the line: x = 4 n - 1.
  if (x >= 0 && x < size.x)
    target[at + (x >> 2)].w = samples.x;
  if (x + 1 < size.x)
    target[at + (x + 1 >> 2)].xyz = samples.yzw;
}

#define NOTHING(j)
#define TAKE(i) \
  v = halves[at + i]; \
  low[4 * i] = v.x; \
  low[4 * i + 1] = v.y; \
  low[4 * i + 2] = v.z; \
  low[4 * i + 3] = v.w; \
  v = halves[at + 4 * GROUP_BLOCKS * COLUMNS + i]; \
  high[4 * i] = v.x; \
  high[4 * i + 1] = v.y; \
  high[4 * i + 2] = v.z; \
  high[4 * i + 3] = v.w;

// The block of a row, or at other levels than the first two, that quad q of the window begins.
void filter_row (int r, int q)
{
  int at = r * COLUMNS + q;
  int x = 4 * GROUP_BLOCKS * int (gl_WorkGroupID.x) + 16 / STRIDE * q;
  int y = 4 * GROUP_BLOCKS * int (gl_WorkGroupID.y) + r;
  float low[WINDOW + 4], high[WINDOW + 4];
  float first[4];
  vec4 v;

#ifdef IN_LOOPS
  for (int i = 0; i < OPAQUE (WINDOW / 4 + (WINDOW == 28 ? 0 : 1)); i++) {
    TAKE (i)
  }
#else
  TAKE (0) TAKE (1) TAKE (2) TAKE (3) TAKE (4)
#ifdef FIRST
  TAKE (5) TAKE (6)
#endif
#endif
  first[0] = first[1] = first[2] = first[3] = 0.0;
#ifdef FIRST
#define LOW(o, j, tap) first[o] += tap * low[j];
#define HIGH(o, j, tap) first[o] += tap * high[j];
#else
  float second[4];
  second[0] = second[1] = second[2] = second[3] = 0.0;
#define LOW(o, j, tap) \
  first[o] += tap * low[j]; \
  second[o] += tap * low[j + 2];
#define HIGH(o, j, tap) \
  first[o] += tap * high[j]; \
  second[o] += tap * high[j + 2];
#endif
  TAPS (NOTHING, NOTHING, LOW, HIGH)
  put (x, y, vec4 (first[0], first[1], first[2], first[3]));
#ifndef FIRST
  put (x + 4, y, vec4 (second[0], second[1], second[2], second[3]));
#endif
}

void main ()
{
  int own = int (gl_LocalInvocationIndex);
  int quads = STRIDE * GROUP_BLOCKS / 4; // of a row, that windows begin with

  for (int i = own; i < 2 * GROUP_BLOCKS * COLUMNS; i += GROUP)
    filter_column (i / (GROUP_BLOCKS * COLUMNS), i % COLUMNS, i / COLUMNS % GROUP_BLOCKS);
  barrier ();
  for (int i = own; i < 4 * GROUP_BLOCKS * quads; i += GROUP)
    filter_row (i / quads, i % quads);
}
