// SPDX-License-Identifier: MIT
// Recursive average: the previous output moved towards this frame by a weight, which is constant
// or GATED by local motion. The output is also kept as history; the first frame is copied.
#include "include/samples.glsl"
#include "include/quads.glsl"
#include "include/past.glsl"

#ifdef GATED
#include "include/border.glsl"
#include "include/gate.glsl"

float change_at (int x, int y)
{
  int index = quad_index (ivec2 (x >> 2, y));
  return abs (from_quad (source[index])[x & 3] - kept[kept_index (index, 1)][x & 3]);
}

vec4 weight_at (ivec2 quad)
{
  vec4 change = vec4 (0.0);
  for (int dy = -radius; dy <= radius; dy++) {
    int y = FOLD (quad.y + dy, size.y);
    for (int c = 0; c < 4; c++)
      for (int dx = -radius; dx <= radius; dx++)
        change[c] += change_at (FOLD (min (4 * quad.x + c, size.x - 1) + dx, size.x), y);
  }
  return weight_of (change);
}
#else
uniform float weight;

vec4 weight_at (ivec2 quad)
{
  return vec4 (weight);
}
#endif

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int index = quad_index (quad);
  vec4 x = from_quad (source[index]);
  vec4 result = x;
  if (earlier > 0) {
    vec4 y = kept[kept_index (index, 1)];
    result = y + weight_at (quad) * (x - y);
  }
  kept[kept_index (index, 0)] = result;
  target[index] = to_quad (result);
}
