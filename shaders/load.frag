// SPDX-License-Identifier: MIT
// Stored samples, in a texture of their own type (SOURCE: sampler2D, usampler2D, isampler2D),
// to scaled ones. Colours (not alpha) are stored less `bias`. Texel (x, y) gives texel (x, y);
// CHANNELS is 1, 3 or 4 (with alpha).
#include "include/store.glsl"
#include "include/scaled.glsl"

uniform highp SOURCE source;
uniform float bias;

layout (location = 0) out vec4 scaled;

void main ()
{
  vec4 value = scaled_samples (vec4 (texelFetch (source, ivec2 (gl_FragCoord.xy), 0)));
#if CHANNELS == 1
  scaled = store (value.rrrr - bias);
#elif CHANNELS == 3
  scaled = store (vec4 (value.rgb - bias, 1.0));
#else
  scaled = store (vec4 (value.rgb - bias, value.a));
#endif
}
