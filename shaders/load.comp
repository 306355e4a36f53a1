// SPDX-License-Identifier: MIT
// Stored samples, in a texture of their own type (SOURCE: sampler2D, usampler2D, isampler2D),
// to scaled ones, CHANNELS planes one after the other; the fourth is alpha. Others are stored
// less `bias`.
#include "include/samples.glsl"
#include "include/quads.glsl"
#include "include/scaled.glsl"

layout (std430, binding = 0) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform highp SOURCE source;
uniform float bias;

vec4 fetch (ivec2 p)
{
  p.x = min (p.x, size.x - 1);
  return scaled_samples (vec4 (texelFetch (source, p, 0))) - vec4 (bias, bias, bias, 0.0);
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  ivec2 p = ivec2 (4 * quad.x, quad.y);
  mat4 planes = transpose (mat4 (fetch (p), fetch (p + ivec2 (1, 0)), fetch (p + ivec2 (2, 0)),
                                 fetch (p + ivec2 (3, 0))));
  for (int c = 0; c < CHANNELS; c++)
    target[c * target_layout.y + quad_index (quad)] = to_quad (planes[c]);
}
