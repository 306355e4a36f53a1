// SPDX-License-Identifier: MIT
// f - amount * Laplacian of f. The Laplacian has weight 1 for the four neighbours, `diagonal`
// (0 or 1) for the other four, and the sum of both, negative, in the middle. Whole-sample
// border over the `size` samples of the picture.
#include "include/border.glsl"
#include "include/store.glsl"

uniform sampler2D source;
uniform ivec2 size;
uniform float amount;
uniform float diagonal;

layout (location = 0) out vec4 result;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  int left = FOLD (p.x - 1, size.x), right = FOLD (p.x + 1, size.x);
  int above = FOLD (p.y - 1, size.y), below = FOLD (p.y + 1, size.y);
  vec4 f = texelFetch (source, p, 0);
  vec4 near = texelFetch (source, ivec2 (left, p.y), 0)
              + texelFetch (source, ivec2 (right, p.y), 0)
              + texelFetch (source, ivec2 (p.x, above), 0)
              + texelFetch (source, ivec2 (p.x, below), 0);
  vec4 far = texelFetch (source, ivec2 (left, above), 0)
             + texelFetch (source, ivec2 (right, above), 0)
             + texelFetch (source, ivec2 (left, below), 0)
             + texelFetch (source, ivec2 (right, below), 0);
  vec4 laplacian = near - 4.0 * f + diagonal * (far - 4.0 * f);
  result = store (f - amount * laplacian);
}
