// SPDX-License-Identifier: MIT
// Adds the change of the luma to R, G and B: colour + (after - before). With PACKED, `after` has 2
// x 2 samples per texel.
#include "include/store.glsl"
#include "include/packed.glsl"

uniform sampler2D source;
uniform sampler2D before;
uniform sampler2D after;

layout (location = 0) out vec4 colour;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
#ifdef PACKED
  float filtered = packed_at (after, p);
#else
  float filtered = texelFetch (after, p, 0).r;
#endif
  float change = filtered - texelFetch (before, p, 0).r;
  colour = store (vec4 (texelFetch (source, p, 0).rgb + change, 1.0));
}
