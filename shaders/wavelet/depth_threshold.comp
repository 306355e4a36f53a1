// SPDX-License-Identifier: MIT
// Shrinks all octants of a level but LLL: size.y quads of a slice, `depth` slices, `approx_plane`
// quads of a band. z of the work group is the slice of a channel.
#include "include/samples.glsl"
#include "include/octants.glsl"

layout (local_size_x = GROUP) in;
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 size;
uniform int depth;
uniform int approx_plane;

void main ()
{
  int quad = int (gl_GlobalInvocationID.x);
  int slice = int (gl_WorkGroupID.z);
  bool is_high = slice % depth >= (depth + 1) / 2;
  int band = quad / approx_plane;
  if (quad >= size.y || (band == 0 && !is_high))
    return;
  int i = slice * size.y + quad;
  target[i] = to_quad (shrink_octant (from_quad (source[i]), band, is_high));
}
