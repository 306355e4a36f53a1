// SPDX-License-Identifier: MIT
// Sums of frames, from the place `first` on, become 0 (include/bm3d_time.glsl).
//   sums (binding 0)
layout (local_size_x = 16, local_size_y = 8) in;
layout (std430, binding = 0) restrict writeonly buffer Sums { vec4 sums[]; };
uniform ivec2 size;
uniform ivec2 plane_layout; // quads per row and per plane
uniform int first;

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy);
  int place = (first + int (gl_WorkGroupID.z)) % FRAMES;

  if (quad.x >= plane_layout.x || quad.y >= size.y)
    return;
  int at = place * plane_layout.y + quad.y * plane_layout.x + quad.x;
  sums[at] = vec4 (0.0);
  sums[at + FRAMES * plane_layout.y] = vec4 (0.0);
}
