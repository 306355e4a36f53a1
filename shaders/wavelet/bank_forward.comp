// SPDX-License-Identifier: MIT
// Analysis of one level along y and x by a filter bank; see include/bank.glsl.
//   source  picture, or LL of bands; see include/source.glsl
//   target  LL, HL, LH, HH stacked: pairs; target_layout: pairs per row, per channel
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/bank.glsl"
#include "include/source.glsl"

layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_PAIR target[]; };
uniform ivec2 target_layout;

vec4 quad_at (int q, int row)
{
  place_source ();
  return source_quad (q, row);
}

float sample_at (int x, int row)
{
  place_source ();
  return source_sample (x, row);
}

void put (int q, int y, vec2 first, vec2 second)
{
  int band = ((size.y + 1) / 2) * target_layout.x;
  int i = int (gl_WorkGroupID.z) * target_layout.y + (y & 1) * 2 * band
          + (y >> 1) * target_layout.x + q;
  target[i] = to_pair (vec2 (first.x, second.x));
  target[i + band] = to_pair (vec2 (first.y, second.y));
}
