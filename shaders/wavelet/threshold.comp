// SPDX-License-Identifier: MIT
// Shrinks the detail bands HL, LH and HH of a level: size.y rows altogether, after the rows of LL.
#include "include/samples.glsl"
#include "include/quads.glsl"
#include "include/shrink.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int i = quad_index (quad + ivec2 (0, size.y / 3));
  vec4 detail = from_quad (source[i]);
  vec2 threshold = vec2 (thresholds[quad.y / (size.y / 3)]);
  target[i] = to_quad (vec4 (shrink (detail.xy, threshold), shrink (detail.zw, threshold)));
}
