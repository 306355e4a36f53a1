// SPDX-License-Identifier: MIT
// The guides of frames, from the place `first` on: what groups of step one say of their samples
// (include/bm3d_time.glsl).
//   sums (binding 0), pictures (1)
layout (local_size_x = 16, local_size_y = 8) in;
layout (std430, binding = 0) restrict readonly buffer Sums { vec4 sums[]; };
layout (std430, binding = 1) restrict writeonly buffer Pictures { vec4 pictures[]; };
uniform ivec2 size;
uniform ivec2 plane_layout; // quads per row and per plane
uniform int first;

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy);
  int place = (first + int (gl_WorkGroupID.z)) % FRAMES;

  if (quad.x >= plane_layout.x || quad.y >= size.y)
    return;
  int at = place * plane_layout.y + quad.y * plane_layout.x + quad.x, behind = at + FRAMES * plane_layout.y;
  pictures[behind] = sums[at] / sums[behind];
}
