// SPDX-License-Identifier: MIT
// Copies one of the bands of a level, number BAND of LL, HL, LH, HH, to a picture of its own. The
// rows of each band, FIRST of them, follow those of the one before.
// source_layout: quads per row of a band, quads per channel.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 source_layout;

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int i = int (gl_WorkGroupID.z) * source_layout.y + (FIRST + quad.y) * source_layout.x + quad.x;
  target[quad_index (quad)] = to_quad (from_quad (source[i]));
}
