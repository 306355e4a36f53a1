// SPDX-License-Identifier: MIT
// Copies the bands of a level, `size` samples together, to their places in the Mallat layout; LL
// only with WITH_APPROX. source_layout: quads per row of a band, quads per channel.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_QUAD approx[]; };
layout (std430, binding = 1) restrict readonly buffer Details { SOURCE_QUAD details[]; };
layout (std430, binding = 2) restrict buffer Target { TARGET_QUAD target[]; };
uniform ivec2 source_layout;

float coefficient (ivec2 p, float kept)
{
  ivec2 low = (size + 1) / 2;
  bool right = p.x >= low.x, below = p.y >= low.y;
  if (right)
    p.x -= low.x;
  p.y += (right ? low.y : 0) + (below ? low.y : 0); // HL, LH, HH are 1, 2, 3 bands further
  int i = int (gl_WorkGroupID.z) * source_layout.y + p.y * source_layout.x + (p.x >> 2);
  if (right || below)
    return from_quad (details[i])[p.x & 3];
#ifdef WITH_APPROX
  return from_quad (approx[i])[p.x & 3];
#else
  return kept;
#endif
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0 || 4 * quad.x >= size.x)
    return;
  // A quad may also contain samples of other levels.
#ifdef TARGET_HALF
  vec4 result = vec4 (unpackHalf2x16 (target[quad_index (quad)].x),
                      unpackHalf2x16 (target[quad_index (quad)].y));
#else
  vec4 result = target[quad_index (quad)];
#endif
  for (int c = 0; c < 4; c++)
    if (4 * quad.x + c < size.x)
      result[c] = coefficient (ivec2 (4 * quad.x + c, quad.y), result[c]);
  target[quad_index (quad)] = to_quad (result);
}
