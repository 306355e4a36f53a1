// SPDX-License-Identifier: MIT
// Stored samples, in a texture of their own type (SOURCE: sampler2D, usampler2D, isampler2D),
// to scaled ones: scaled = (stored - minimum) * scale, as in odl_image_scaled_row. NaN gives 0,
// infinities 0 or 1. Colours (not alpha) are stored less `bias`. Texel (x, y) gives texel (x, y); CHANNELS is 1, 3 or 4 (with alpha).
#include "include/store.glsl"

uniform highp SOURCE source;
uniform float minimum;
uniform float scale;
uniform float bias;

layout (location = 0) out vec4 scaled;

vec4 tamed (vec4 stored)
{
  vec4 value = (stored - minimum) * scale;
#ifdef FLOATING
  // On the bits, since compilers may take for granted that there are no NaN.
  const uint infinite = 0x7f800000u;
  const uint largest = 0x7f7fffffu;
  uvec4 bits = floatBitsToUint (stored);
  for (int c = 0; c < 4; c++) {
    uint magnitude = bits[c] & 0x7fffffffu;
    if (magnitude > infinite)
      value[c] = 0.0;
    else if (magnitude == infinite)
      value[c] = bits[c] == infinite ? 1.0 : 0.0;
    else
      value[c] = clamp (value[c], -uintBitsToFloat (largest), uintBitsToFloat (largest));
  }
#endif
  return value;
}

void main ()
{
  vec4 value = tamed (vec4 (texelFetch (source, ivec2 (gl_FragCoord.xy), 0)));
#if CHANNELS == 1
  scaled = store (value.rrrr - bias);
#elif CHANNELS == 3
  scaled = store (vec4 (value.rgb - bias, 1.0));
#else
  scaled = store (vec4 (value.rgb - bias, value.a));
#endif
}
