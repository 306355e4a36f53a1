// SPDX-License-Identifier: MIT
// Combines the bands of two pictures.
//   grey    RGBA (LL, LH, HL, HH) of each -> the same
//   PACKED  three textures like that of grey, one per channel, of each -> three targets
//   COLOUR  two textures of each -> two targets: HL and HH, or with LEFT LL and LH
#include "include/store.glsl"
#include "include/combine.glsl"

uniform sampler2D first;
uniform sampler2D second;
layout (location = 0) out vec4 result;
#ifdef COLOUR
uniform sampler2D first_below;
uniform sampler2D second_below;
layout (location = 1) out vec4 result_below;

vec4 combined_band (sampler2D a, sampler2D b, float own, float other, float low)
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  return store (combined (texelFetch (a, p, 0), texelFetch (b, p, 0), vec4 (own), vec4 (other),
                          vec4 (low)));
}

void main ()
{
#ifdef LEFT
  result = combined_band (first, second, LL, OTHER_LL, 1.0);
  result_below = combined_band (first_below, second_below, LH, OTHER_LH, 0.0);
#else
  result = combined_band (first, second, HL, OTHER_HL, 0.0);
  result_below = combined_band (first_below, second_below, HH, OTHER_HH, 0.0);
#endif
}
#else
#ifdef PACKED
uniform sampler2D first_green;
uniform sampler2D first_blue;
uniform sampler2D second_green;
uniform sampler2D second_blue;
layout (location = 1) out vec4 green;
layout (location = 2) out vec4 blue;
#endif

vec4 combined_bands (sampler2D a, sampler2D b)
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  return store (combined (texelFetch (a, p, 0), texelFetch (b, p, 0), vec4 (LL, LH, HL, HH),
                          vec4 (OTHER_LL, OTHER_LH, OTHER_HL, OTHER_HH),
                          vec4 (1.0, 0.0, 0.0, 0.0)));
}

void main ()
{
  result = combined_bands (first, second);
#ifdef PACKED
  green = combined_bands (first_green, second_green);
  blue = combined_bands (first_blue, second_blue);
#endif
}
#endif
