// SPDX-License-Identifier: MIT
// Analysis of one level along y and x by lifting: STEPS steps (2 or 4) STEP_0 ..., then gains
// (LL * LL_GAIN ...). A warp iterates over `rows` row pairs from top to bottom, keeps the state of
// the vertical steps in registers, and lifts its own rows across its lanes. It starts two pairs
// above its own. Whole-sample border.
//   source  picture, or LL of bands; see include/source.glsl
//   target  LL, HL, LH, HH stacked: pairs; target_layout: pairs per row, per channel
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/lanes.glsl"
#include "include/lifting.glsl"

layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_PAIR target[]; };
uniform ivec2 size;
#include "include/source.glsl"
uniform ivec2 target_layout;
uniform int rows;

int first_row, last_row; // row pairs of this work group: first_row .. last_row - 1
int target_at, target_band; // index of this lane's first LL sample; distance between bands
vec4 even, high_1, low_1, high_2; // of the previous pair

vec4 load (int y)
{
#ifndef MIRROR_LANES
  if (!is_inside (size.x)) {
    vec4 value;
    for (int c = 0; c < 4; c++)
      value[c] = source_sample (column (c, size.x), y);
    return value;
  }
#endif
  return source_quad (quad, y);
}

// Samples x .. x + 3 to low, high, low, high.
vec4 lift (vec4 value)
{
  value = whole (value);
  float d0 = value.y + LIFT_0 (value.x + value.z);
  float d1 = value.w + LIFT_0 (value.z + after (value.x, value.z, size.x));
  float s0 = value.x + LIFT_1 (before (d1, d0) + d0);
  float s1 = value.z + LIFT_1 (d0 + d1);
#if STEPS == 4
  d0 += STEP_2 * (s0 + s1);
  d1 += STEP_2 * (s1 + after (s0, s1, size.x));
  s0 += STEP_3 * (before (d1, d0) + d0);
  s1 += STEP_3 * (d0 + d1);
#endif
  return vec4 (s0, d0, s1, d1);
}

void put (int pair, vec4 low, vec4 high, bool is_wanted)
{
  if (is_wanted) {
    int i = target_at + pair * target_layout.x;
    target[i] = to_pair (SCALED (low.xz) * LL_GAIN);
    target[i + target_band] = to_pair (SCALED (low.yw) * MIXED_GAIN);
    target[i + 2 * target_band] = to_pair (SCALED (high.xz) * MIXED_GAIN);
    target[i + 3 * target_band] = to_pair (SCALED (high.yw) * HH_GAIN);
  }
}

// Along y first, so that warm-up rows need not be lifted along x; integers, whose steps round,
// along x first.
#ifdef REVERSIBLE
#define FIRST(row) lift (row)
#define THEN(row) (row)
#else
#define FIRST(row) (row)
#define THEN(row) lift (row)
#endif

// Consumes rows 2 k + 1 and 2 k + 2; produces pair k - 1.
void advance (int k, vec4 odd_row, vec4 even_row)
{
  vec4 odd = FIRST (odd_row);
  vec4 next = FIRST (even_row);
  vec4 d = odd + LIFT_0 (even + next);
  vec4 s = even + LIFT_1 (high_1 + d);
#if STEPS == 4
  vec4 high = high_1 + STEP_2 * (low_1 + s);
  vec4 low = low_1 + STEP_3 * (high_2 + high);
#else
  vec4 high = high_1;
  vec4 low = low_1;
#endif
  bool is_own = k > first_row && k <= last_row;
  FOR_OWN (is_own)
    put (k - 1, THEN (low), THEN (high), is_own && writes);
  even = next;
  high_1 = d;
  low_1 = s;
  high_2 = high;
}

void main ()
{
  place_lane (size.x);
  place_source ();
  target_band = ((size.y + 1) >> 1) * target_layout.x;
  target_at = int (gl_WorkGroupID.z) * target_layout.y + quad;
  first_row = block * rows;
  last_row = min (first_row + rows, (size.y + 1) / 2);
  // Fast path for warps far from the first and last row.
  bool inside = 2 * first_row >= 4 && 2 * last_row + 4 < size.y;
  even = FIRST (load (row (2 * first_row - 4, size.y)));
  high_1 = low_1 = high_2 = vec4 (0.0);
  for (int k = first_row - 2; k <= MARCH_END (first_row, last_row, rows); k += 2) {
    ivec4 y = 2 * k + ivec4 (1, 2, 3, 4);
    if (!inside)
      y = ivec4 (row (y.x, size.y), row (y.y, size.y), row (y.z, size.y), row (y.w, size.y));
    // All loads first, to overlap their latency.
    vec4 a = load (y.x), b = load (y.y), c = load (y.z), d = load (y.w);
    advance (k, a, b);
    advance (k + 1, c, d);
  }
}
