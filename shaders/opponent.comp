// SPDX-License-Identifier: MIT
// Opponent colours of three channels, or these of opponent colours (src/plan/opponent.h), by ROWS.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform float bias;

void main ()
{
  const float rows[9] = float[9] (ROWS);
  int channel = int (gl_WorkGroupID.z);
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  vec4 sum = vec4 (0.0);
  for (int c = 0; c < 3; c++)
    sum += rows[3 * channel + c] * (from_quad (source[c * target_layout.y + quad.y * target_layout.x + quad.x]) + bias);
  target[quad_index (quad)] = to_quad (sum - bias);
}
