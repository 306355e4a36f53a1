// SPDX-License-Identifier: MIT
// Adds the change of the luma to every channel: source + (after - before).
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict readonly buffer Before { SOURCE_QUAD before[]; };
layout (std430, binding = 2) restrict readonly buffer After { SOURCE_QUAD after[]; };
layout (std430, binding = 3) restrict writeonly buffer Target { TARGET_QUAD target[]; };

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int luma = quad.y * target_layout.x + quad.x;
  vec4 change = from_quad (after[luma]) - from_quad (before[luma]);
  target[quad_index (quad)] = to_quad (from_quad (source[quad_index (quad)]) + change);
}
