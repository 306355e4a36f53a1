// SPDX-License-Identifier: MIT
// A picture of 2 x 2 samples per texel to single samples; COLOUR: three such pictures to RGB.
#include "include/store.glsl"
#include "include/packed.glsl"

uniform sampler2D source;
#ifdef COLOUR
uniform sampler2D green;
uniform sampler2D blue;
#endif

layout (location = 0) out vec4 result;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
#ifdef COLOUR
  result = store (vec4 (packed_at (source, p), packed_at (green, p), packed_at (blue, p), 1.0));
#else
  result = store (vec4 (packed_at (source, p)));
#endif
}
