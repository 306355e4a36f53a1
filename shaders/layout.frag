// SPDX-License-Identifier: MIT
// One band of one level to its place in the Mallat picture: the viewport is that place, `origin`
// its first texel. A grey band is one channel of the bands texture, chosen by `pick` (a one
// among zeros); a COLOUR band is a texture of its own.
#include "include/store.glsl"

uniform sampler2D band;
uniform ivec2 origin;
#ifndef COLOUR
uniform vec4 pick;
#endif

layout (location = 0) out vec4 result;

void main ()
{
  vec4 value = texelFetch (band, ivec2 (gl_FragCoord.xy) - origin, 0);
#ifdef COLOUR
  result = store (value);
#else
  result = store (vec4 (dot (value, pick)));
#endif
}
