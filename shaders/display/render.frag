// SPDX-License-Identifier: MIT
// A rendered view of a volume, where there are no compute shaders.
#include "include/rays.glsl"

uniform int canvas_height;
layout (location = 0) out vec4 colour;

void main ()
{
  colour = colour_of_ray (vec2 (gl_FragCoord.x, float (canvas_height) - gl_FragCoord.y));
}
