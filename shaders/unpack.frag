// SPDX-License-Identifier: MIT
// A picture of 2 x 2 samples a texel to one of single samples.
#include "include/store.glsl"
#include "include/packed.glsl"

uniform sampler2D source;

layout (location = 0) out vec4 result;

void main ()
{
  result = store (vec4 (packed_at (source, ivec2 (gl_FragCoord.xy))));
}
