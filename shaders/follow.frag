// SPDX-License-Identifier: MIT
// Recursive average: the previous output `before` moved towards this frame by a weight, which is
// constant or GATED by local motion (whole-sample border of a picture of `size` samples). The
// output is also kept as history; the first frame is copied.
#ifdef GATED
#include "include/border.glsl"
#include "include/gate.glsl"
uniform ivec2 size;
#else
uniform float weight;
#endif

uniform sampler2D source;
uniform sampler2D before;
uniform int earlier;

layout (location = 0) out vec4 kept;
layout (location = 1) out vec4 result;

#ifdef GATED
vec4 weight_at (ivec2 p)
{
  vec4 change = vec4 (0.0);
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      ivec2 q = ivec2 (FOLD (p.x + dx, size.x), FOLD (p.y + dy, size.y));
      change += abs (texelFetch (source, q, 0) - texelFetch (before, q, 0));
    }
  return weight_of (change);
}
#else
vec4 weight_at (ivec2 p)
{
  return vec4 (weight);
}
#endif

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  vec4 x = texelFetch (source, p, 0);
  kept = x;
  if (earlier > 0) {
    vec4 y = texelFetch (before, p, 0);
    kept = y + weight_at (p) * (x - y);
  }
  result = kept;
}
