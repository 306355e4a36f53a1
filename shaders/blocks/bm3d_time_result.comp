// SPDX-License-Identifier: MIT
// A frame of what BM3D of several frames keeps (include/bm3d_time.glsl): the means of what groups say of its
// samples or, with a weight < 0, as it came.
//   planes (binding 0), target (1)
#include "include/samples.glsl"

layout (local_size_x = 16, local_size_y = 8) in;
layout (std430, binding = 0) restrict readonly buffer Planes { vec4 planes[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 size;
uniform ivec2 target_layout; // quads per row, quads per channel
uniform ivec2 plane_layout; // quads per row and per plane
uniform int channel;
uniform int place;
uniform int weight; // the plane of weights
uniform float bias;

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy);

  if (quad.x >= target_layout.x || quad.y >= size.y)
    return;
  int at = quad.y * plane_layout.x + quad.x;
  vec4 result = planes[at + place * plane_layout.y];
  if (weight >= 0)
    result /= planes[at + weight * plane_layout.y];
  for (int c = 1; c < 4; c++)
    if (4 * quad.x + c >= size.x)
      result[c] = result[c - 1];
  target[channel * target_layout.y + quad.y * target_layout.x + quad.x] = to_quad (result - bias);
}
