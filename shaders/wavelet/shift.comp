// SPDX-License-Identifier: MIT
// A picture of SOURCE_SIZE samples moved into one of another size: sample p comes from p - (DX, DY),
// beyond the picture by BORDER, times WEIGHT. With SECOND it is added to that of another picture.
// source_layout: quads per row, quads per channel.
#include "include/border.glsl"
#include "include/moved.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
#ifdef SECOND
layout (std430, binding = 1) restrict readonly buffer Second { SOURCE_QUAD second[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#else
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#endif
uniform ivec2 source_layout;
uniform float parameters[9];

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  ivec2 by = ivec2 (round (vec2 (DX, DY)));
  int y = source_of (quad.y, by.y, SOURCE_SIZE.y);
  vec4 result = vec4 (0.0);
  for (int c = 0; c < 4; c++) {
    int x = source_of (min (4 * quad.x + c, size.x - 1), by.x, SOURCE_SIZE.x);
    int i = int (gl_WorkGroupID.z) * source_layout.y + max (y, 0) * source_layout.x + (max (x, 0) >> 2);
    result[c] = min (x, y) < 0 ? 0.0 : WEIGHT * from_quad (source[i])[max (x, 0) & 3];
  }
#ifdef SECOND
  result += from_quad (second[quad_index (quad)]);
#endif
  target[quad_index (quad)] = to_quad (result);
}
