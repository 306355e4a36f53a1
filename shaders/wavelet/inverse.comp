// SPDX-License-Identifier: MIT
// Synthesis of one level along y and x: the steps of forward.comp in reverse; details are shrunk as
// they are read. A warp iterates over `rows` row pairs; it starts two pairs above its own. HALF_ONLY
// omits the steps along x: low, high, low, high ...
//   approx   LL of bands, or the result of the next coarser level: pairs
//   details  LL, HL, LH, HH: pairs; source_layout: pairs per row, per channel
//   target   see include/target.glsl
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/lanes.glsl"
#include "include/lifting.glsl"
#include "include/shrink.glsl"

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_PAIR approx[]; };
layout (std430, binding = 1) restrict readonly buffer Details { SOURCE_PAIR details[]; };
uniform ivec2 size;
#include "include/target.glsl"
uniform ivec2 source_layout;
uniform int approx_plane; // pairs per channel
uniform int rows;

int first_row, last_row; // row pairs of this work group: first_row .. last_row - 1
bool inside; // reads nothing near the first and last row
vec4 high_2, low_1, high_1, even; // of the previous pair
int approx_at, details_at, band; // index of the channel; distance between bands
ivec4 columns; // of two low and two high samples, for lanes at the ends

vec2 approx_pair (int base)
{
#ifndef MIRROR_LANES
  if (!is_inside (size.x))
    return vec2 (from_pair (approx[base + (columns.x >> 1)])[columns.x & 1],
                 from_pair (approx[base + (columns.y >> 1)])[columns.y & 1]);
#endif
  return from_pair (approx[base + quad]);
}

vec2 low_pair (int base)
{
#ifndef MIRROR_LANES
  if (!is_inside (size.x))
    return vec2 (from_pair (details[base + (columns.x >> 1)])[columns.x & 1],
                 from_pair (details[base + (columns.y >> 1)])[columns.y & 1]);
#endif
  return from_pair (details[base + quad]);
}

vec2 high_pair (int base)
{
#ifndef MIRROR_LANES
  if (!is_inside (size.x)) {
    if (size.x == 1)
      return vec2 (0.0); // no such row
    return vec2 (from_pair (details[base + (columns.z >> 1)])[columns.z & 1],
                 from_pair (details[base + (columns.w >> 1)])[columns.w & 1]);
  }
#endif
  return from_pair (details[base + quad]);
}

// Row of LL and HL, or of LH and HH, of pair k as low, low, high, high.
vec4 load (int k, int high)
{
  int at = (inside ? k : row (2 * k + high, size.y) >> 1) * source_layout.x;
  int detail = details_at + at;
  vec4 loaded = vec4 (0.0);
  if (high == 0)
    loaded = vec4 (approx_pair (approx_at + at), high_pair (detail + band));
  else if (size.y > 1) // else there is none
    loaded = vec4 (low_pair (detail + 2 * band), high_pair (detail + 3 * band));
  return loaded;
}

vec4 interleaved (vec2 low, vec2 high)
{
  return whole (vec4 (low.x, high.x, low.y, high.y));
}

vec4 low_row (vec4 loaded)
{
  return interleaved (loaded.xy * LL_SHARE, shrink (loaded.zw, thresholds.xx) * MIXED_SHARE);
}

vec4 high_row (vec4 loaded)
{
  return interleaved (shrink (loaded.xy, thresholds.yy) * MIXED_SHARE,
                      shrink (loaded.zw, thresholds.zz) * HH_SHARE);
}

// Low, high, low, high to samples x .. x + 3.
vec4 unlift (vec4 value)
{
#ifdef HALF_ONLY
  return value * vec4 (LOW_GAIN, HIGH_GAIN, LOW_GAIN, HIGH_GAIN);
#else
  float s0 = value.x, d0 = value.y, s1 = value.z, d1 = value.w;
#if STEPS == 4
  s0 -= STEP_3 * (before (d1, d0) + d0);
  s1 -= STEP_3 * (d0 + d1);
  d0 -= STEP_2 * (s0 + s1);
  d1 -= STEP_2 * (s1 + after (s0, s1, size.x));
#endif
  s0 -= LIFT_1 (before (d1, d0) + d0);
  s1 -= LIFT_1 (d0 + d1);
  d0 -= LIFT_0 (s0 + s1);
  d1 -= LIFT_0 (s1 + after (s0, s1, size.x));
  return vec4 (s0, d0, s1, d1);
#endif
}

void put (int y, vec4 upper, vec4 lower, bool is_wanted)
{
  if (is_wanted) {
    put_quad (y, SCALED (upper));
    if (y + 1 < size.y)
      put_quad (y + 1, SCALED (lower));
  }
}

// Consumes low and high of pair k; produces rows 2 (k - 2) and 2 (k - 2) + 1.
void advance (int k, vec4 loaded_low, vec4 loaded_high)
{
  vec4 low = low_row (loaded_low);
  vec4 high = high_row (loaded_high);
#if STEPS == 4
  vec4 s = low - STEP_3 * (high_2 + high);
  vec4 d = high_2 - STEP_2 * (low_1 + s);
#else
  vec4 s = low;
  vec4 d = high_2;
#endif
  vec4 next = low_1 - LIFT_1 (high_1 + d);
  vec4 odd = high_1 - LIFT_0 (even + next);
  bool is_own = k >= first_row + 2 && k <= last_row + 1;
  FOR_OWN (is_own)
    put (2 * (k - 2), unlift (even), unlift (odd), is_own && writes);
  high_2 = high;
  low_1 = s;
  high_1 = d;
  even = next;
}

void main ()
{
  place_lane (size.x);
  place_target (quad);
  approx_at = int (gl_WorkGroupID.z) * approx_plane;
  details_at = int (gl_WorkGroupID.z) * source_layout.y;
  band = ((size.y + 1) >> 1) * source_layout.x;
  columns = ivec4 (column (0, size.x), column (2, size.x), column (1, size.x),
                   column (3, size.x)) >> 1;
  first_row = block * rows;
  last_row = min (first_row + rows, (size.y + 1) / 2);
  inside = first_row >= 2 && 2 * last_row + 5 < size.y;
  high_2 = high_row (load (first_row - 2, 1));
  low_1 = high_1 = even = vec4 (0.0);
  for (int k = first_row - 1; k <= MARCH_END (first_row, last_row, rows) + 1; k += 2) {
    vec4 a = load (k, 0), b = load (k, 1);
    vec4 c = load (k + 1, 0), d = load (k + 1, 1);
    advance (k, a, b);
    advance (k + 1, c, d);
  }
}
