// SPDX-License-Identifier: MIT
// Scales stored samples from textures of their own type (SOURCE: sampler2D, usampler2D,
// isampler2D). `bias` is subtracted from colours (not alpha). CHANNELS is 1, 3 or 4 (with alpha).
// PLANES: three textures of single samples; sample x of a row is texel place.x x + place.y. YCBCR:
// these are luma and differences; LUMA_ONLY: only the luma is used.
#include "include/store.glsl"
#include "include/scaled.glsl"

uniform highp SOURCE source;
uniform float bias;
#ifdef PLANES
uniform highp SECOND second;
uniform highp SECOND third;
uniform ivec2 first_place;
uniform ivec2 second_place;
uniform ivec2 third_place;
#define COMPONENT(plane, place, p) \
  float (texelFetch (plane, ivec2 ((p).x * place.x + place.y, (p).y), 0).r)
#endif

#ifdef YCBCR
vec2 difference_at (ivec2 p)
{
  return vec2 (COMPONENT (second, second_place, p), COMPONENT (third, third_place, p));
}
#include "include/ycbcr.glsl"
#endif

layout (location = 0) out vec4 scaled;

vec4 value_at (ivec2 p)
{
#ifdef LUMA_ONLY
  return vec4 ((COMPONENT (source, first_place, p) - ranges.x) * ranges.y);
#elif defined YCBCR
  return vec4 (colour_of (COMPONENT (source, first_place, p), differences_at (p)), 1.0);
#elif defined PLANES
  return scaled_samples (vec4 (COMPONENT (source, first_place, p),
                               COMPONENT (second, second_place, p),
                               COMPONENT (third, third_place, p), 0.0));
#else
  return scaled_samples (vec4 (texelFetch (source, p, 0)));
#endif
}

void main ()
{
  vec4 value = value_at (ivec2 (gl_FragCoord.xy));
#if CHANNELS == 1
  scaled = store (value.rrrr - bias);
#elif CHANNELS == 3
  scaled = store (vec4 (value.rgb - bias, 1.0));
#else
  scaled = store (vec4 (value.rgb - bias, value.a));
#endif
}
