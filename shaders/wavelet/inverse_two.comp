// SPDX-License-Identifier: MIT
// Synthesis of two levels in one dispatch: the steps of forward_two.comp in reverse; details are
// shrunk as they are read. A warp iterates over `rows` row pairs of the second level; each produces
// two rows of LL of the first level, kept in registers, and these four rows of the picture.
//   approx  (binding 0) LL of the second level, in bands or as a picture: samples
//   first   (binding 1) HL, LH, HH of the first level, after room for LL: pairs
//   second  (binding 3) those of the second level: samples
//   target  see include/target.glsl
//   source_layout, second_layout: pairs per row, per channel of `first`, of `second`
//   limits  per level: of HL, LH and HH, without gains; 1 for hard thresholds. With MEASURED, what
//           thresholds of measure/bayes.comp are multiplied by
// ALL_ROWS also lifts the halo rows along x: branch-free, which pays off unless memory is the
// bottleneck.
#include "include/border.glsl"
#include "include/samples.glsl"
#define RIM_LANES 3
#include "include/lanes.glsl"
#include "include/two_levels.glsl"

#ifdef SOURCE_HALF
#define SOURCE_WORD uint
#define SAMPLE(buffer, base, x) unpackHalf2x16 (buffer[(base) + ((x) >> 1)])[(x) & 1]
#else
#define SOURCE_WORD float
#define SAMPLE(buffer, base, x) buffer[2 * (base) + (x)]
#endif

#ifdef ALL_ROWS
#define IF_OWN(is_own)
#else
#define IF_OWN(is_own) FOR_OWN (is_own)
#endif

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_WORD approx[]; };
layout (std430, binding = 1) restrict readonly buffer First { SOURCE_PAIR first[]; };
layout (std430, binding = 3) restrict readonly buffer Second { SOURCE_WORD second[]; };
#include "include/size.glsl"
#include "include/target.glsl"
uniform ivec2 source_layout;
uniform ivec2 second_layout;
uniform int approx_plane; // pairs per channel
uniform vec4 limits[2];
#ifdef MEASURED
layout (std430, binding = 4) restrict readonly buffer FirstNumbers { float first_numbers[]; };
layout (std430, binding = 5) restrict readonly buffer SecondNumbers { float second_numbers[]; };
vec4 measured_limits[2];
#define LIMITS measured_limits
#define LIMITS_OF(level, numbers)                                                                \
  (limits[level]                                                                                 \
   * vec4 (numbers[0], numbers[BAND_NUMBERS], numbers[2 * BAND_NUMBERS], 1.0))
#else
#define LIMITS limits
#endif
uniform int rows;

int first_row, last_row; // row pairs of the second level of this warp
int last_x, last_y; // last column and row of the picture
// Index of this lane's samples in the first row pair; distance between bands.
int first_at, first_band;
int approx_at, second_at, second_band;
vec4 high_2, low_1, high_1, even; // of the previous pair
vec2 high_b2, low_b1, high_b1, even_b; // likewise on the second level

// Shrunk details of a row of pairs: HL, and LH and HH.
struct Detail {
  vec2 hl, lh, hh;
};

// `soft`: all thresholds are known to be soft, which saves work.
vec2 shrunk (vec2 detail, float limit, float hard, bool soft)
{
  // Soft: subtract at most `off`; hard: keep what is above `most`.
  float off = !soft && hard > 0.5 ? 0.0 : limit;
  vec2 rest = detail - clamp (detail, -off, off);
  if (!soft) {
    float most = hard > 0.5 ? limit : -1.0;
    rest = mix (vec2 (0.0), rest, greaterThan (abs (detail), vec2 (most)));
  }
  return rest;
}

void place_bands ()
{
  int channel = int (gl_WorkGroupID.z);
  first_band = (last_of (size.y, 1) + 1) * source_layout.x;
  first_at = channel * source_layout.y + first_band + quad;
  approx_at = channel * approx_plane;
  second_band = (last_of (size.y, 2) + 1) * second_layout.x;
  second_at = channel * second_layout.y + second_band;
}

Detail load (int k, bool edges_y)
{
  int row = edges_y ? clamp (k, 0, last_of (size.y, 1)) : k;
  int i = first_at + row * source_layout.x;
  return Detail (from_pair (first[i]), from_pair (first[i + first_band]),
                 from_pair (first[i + 2 * first_band]));
}

// LL, HL, LH, HH of pair m.
vec4 load_second (int m, bool edges_y)
{
  int row = (edges_y ? clamp (m, 0, last_of (size.y, 2)) : m) * second_layout.x;
  int i = second_at + row;
  return vec4 (SAMPLE (approx, approx_at + row, quad), SAMPLE (second, i, quad),
               SAMPLE (second, i + second_band, quad),
               SAMPLE (second, i + 2 * second_band, quad));
}

vec2 low_second (vec4 loaded, bool soft)
{
  vec4 limit = LIMITS[1];
  return vec2 (loaded.x * (LL_SHARE * LL_SHARE),
               shrunk (loaded.yy * (LL_SHARE * MIXED_SHARE), limit.x, limit.w, soft).x);
}

vec2 high_second (vec4 loaded, bool soft)
{
  vec4 limit = LIMITS[1];
  return vec2 (shrunk (loaded.zz * (LL_SHARE * MIXED_SHARE), limit.y, limit.w, soft).x,
               shrunk (loaded.ww * (LL_SHARE * HH_SHARE), limit.z, limit.w, soft).x);
}

vec4 low_row (vec2 ll, Detail detail, bool soft)
{
  vec4 limit = LIMITS[0];
  vec2 hl = shrunk (detail.hl * MIXED_SHARE, limit.x, limit.w, soft);
  return vec4 (ll.x, hl.x, ll.y, hl.y);
}

vec4 high_row (Detail detail, bool soft)
{
  vec4 limit = LIMITS[0];
  vec2 lh = shrunk (detail.lh * MIXED_SHARE, limit.y, limit.w, soft);
  vec2 hh = shrunk (detail.hh * HH_SHARE, limit.z, limit.w, soft);
  return vec4 (lh.x, hh.x, lh.y, hh.y);
}

void put (int pair, vec4 upper, vec4 lower, bool is_wanted, bool edges_y)
{
  if (is_wanted) {
    put_quad (2 * pair, upper);
    if (!edges_y || 2 * pair < last_y)
      put_quad (2 * pair + 1, lower);
  }
}

// Consumes low and high of pair k; produces rows 2 (k - 2) and 2 (k - 2) + 1.
void advance (int k, vec4 low, vec4 high, bool edges_x, bool edges_y)
{
#if STEPS == 4
  vec4 s = low - STEP_3 * AROUND (2 * k, last_y, high_2, high, edges_y);
  vec4 d = high_2 - STEP_2 * AROUND (2 * k - 1, last_y, low_1, s, edges_y);
#else
  vec4 s = low;
  vec4 d = high_2;
#endif
  vec4 next = low_1 - STEP_1 * AROUND (2 * k - 2, last_y, high_1, d, edges_y);
  vec4 odd = high_1 - STEP_0 * AROUND (2 * k - 3, last_y, even, next, edges_y);
  int pair = k - 2;
  bool is_own = pair >= 2 * first_row
                && (!edges_y || pair < min (2 * last_row, (last_y >> 1) + 1));
  IF_OWN (is_own)
    put (pair, UNLIFT_X (even, x0, last_x, edges_x), UNLIFT_X (odd, x0, last_x, edges_x),
         is_own && writes, edges_y);
  high_2 = high;
  low_1 = s;
  high_1 = d;
  even = next;
}

// Consumes low and high of pair m; produces rows 2 (m - 2) and 2 (m - 2) + 1 of LL.
vec4 advance_second (int m, vec2 low, vec2 high, bool edges_x, bool edges_y)
{
  int last = last_of (size.y, 1), at = x0 >> 1, last_at = last_of (size.x, 1);
#if STEPS == 4
  vec2 s = low - STEP_3 * AROUND (2 * m, last, high_b2, high, edges_y);
  vec2 d = high_b2 - STEP_2 * AROUND (2 * m - 1, last, low_b1, s, edges_y);
#else
  vec2 s = low;
  vec2 d = high_b2;
#endif
  vec2 next = low_b1 - STEP_1 * AROUND (2 * m - 2, last, high_b1, d, edges_y);
  vec2 odd = high_b1 - STEP_0 * AROUND (2 * m - 3, last, even_b, next, edges_y);
  vec2 upper = UNLIFT_X (even_b, at, last_at, edges_x);
  vec2 lower = UNLIFT_X (odd, at, last_at, edges_x);
  high_b2 = high;
  low_b1 = s;
  high_b1 = d;
  even_b = next;
  return vec4 (upper, lower);
}

void march (bool edges_x, bool edges_y, bool soft)
{
  int end = MARCH_END (first_row, last_row, rows) + 2;
  high_b2 = high_second (load_second (first_row - 3, edges_y), soft);
  low_b1 = high_b1 = even_b = vec2 (0.0);
  low_1 = high_1 = even = vec4 (0.0);
  vec4 a = load_second (first_row - 2, edges_y), b = load_second (first_row - 1, edges_y);
  vec4 c = load_second (first_row, edges_y), loaded = load_second (first_row + 1, edges_y);
  high_2 = high_row (load (2 * first_row - 3, edges_y), soft);
  Detail upper = load (2 * first_row - 2, edges_y), lower = load (2 * first_row - 1, edges_y);
  advance_second (first_row - 2, low_second (a, soft), high_second (a, soft), edges_x, edges_y);
  advance_second (first_row - 1, low_second (b, soft), high_second (b, soft), edges_x, edges_y);
  advance_second (first_row, low_second (c, soft), high_second (c, soft), edges_x, edges_y);
  for (int m = first_row + 1; m <= end; m++) {
    int k = 2 * m - 4;
    // Prefetches the data of the next iteration as soon as registers are free.
    int next = min (m + 1, end);
    vec2 low_b = low_second (loaded, soft), high_b = high_second (loaded, soft);
    loaded = load_second (next, edges_y);
    vec4 ll = advance_second (m, low_b, high_b, edges_x, edges_y);
    vec4 low = low_row (ll.xy, upper, soft), high = high_row (upper, soft);
    upper = load (2 * next - 4, edges_y);
    advance (k, low, high, edges_x, edges_y);
    low = low_row (ll.zw, lower, soft);
    high = high_row (lower, soft);
    lower = load (2 * next - 3, edges_y);
    advance (k + 1, low, high, edges_x, edges_y);
  }
}

void main ()
{
  place_lane (size.x);
  place_bands ();
#ifdef MEASURED
  measured_limits[0] = LIMITS_OF (0, first_numbers);
  measured_limits[1] = LIMITS_OF (1, second_numbers);
#endif
  place_target (quad);
  last_x = size.x - 1;
  last_y = size.y - 1;
  first_row = block * rows;
  last_row = min (first_row + rows, last_of (size.y, 2) + 1);
#ifdef SUBGROUPS
  // Most warps are inside the picture and need no comparisons.
  int strip = x0 - 4 * lane;
  bool inside_x = strip >= 0 && strip + 128 <= size.x;
  bool inside_y = 4 * first_row >= 16 && 4 * first_row + 4 * rows + 12 <= last_y;
  bool soft = LIMITS[0].w + LIMITS[1].w < 0.5;
  if (inside_x && inside_y && soft)
    march (false, false, true);
  else if (inside_x && inside_y)
    march (false, false, false);
#ifndef SIZE // large pictures do not wait for the ends of rows
  else if (inside_y && soft)
    march (true, false, true);
#endif
  else
    march (true, true, false);
#else
  march (true, true, false);
#endif
}
