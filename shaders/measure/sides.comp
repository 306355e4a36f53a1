// SPDX-License-Identifier: MIT
// The value that more than half of a side of a picture has (src/plan/numbers.h), or 0. A work group
// handles the four sides of a channel, one sample per invocation.
//   source  picture: quads; source_layout: quads per row, per channel
//   target  four numbers; target_layout: quads per row, per channel
#include "include/samples.glsl"

layout (local_size_x = SIDE_SAMPLES) in;
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { float target[]; };
uniform ivec2 size;
uniform ivec2 source_layout;
uniform ivec2 target_layout;
uniform float bias;

shared float values[SIDE_SAMPLES];
shared float found;

float sample_at (ivec2 p)
{
  int row = int (gl_WorkGroupID.z) * source_layout.y + p.y * source_layout.x;
  return from_quad (source[row + (p.x >> 2)])[p.x & 3] + bias;
}

void main ()
{
  int i = int (gl_LocalInvocationIndex);
  for (int side = 0; side < 4; side++) { // left, right, top, bottom
    int length = side < 2 ? size.y : size.x;
    int n = min (length, SIDE_SAMPLES);
    int along = min (i * length / n, length - 1);
    ivec2 p = side < 2 ? ivec2 (side == 0 ? 0 : size.x - 1, along)
                       : ivec2 (along, side == 2 ? 0 : size.y - 1);
    float own = sample_at (p);
    values[i] = own;
    if (i == 0)
      found = 0.0;
    barrier ();
    int equal = 0;
    for (int k = 0; k < n; k++)
      equal += values[k] == own ? 1 : 0;
    if (i < n && 2 * equal > n)
      found = own; // the same value in all invocations that get here
    barrier ();
    if (i == 0)
      target[4 * int (gl_WorkGroupID.z) * target_layout.y + side] = found;
    barrier ();
  }
}
