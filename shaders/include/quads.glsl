// SPDX-License-Identifier: MIT
// One quad of a row per invocation; z of the work group is the channel.
#ifndef GROUP_WIDTH // a benchmark tries others
#define GROUP_WIDTH 16
#define GROUP_HEIGHT 8
#endif
layout (local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;

uniform ivec2 size; // samples of the picture
uniform ivec2 target_layout; // quads per row, quads per channel

// This invocation's quad; x = -1 outside the picture.
ivec2 own_quad ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy);
  return quad.x < target_layout.x && quad.y < size.y ? quad : ivec2 (-1);
}

int quad_index (ivec2 quad)
{
  return int (gl_WorkGroupID.z) * target_layout.y + quad.y * target_layout.x + quad.x;
}
