// SPDX-License-Identifier: MIT
// Combines the bands of two pictures: size.y rows of LL, HL, LH and HH altogether.
#include "include/samples.glsl"
#include "include/quads.glsl"
#include "include/combine.glsl"

layout (std430, binding = 0) restrict readonly buffer First { SOURCE_QUAD first[]; };
layout (std430, binding = 1) restrict readonly buffer Second { SOURCE_QUAD second[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int band = quad.y / (size.y / 4);
  int i = quad_index (quad);
  target[i] = to_quad (combined (from_quad (first[i]), from_quad (second[i]),
                                 vec4 (parameters[band]), vec4 (parameters[band + 4]),
                                 vec4 (band == 0)));
}
