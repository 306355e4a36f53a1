// SPDX-License-Identifier: MIT
// Luma of scaled RGB samples, with given weights.
#include "include/store.glsl"

uniform sampler2D source;
uniform vec3 weights;

layout (location = 0) out vec4 luma;

void main ()
{
  vec3 colour = texelFetch (source, ivec2 (gl_FragCoord.xy), 0).rgb;
  luma = store (vec4 (dot (colour, weights)));
}
