// SPDX-License-Identifier: MIT
// A rendered view of a volume: size pixels of the canvas from `origin` on, in GL's
// coordinates (y from the bottom), of an image as large as the canvas.
#include "include/rays.glsl"

layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0, rgba8) restrict writeonly uniform highp image2D picture;
uniform int canvas_height;
uniform ivec2 origin, size;

void main ()
{
  ivec2 inside = ivec2 (gl_GlobalInvocationID.xy);
  if (inside.x >= size.x || inside.y >= size.y)
    return;
  ivec2 at = origin + inside;
  vec2 pixel = vec2 (float (at.x) + 0.5, float (canvas_height - at.y) - 0.5);
  imageStore (picture, at, colour_of_ray (pixel));
}
