// SPDX-License-Identifier: MIT
// Weighted sum of three channels.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform vec3 weights;

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  vec4 sum = vec4 (0.0);
  for (int c = 0; c < 3; c++)
    sum += weights[c] * from_quad (source[c * target_layout.y + quad_index (quad)]);
  target[quad_index (quad)] = to_quad (sum);
}
