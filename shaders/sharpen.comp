// SPDX-License-Identifier: MIT
// f - amount * Laplacian of f, with the weights of sharpen.frag. Whole-sample border.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform float amount;
uniform float diagonal;

float sample_at (int x, int y)
{
  return from_quad (source[quad_index (ivec2 (x >> 2, y))])[x & 3];
}

float sharpened (int x, int y)
{
  int left = FOLD (x - 1, size.x), right = FOLD (x + 1, size.x);
  int above = FOLD (y - 1, size.y), below = FOLD (y + 1, size.y);
  float f = sample_at (x, y);
  float near = sample_at (left, y) + sample_at (right, y) + sample_at (x, above)
               + sample_at (x, below);
  float far = sample_at (left, above) + sample_at (right, above) + sample_at (left, below)
              + sample_at (right, below);
  return f - amount * (near - 4.0 * f + diagonal * (far - 4.0 * f));
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  vec4 result;
  for (int c = 0; c < 4; c++)
    result[c] = sharpened (min (4 * quad.x + c, size.x - 1), quad.y);
  target[quad_index (quad)] = to_quad (result);
}
