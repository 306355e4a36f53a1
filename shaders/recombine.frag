// SPDX-License-Identifier: MIT
// Puts a filtered luma back: colour + (after - before), the same for R, G and B.
#include "include/store.glsl"

uniform sampler2D source;
uniform sampler2D before;
uniform sampler2D after;

layout (location = 0) out vec4 colour;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  float change = texelFetch (after, p, 0).r - texelFetch (before, p, 0).r;
  colour = store (vec4 (texelFetch (source, p, 0).rgb + change, 1.0));
}
