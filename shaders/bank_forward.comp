// SPDX-License-Identifier: MIT
// Analysis along y and x of a whole level by a filter bank; see include/bank.glsl.
//   source  picture, or LL of bands: quads; source_layout: quads of a row, of a channel
//   target  LL, HL, LH, HH one after the other: pairs; target_layout: pairs of a row, of a
//           channel
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/bank.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_PAIR target[]; };
uniform ivec2 source_layout;
uniform ivec2 target_layout;

vec4 quad_at (int q, int row)
{
  return from_quad (
      source[int (gl_WorkGroupID.z) * source_layout.y + row * source_layout.x + q]);
}

float sample_at (int x, int row)
{
  return quad_at (x >> 2, row)[x & 3];
}

void put (int q, int y, vec2 first, vec2 second)
{
  int band = ((size.y + 1) / 2) * target_layout.x;
  int i = int (gl_WorkGroupID.z) * target_layout.y + (y & 1) * 2 * band
          + (y >> 1) * target_layout.x + q;
  target[i] = to_pair (vec2 (first.x, second.x));
  target[i + band] = to_pair (vec2 (first.y, second.y));
}
