// SPDX-License-Identifier: MIT
// Convolution with a symmetric kernel along AXIS: taps[0] is the centre, taps[k] weights the
// samples at -k and k, k <= radius. Whole-sample border of a picture of `size` samples.
#include "include/border.glsl"
#include "include/store.glsl"

uniform sampler2D source;
uniform ivec2 size;
uniform int radius;
uniform float taps[RADIUS_MAX + 1];

layout (location = 0) out vec4 result;

vec4 at (ivec2 p, int offset)
{
  p[AXIS] = FOLD (p[AXIS] + offset, size[AXIS]);
  return texelFetch (source, p, 0);
}

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  vec4 sum = taps[0] * texelFetch (source, p, 0);
  for (int k = 1; k <= radius; k++)
    sum += taps[k] * (at (p, -k) + at (p, k));
  result = store (sum);
}
