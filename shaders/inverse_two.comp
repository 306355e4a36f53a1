// SPDX-License-Identifier: MIT
// Synthesis of two levels at once, the steps of forward_two.comp backwards; detail is shrunk as it
// is read. A row of lanes marches down `rows` pairs of rows of the second level; each gives two
// rows of LL of the first level, which stay in registers, and these four rows of the picture.
//   approx  (binding 0) LL of the second level, in bands or as a picture: samples
//   first   (binding 1) HL, LH, HH of the first level, behind the place of LL: pairs
//   second  (binding 3) those of the second level: samples
//   target  see include/target.glsl
//   source_layout, second_layout: pairs of a row, of a channel of `first`, of `second`
//   limits  per level: of HL and LH, of HH, without gains; 1 for hard thresholds
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

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_WORD approx[]; };
layout (std430, binding = 1) restrict readonly buffer First { SOURCE_PAIR first[]; };
layout (std430, binding = 3) restrict readonly buffer Second { SOURCE_WORD second[]; };
#include "include/size.glsl"
#include "include/target.glsl"
uniform ivec2 source_layout;
uniform ivec2 second_layout;
uniform int approx_plane; // pairs of a channel
uniform vec3 limits[2];
uniform int rows;

int first_row, last_row; // pairs of the second level that this row of lanes makes
int last_x, last_y; // the picture's last column and row
vec4 high_2, low_1, high_1, even; // of the pair before
vec2 high_b2, low_b1, high_b1, even_b; // on the second level

// Detail of a row of pairs, shrunk: HL, and LH and HH.
struct Detail {
  vec2 hl, lh, hh;
};

// `soft`: that they are is known, which saves work.
vec2 shrunk (vec2 detail, float limit, float hard, bool soft)
{
  if (soft)
    return detail - clamp (detail, -limit, limit);
  // Soft thresholds take off `off` at most; hard ones keep what is above `most` as it is.
  float off = hard > 0.5 ? 0.0 : limit;
  float most = hard > 0.5 ? limit : -1.0;
  vec2 rest = detail - clamp (detail, -off, off);
  return mix (vec2 (0.0), rest, greaterThan (abs (detail), vec2 (most)));
}

vec2 first_pair (int band, int k)
{
  int in_band = last_of (size.y, 1) + 1;
  int row = band * in_band + clamp (k, 0, in_band - 1);
  return from_pair (
      first[int (gl_WorkGroupID.z) * source_layout.y + row * source_layout.x + quad]);
}

Detail load (int k)
{
  return Detail (first_pair (1, k), first_pair (2, k), first_pair (3, k));
}

// LL, HL, LH, HH of pair m.
vec4 load_second (int m)
{
  int in_band = last_of (size.y, 2) + 1;
  int row = clamp (m, 0, in_band - 1);
  int channel = int (gl_WorkGroupID.z);
  int base = channel * second_layout.y + row * second_layout.x;
  int band = in_band * second_layout.x;
  return vec4 (SAMPLE (approx, channel * approx_plane + row * second_layout.x, quad),
               SAMPLE (second, base + band, quad), SAMPLE (second, base + 2 * band, quad),
               SAMPLE (second, base + 3 * band, quad));
}

vec2 low_second (vec4 loaded, bool soft)
{
  vec3 limit = limits[1];
  return vec2 (loaded.x * (1.0 / (LL_GAIN * LL_GAIN)),
               shrunk (loaded.yy * (1.0 / (LL_GAIN * MIXED_GAIN)), limit.x, limit.z, soft).x);
}

vec2 high_second (vec4 loaded, bool soft)
{
  vec3 limit = limits[1];
  return vec2 (shrunk (loaded.zz * (1.0 / (LL_GAIN * MIXED_GAIN)), limit.x, limit.z, soft).x,
               shrunk (loaded.ww * (1.0 / (LL_GAIN * HH_GAIN)), limit.y, limit.z, soft).x);
}

vec4 low_row (vec2 ll, Detail detail, bool soft)
{
  vec3 limit = limits[0];
  vec2 hl = shrunk (detail.hl * (1.0 / MIXED_GAIN), limit.x, limit.z, soft);
  return vec4 (ll.x, hl.x, ll.y, hl.y);
}

vec4 high_row (Detail detail, bool soft)
{
  vec3 limit = limits[0];
  vec2 lh = shrunk (detail.lh * (1.0 / MIXED_GAIN), limit.x, limit.z, soft);
  vec2 hh = shrunk (detail.hh * (1.0 / HH_GAIN), limit.y, limit.z, soft);
  return vec4 (lh.x, hh.x, lh.y, hh.y);
}

// Takes low and high of pair k in; rows 2 (k - 2) and 2 (k - 2) + 1 come out.
void advance (int k, vec4 low, vec4 high, bool edges)
{
#if STEPS == 4
  vec4 s = low - STEP_3 * AROUND (2 * k, last_y, high_2, high, edges);
  vec4 d = high_2 - STEP_2 * AROUND (2 * k - 1, last_y, low_1, s, edges);
#else
  vec4 s = low;
  vec4 d = high_2;
#endif
  vec4 next = low_1 - STEP_1 * AROUND (2 * k - 2, last_y, high_1, d, edges);
  vec4 odd = high_1 - STEP_0 * AROUND (2 * k - 3, last_y, even, next, edges);
  vec4 upper = UNLIFT_X (even, x0, last_x, edges);
  vec4 lower = UNLIFT_X (odd, x0, last_x, edges);
  int pair = k - 2;
  if (pair >= 2 * first_row && pair < min (2 * last_row, last_y / 2 + 1) && writes) {
    put_quad (quad, 2 * pair, upper);
    if (2 * pair < last_y)
      put_quad (quad, 2 * pair + 1, lower);
  }
  high_2 = high;
  low_1 = s;
  high_1 = d;
  even = next;
}

// Takes low and high of pair m in; rows 2 (m - 2) and 2 (m - 2) + 1 of LL come out.
vec4 advance_second (int m, vec2 low, vec2 high, bool edges)
{
  int last = last_of (size.y, 1), at = x0 >> 1, last_at = last_of (size.x, 1);
#if STEPS == 4
  vec2 s = low - STEP_3 * AROUND (2 * m, last, high_b2, high, edges);
  vec2 d = high_b2 - STEP_2 * AROUND (2 * m - 1, last, low_b1, s, edges);
#else
  vec2 s = low;
  vec2 d = high_b2;
#endif
  vec2 next = low_b1 - STEP_1 * AROUND (2 * m - 2, last, high_b1, d, edges);
  vec2 odd = high_b1 - STEP_0 * AROUND (2 * m - 3, last, even_b, next, edges);
  vec2 upper = UNLIFT_X (even_b, at, last_at, edges);
  vec2 lower = UNLIFT_X (odd, at, last_at, edges);
  high_b2 = high;
  low_b1 = s;
  high_b1 = d;
  even_b = next;
  return vec4 (upper, lower);
}

void march (bool edges, bool soft)
{
  int end = MARCH_END (first_row, last_row, rows) + 2;
  high_b2 = high_second (load_second (first_row - 3), soft);
  low_b1 = high_b1 = even_b = vec2 (0.0);
  low_1 = high_1 = even = vec4 (0.0);
  vec4 a = load_second (first_row - 2), b = load_second (first_row - 1);
  vec4 c = load_second (first_row), loaded = load_second (first_row + 1);
  high_2 = high_row (load (2 * first_row - 3), soft);
  Detail upper = load (2 * first_row - 2), lower = load (2 * first_row - 1);
  advance_second (first_row - 2, low_second (a, soft), high_second (a, soft), edges);
  advance_second (first_row - 1, low_second (b, soft), high_second (b, soft), edges);
  advance_second (first_row, low_second (c, soft), high_second (c, soft), edges);
  for (int m = first_row + 1; m <= end; m++) {
    int k = 2 * m - 4;
    // What the next turn takes is on its way while this one computes.
    int next = min (m + 1, end);
    vec4 next_loaded = load_second (next);
    Detail next_upper = load (2 * next - 4), next_lower = load (2 * next - 3);
    vec4 ll = advance_second (m, low_second (loaded, soft), high_second (loaded, soft), edges);
    advance (k, low_row (ll.xy, upper, soft), high_row (upper, soft), edges);
    advance (k + 1, low_row (ll.zw, lower, soft), high_row (lower, soft), edges);
    loaded = next_loaded;
    upper = next_upper;
    lower = next_lower;
  }
}

#include "include/relay.glsl"

void main ()
{
  take_over ();
  place_lane (size.x);
  last_x = size.x - 1;
  last_y = size.y - 1;
  first_row = block * rows;
  last_row = min (first_row + rows, last_of (size.y, 2) + 1);
#ifdef SUBGROUPS
  // Most rows of lanes are inside the picture, where nothing has to be compared.
  int strip = x0 - 4 * lane;
  if (strip >= 0 && strip + 128 <= size.x && 4 * first_row >= 16
      && 4 * first_row + 4 * rows + 12 <= last_y) {
    if (limits[0].z + limits[1].z < 0.5)
      march (false, true);
    else
      march (false, false);
  } else {
    march (true, false);
  }
#else
  march (true, false);
#endif
  hand_on ();
}
