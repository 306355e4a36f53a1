// SPDX-License-Identifier: MIT
// A frame takes its place among those that BM3D of several frames looks at (include/bm3d_time.glsl): its
// samples there, and no sums.
//   source (binding 0), pictures (1), sums of step one (2) and two (3)
#include "include/bm3d.glsl"

layout (local_size_x = 16, local_size_y = 8) in;
layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
layout (std430, binding = 1) restrict writeonly buffer Pictures { vec4 pictures[]; };
layout (std430, binding = 2) restrict writeonly buffer First { vec4 first_sums[]; };
layout (std430, binding = 3) restrict writeonly buffer Second { vec4 second_sums[]; };
uniform ivec2 plane_layout; // quads per row and per plane
uniform int place;

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy);
  vec4 samples;

  if (quad.x >= plane_layout.x || quad.y >= padded_size ().y)
    return;
  for (int c = 0; c < 4; c++)
    samples[c] = SAMPLE_AT (source, sample_index (ivec2 (min (4 * quad.x + c, padded_size ().x - 1), quad.y)));
  int at = place * plane_layout.y + quad.y * plane_layout.x + quad.x, weights = at + FRAMES * plane_layout.y;
  pictures[at] = samples;
  // One by one: the value of an assignment is read, which NVIDIA's compiler refuses of what is written only.
  first_sums[at] = vec4 (0.0);
  first_sums[weights] = vec4 (0.0);
  second_sums[at] = vec4 (0.0);
  second_sums[weights] = vec4 (0.0);
}
