// SPDX-License-Identifier: MIT
// Analysis of one level of the dual tree (include/dual.glsl), along x into shared memory, then
// along y. A work group makes 32 columns of 8 blocks of rows.
//   source  picture, or LL of the level before
//   ll, hl, lh, hh  quads
layout (local_size_x = GROUP) in;

#define GROUP_QUADS 8 // in a row of the results
#define GROUP_BLOCKS 8
#define ROWS (4 * GROUP_BLOCKS + WINDOW - 4)

uniform ivec2 size; // of the source
uniform ivec2 target_layout; // quads per row, per channel

#include "include/samples.glsl"
#include "include/source.glsl"
#include "include/dual.glsl"

layout (std430, binding = 1) writeonly buffer Ll { vec4 ll[]; };
layout (std430, binding = 2) writeonly buffer Hl { vec4 hl[]; };
layout (std430, binding = 3) writeonly buffer Lh { vec4 lh[]; };
layout (std430, binding = 4) writeonly buffer Hh { vec4 hh[]; };

shared vec4 halves[2 * ROWS * GROUP_QUADS]; // low, then high

// Samples 4 q ... of a row, counted from what is put before it.
vec4 window_quad (int q, int row)
{
  int at = 4 * q;
  if (dual_before (size.x) == 0 && at >= 0 && at + 4 <= size.x)
    return source_quad (q, row);
  return vec4 (source_sample (dual_index (at, size.x), row),
               source_sample (dual_index (at + 1, size.x), row),
               source_sample (dual_index (at + 2, size.x), row),
               source_sample (dual_index (at + 3, size.x), row));
}

#define NOTHING(j)
#define KEEP(i) \
  s[4 * i] = v.x; \
  s[4 * i + 1] = v.y; \
  s[4 * i + 2] = v.z; \
  s[4 * i + 3] = v.w;
#define TAKE(i) \
  at = mirrored_once (first + i, size.x / 4); \
  v = source_quad (at, row); \
  v = at != first + i ? v.wzyx : v; \
  KEEP (i)
#define TAKE_AT_WILL(i) \
  v = window_quad (first + i, row); \
  KEEP (i)
#ifdef FIRST
#define QUADS 7
#define ALL(TAKE) TAKE (0) TAKE (1) TAKE (2) TAKE (3) TAKE (4) TAKE (5) TAKE (6)
#else
#define QUADS 8
#define ALL(TAKE) TAKE (0) TAKE (1) TAKE (2) TAKE (3) TAKE (4) TAKE (5) TAKE (6) TAKE (7)
#endif

// Quad q of the group's row r, which needs one block of samples at level 1, else two.
void filter_row (int r, int q)
{
  int row = dual_index (4 * GROUP_BLOCKS * int (gl_WorkGroupID.y) - ORIGIN + r, size.y);
  int first = (4 / OUTPUTS) * (GROUP_QUADS * int (gl_WorkGroupID.x) + q) - ORIGIN / 4;
  float s[WINDOW + 4];
  float low[4], high[4];
  vec4 v;

#ifdef IN_LOOPS
  for (int i = 0; i < OPAQUE (QUADS); i++) {
    TAKE_AT_WILL (i)
  }
#else
  int at;
  // Reads without a branch between them are begun together.
  if (dual_before (size.x) == 0 && size.x % 4 == 0 && size.x >= WINDOW + 4) {
    ALL (TAKE)
  } else {
    ALL (TAKE_AT_WILL)
  }
#endif
  low[0] = low[1] = low[2] = low[3] = 0.0;
  high[0] = high[1] = high[2] = high[3] = 0.0;
#ifdef FIRST
#define LOW(o, j, tap) low[o] += tap * s[j];
#define HIGH(o, j, tap) high[o] += tap * s[j];
#else
#define LOW(o, j, tap) \
  low[o] += tap * s[j]; \
  low[o + 2] += tap * s[j + 4];
#define HIGH(o, j, tap) \
  high[o] += tap * s[j]; \
  high[o + 2] += tap * s[j + 4];
#endif
  TAPS (NOTHING, NOTHING, LOW, HIGH)
#undef LOW
#undef HIGH
  halves[r * GROUP_QUADS + q] = vec4 (low[0], low[1], low[2], low[3]);
  halves[(ROWS + r) * GROUP_QUADS + q] = vec4 (high[0], high[1], high[2], high[3]);
}

void put (int side, int q, int y, vec4 low, vec4 high)
{
  int at = int (gl_WorkGroupID.z) * target_layout.y + y * target_layout.x + q;
  if (y >= dual_extended (size.y) * OUTPUTS / 4 || q >= target_layout.x)
    return;
  if (side == 0) {
    ll[at] = low;
    lh[at] = high;
  } else {
    hl[at] = low;
    hh[at] = high;
  }
}

// Block b of the group's column q of quads, of the low half or of the high one.
void filter_column (int side, int q, int b)
{
  int at = (side * ROWS + 4 * b) * GROUP_QUADS + q;
  int y = OUTPUTS * (GROUP_BLOCKS * int (gl_WorkGroupID.y) + b);
  int column = GROUP_QUADS * int (gl_WorkGroupID.x) + q;
  vec4 low[OUTPUTS], high[OUTPUTS];
  vec4 value;

  low[0] = low[1] = high[0] = high[1] = vec4 (0.0);
#ifdef FIRST
  low[2] = low[3] = high[2] = high[3] = vec4 (0.0);
#endif
#ifdef IN_LOOPS
  vec4 held[WINDOW];
  for (int j = 0; j < OPAQUE (WINDOW); j++)
    held[j] = halves[at + j * GROUP_QUADS];
#define READ(j) value = held[j];
#else
#define READ(j) value = halves[at + j * GROUP_QUADS];
#endif
#define LOW(o, j, tap) low[o] += tap * value;
#define HIGH(o, j, tap) high[o] += tap * value;
  TAPS (READ, NOTHING, LOW, HIGH)
  put (side, column, y, low[0], high[0]);
  put (side, column, y + 1, low[1], high[1]);
#ifdef FIRST
  put (side, column, y + 2, low[2], high[2]);
  put (side, column, y + 3, low[3], high[3]);
#endif
}

void main ()
{
  int own = int (gl_LocalInvocationIndex);

  place_source ();
  for (int i = own; i < ROWS * GROUP_QUADS; i += GROUP)
    filter_row (i / GROUP_QUADS, i % GROUP_QUADS);
  barrier ();
  for (int i = own; i < 2 * GROUP_BLOCKS * GROUP_QUADS; i += GROUP)
    filter_column (i / (GROUP_BLOCKS * GROUP_QUADS), i % GROUP_QUADS,
                   i / GROUP_QUADS % GROUP_BLOCKS);
}
