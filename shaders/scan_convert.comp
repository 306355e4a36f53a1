// SPDX-License-Identifier: MIT
// A picture of beam data, or the other way. source_layout: quads per row, quads per channel.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 source_layout;
uniform float parameters[9];
uniform float bias; // what samples are stored less

float scan_at (ivec2 p)
{
  int i = int (gl_WorkGroupID.z) * source_layout.y + p.y * source_layout.x + (p.x >> 2);
  return from_quad (source[i])[p.x & 3];
}

#define SCAN_SAMPLE float
#include "include/scan.glsl"

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  vec4 result;
  for (int c = 0; c < 4; c++)
    result[c] = scanned (ivec2 (min (4 * quad.x + c, size.x - 1), quad.y), -bias);
  target[quad_index (quad)] = to_quad (result);
}
