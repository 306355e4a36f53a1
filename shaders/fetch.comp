// SPDX-License-Identifier: MIT
// Copies quads of words first … n − 1 from memory that the GPU reads over the bus: a few
// groups with several loads each on their way fill the bus and leave the GPU to others.
// Quad 0 lies `source_first` quads into the source's buffer.
uniform int first;
uniform int n;
uniform int source_first;

layout (local_size_x = 256) in;
layout (std430, binding = 0) restrict readonly buffer Source { uvec4 source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { uvec4 target[]; };

void main ()
{
  int stride = int (gl_NumWorkGroups.x) * 256;
  int last = n - 1;

  for (int i = first + int (gl_GlobalInvocationID.x); i < n; i += 4 * stride) {
    ivec4 at = min (ivec4 (i, i + stride, i + 2 * stride, i + 3 * stride), ivec4 (last));
    uvec4 a = source[source_first + at.x];
    uvec4 b = source[source_first + at.y];
    uvec4 c = source[source_first + at.z];
    uvec4 d = source[source_first + at.w];
    target[at.x] = a;
    target[at.y] = b;
    target[at.z] = c;
    target[at.w] = d;
  }
}
