// SPDX-License-Identifier: MIT
// Copies n quads from buffer to buffer or, with IMAGE, a texture to an image of the same size: the
// benchmark's baseline for dispatches.
uniform int n; // quads; with IMAGE texels per row

#ifdef IMAGE
layout (local_size_x = 32, local_size_y = 8) in;
uniform sampler2D source;
layout (r32f, binding = 0) restrict writeonly uniform highp image2D target;

void main ()
{
  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (at.x < n)
    imageStore (target, at, texelFetch (source, at, 0));
}
#else
layout (local_size_x = 256) in;
layout (std430, binding = 0) restrict readonly buffer Source { vec4 source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { vec4 target[]; };

void main ()
{
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  int at = int (group * 256u + gl_LocalInvocationID.x);
  if (at < n)
    target[at] = source[at];
}
#endif
