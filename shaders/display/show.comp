// SPDX-License-Identifier: MIT
// Writes CHANNELS planes into the texture that the canvas draws; the fourth is alpha.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (binding = 0, FORMAT) restrict writeonly uniform highp image2D picture;

vec4 plane (int c, ivec2 quad)
{
  return from_quad (source[c * target_layout.y + quad_index (quad)]);
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
#if CHANNELS == 1
  mat4 texels = mat4 (plane (0, quad), vec4 (0.0), vec4 (0.0), vec4 (1.0));
#elif CHANNELS == 3
  mat4 texels = mat4 (plane (0, quad), plane (1, quad), plane (2, quad), vec4 (1.0));
#else
  mat4 texels = mat4 (plane (0, quad), plane (1, quad), plane (2, quad), plane (3, quad));
#endif
  texels = transpose (texels);
  for (int c = 0; c < 4; c++)
    if (4 * quad.x + c < size.x)
      imageStore (picture, ivec2 (4 * quad.x + c, quad.y), texels[c]);
}
