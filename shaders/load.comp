// SPDX-License-Identifier: MIT
// Stored samples to scaled ones, STORED_CHANNELS planes one after the other; the fourth is
// alpha.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { uint stored[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#include "include/stored.glsl"

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  for (int c = 0; c < STORED_CHANNELS; c++)
    target[c * target_layout.y + quad_index (quad)]
        = to_quad (loaded (stored_quad (quad.x, quad.y, c), c));
}
