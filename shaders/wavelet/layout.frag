// SPDX-License-Identifier: MIT
// Copies one band of a level to its place in the Mallat layout: the viewport is that place,
// `origin` its first texel. A grey band is the component `pick` (a unit vector) of the bands
// texture; a COLOUR band is a texture, with PACKED one component of three textures.
#include "include/store.glsl"

uniform sampler2D band;
#ifdef PACKED
uniform sampler2D green;
uniform sampler2D blue;
#endif
uniform ivec2 origin;
#ifndef COLOUR
uniform vec4 pick;
#endif

layout (location = 0) out vec4 result;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy) - origin;
  vec4 value = texelFetch (band, p, 0);
#ifdef COLOUR
  result = store (value);
#elif defined PACKED
  result = store (vec4 (dot (value, pick), dot (texelFetch (green, p, 0), pick),
                        dot (texelFetch (blue, p, 0), pick), 1.0));
#else
  result = store (vec4 (dot (value, pick)));
#endif
}
