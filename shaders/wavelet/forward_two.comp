// SPDX-License-Identifier: MIT
// Analysis of two levels in one dispatch: forward.comp twice, with LL of the finer level passed in
// registers. A warp iterates over `rows` row pairs of the second level; eight rows of the picture
// make two pairs of the first level and one of the second. It starts far enough above for the
// state of both levels. Whole-sample border.
//   source  picture, or LL of bands; see include/source.glsl
//   first   (binding 1) HL, LH, HH of the first level, after room for LL: pairs
//   second  (binding 2) LL, HL, LH, HH of the second level: samples
//   target_layout, second_layout: pairs per row, per channel
#include "include/border.glsl"
#include "include/samples.glsl"
#define RIM_LANES 3
#include "include/lanes.glsl"
#include "include/two_levels.glsl"

layout (std430, binding = 1) restrict writeonly buffer First { TARGET_PAIR first[]; };
#ifdef TARGET_HALF
layout (std430, binding = 2) restrict writeonly buffer Second { uint second[]; };
#else
layout (std430, binding = 2) restrict writeonly buffer Second { float second[]; };
#endif
#include "include/size.glsl"
#include "include/source.glsl"
uniform ivec2 target_layout;
uniform ivec2 second_layout;
uniform int rows;

int first_row, last_row; // row pairs of the second level of this warp
int last_x, last_y; // last column and row of the picture
// Index of this lane's samples in the first row pair; distance between bands.
int first_at, first_band;
int second_at, second_band;
vec4 even, high_1, low_1, high_2; // of the previous pair
vec2 even_b, high_b1, low_b1, high_b2; // likewise on the second level

vec4 load (int y, bool edges)
{
  return source_quad (quad, edges ? clamp (y, 0, last_y) : y);
}

void put_first (int row, vec4 low, vec4 high, bool is_wanted)
{
  if (is_wanted) {
    int i = first_at + row * target_layout.x;
    first[i] = to_pair (low.yw * MIXED_GAIN);
    first[i + first_band] = to_pair (high.xz * MIXED_GAIN);
    first[i + 2 * first_band] = to_pair (high.yw * HH_GAIN);
  }
}

// Consumes rows 2 k + 1 and 2 k + 2; stores the details of pair k - 1 and returns its LL. Along y
// first, so that warm-up rows need not be lifted along x.
vec2 advance (int k, vec4 odd_row, vec4 even_row, bool edges)
{
  vec4 d = odd_row + STEP_0 * AROUND (2 * k + 1, last_y, even, even_row, edges);
  vec4 s = even + STEP_1 * AROUND (2 * k, last_y, high_1, d, edges);
#if STEPS == 4
  vec4 high = high_1 + STEP_2 * AROUND (2 * k - 1, last_y, low_1, s, edges);
  vec4 low = low_1 + STEP_3 * AROUND (2 * k - 2, last_y, high_2, high, edges);
#else
  vec4 high = high_1;
  vec4 low = low_1;
#endif
  vec4 lifted = LIFT_X (low, x0, last_x, edges);
  int row = k - 1;
  bool is_own = row >= 2 * first_row && row < min (2 * last_row, (last_y >> 1) + 1);
  FOR_OWN (is_own)
    put_first (row, lifted, LIFT_X (high, x0, last_x, edges), is_own && writes);
  even = even_row;
  high_1 = d;
  low_1 = s;
  high_2 = high;
  return lifted.xz;
}

void put_second (int band, int row, float value, bool is_own)
{
  int base = second_at + band * second_band + row * second_layout.x;
#ifdef TARGET_HALF
  float next = from_right (value);
  if (is_own && (quad & 1) == 0)
    second[base + (quad >> 1)] = to_pair (vec2 (value, next));
#else
  if (is_own)
    second[2 * base + quad] = value;
#endif
}

// Consumes rows 2 m + 1 and 2 m + 2 of LL; produces pair m - 1 of the second level.
void advance_second (int m, vec2 odd_row, vec2 even_row, bool edges)
{
  int last = last_of (size.y, 1), at = x0 >> 1, last_at = last_of (size.x, 1);
  vec2 d = odd_row + STEP_0 * AROUND (2 * m + 1, last, even_b, even_row, edges);
  vec2 s = even_b + STEP_1 * AROUND (2 * m, last, high_b1, d, edges);
#if STEPS == 4
  vec2 high = high_b1 + STEP_2 * AROUND (2 * m - 1, last, low_b1, s, edges);
  vec2 low = low_b1 + STEP_3 * AROUND (2 * m - 2, last, high_b2, high, edges);
#else
  vec2 high = high_b1;
  vec2 low = low_b1;
#endif
  bool is_own = m > first_row && m <= last_row;
  FOR_OWN (is_own) {
    vec2 l = LIFT_X (low, at, last_at, edges);
    vec2 h = LIFT_X (high, at, last_at, edges);
    put_second (0, m - 1, l.x * (LL_GAIN * LL_GAIN), is_own && writes);
    put_second (1, m - 1, l.y * (LL_GAIN * MIXED_GAIN), is_own && writes);
    put_second (2, m - 1, h.x * (LL_GAIN * MIXED_GAIN), is_own && writes);
    put_second (3, m - 1, h.y * (LL_GAIN * HH_GAIN), is_own && writes);
  }
  even_b = even_row;
  high_b1 = d;
  low_b1 = s;
  high_b2 = high;
}

void march (bool edges)
{
  int k = 2 * first_row - 6;
  vec4 ahead[8];
  even = load (2 * k, edges);
  high_1 = low_1 = high_2 = vec4 (0.0);
  high_b1 = low_b1 = high_b2 = vec2 (0.0);
  // All loads first, to overlap their latency.
  for (int i = 0; i < 8; i++)
    ahead[i] = load (2 * k + 1 + i, edges);
  vec2 row;
  for (int i = 0; i < 4; i++)
    row = advance (k + i, ahead[2 * i], ahead[2 * i + 1], edges);
  even_b = row;
  int end = MARCH_END (first_row, last_row, rows);
  k = 2 * first_row - 2;
  vec4 a = load (2 * k + 1, edges), b = load (2 * k + 2, edges);
  vec4 c = load (2 * k + 3, edges), d = load (2 * k + 4, edges);
  for (int m = first_row - 2; m <= end; m++) {
    k = 2 * m + 2;
    // Prefetches the rows of the next iteration.
    int next = 2 * min (k + 2, 2 * end + 2);
    vec4 next_a = load (next + 1, edges), next_b = load (next + 2, edges);
    vec4 next_c = load (next + 3, edges), next_d = load (next + 4, edges);
    vec2 odd_row = advance (k, a, b, edges);
    vec2 even_row = advance (k + 1, c, d, edges);
    advance_second (m, odd_row, even_row, edges);
    a = next_a;
    b = next_b;
    c = next_c;
    d = next_d;
  }
}

void main ()
{
  place_lane (size.x);
  place_source ();
  last_x = size.x - 1;
  last_y = size.y - 1;
  first_band = ((last_y >> 1) + 1) * target_layout.x;
  first_at = int (gl_WorkGroupID.z) * target_layout.y + first_band + quad;
  second_band = (last_of (size.y, 2) + 1) * second_layout.x;
  second_at = int (gl_WorkGroupID.z) * second_layout.y;
  first_row = block * rows;
  last_row = min (first_row + rows, last_of (size.y, 2) + 1);
#ifdef SUBGROUPS
  // Most warps are inside the picture and need no comparisons.
  int strip = x0 - 4 * lane;
  if (strip >= 0 && strip + 128 <= size.x && 4 * first_row >= 12
      && 4 * first_row + 4 * rows + 8 <= last_y)
    march (false);
  else
    march (true);
#else
  march (true);
#endif
}
