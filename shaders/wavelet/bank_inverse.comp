// SPDX-License-Identifier: MIT
// Synthesis of one level along y and x by a filter bank; see include/bank.glsl. Details are shrunk
// as they are read. HALF_ONLY omits the filters along x: low, high, low ...
//   approx   LL of bands, or the result of the next coarser level: pairs
//   details  LL, HL, LH, HH: pairs; source_layout: pairs per row, per channel
//   target   see include/target.glsl
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/shrink.glsl"
#include "include/bank.glsl"

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_PAIR approx[]; };
layout (std430, binding = 1) restrict readonly buffer Details { SOURCE_PAIR details[]; };
uniform ivec2 source_layout;
uniform int approx_plane; // pairs per channel
#include "include/target.glsl"

// Pair i of a row of coefficients, from low or (`high` 1) high columns.
vec2 pair_at (int i, int row, int high)
{
  int place = (row >> 1) * source_layout.x + i;
  int band = 2 * (row & 1) + high;
  if (band == 0)
    return from_pair (approx[int (gl_WorkGroupID.z) * approx_plane + place]);
  int rows_before = band * ((size.y + 1) / 2);
  return shrink (from_pair (details[int (gl_WorkGroupID.z) * source_layout.y
                                    + rows_before * source_layout.x + place]),
                 vec2 (thresholds[band - 1]));
}

vec4 quad_at (int q, int row)
{
  vec2 low = pair_at (q, row, 0), high = pair_at (q, row, 1);
  return vec4 (low.x, high.x, low.y, high.y);
}

float sample_at (int x, int row)
{
  return pair_at (x >> 2, row, x & 1)[(x >> 1) & 1];
}

void put (int q, int y, vec2 first, vec2 second)
{
  place_target (q);
  put_quad (y, vec4 (first, second));
}
