// SPDX-License-Identifier: MIT
// Convolution with a symmetric kernel along AXIS: taps[k] weights the samples at -k and k, k <=
// radius. Whole-sample border.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform int radius;
uniform float taps[RADIUS_MAX + 1];

#if AXIS == 1
vec4 row_at (int x, int y)
{
  return from_quad (source[quad_index (ivec2 (x, FOLD (y, size.y)))]);
}

vec4 convolved (ivec2 quad)
{
  vec4 sum = taps[0] * row_at (quad.x, quad.y);
  for (int k = 1; k <= radius; k++)
    sum += taps[k] * (row_at (quad.x, quad.y - k) + row_at (quad.x, quad.y + k));
  return sum;
}
#else
float sample_at (int x, int y)
{
  int folded = FOLD (x, size.x);
  return from_quad (source[quad_index (ivec2 (folded >> 2, y))])[folded & 3];
}

vec4 convolved (ivec2 quad)
{
  vec4 sums;
  for (int c = 0; c < 4; c++) {
    int x = min (4 * quad.x + c, size.x - 1);
    float sum = taps[0] * sample_at (x, quad.y);
    for (int k = 1; k <= radius; k++)
      sum += taps[k] * (sample_at (x - k, quad.y) + sample_at (x + k, quad.y));
    sums[c] = sum;
  }
  return sums;
}
#endif

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x >= 0)
    target[quad_index (quad)] = to_quad (convolved (quad));
}
