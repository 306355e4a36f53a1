// SPDX-License-Identifier: MIT
// The value that more than half of a side of a picture has (src/plan/numbers.h), or 0. A work group
// handles a side of a channel, one sample per invocation, and renews the marks of mask.comp.
//   source  picture: quads; source_layout: quads per row, per channel
//   target  four numbers; target_layout: quads per row, per channel
#include "include/samples.glsl"

layout (local_size_x = SIDE_SAMPLES) in;
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { float target[]; };
layout (std430, binding = 2) restrict buffer Mark { uint all_in, all_before; };
uniform ivec2 size;
uniform ivec2 source_layout;
uniform ivec2 target_layout;
uniform float bias;

shared float candidate[SIDE_SAMPLES];
shared int lead[SIDE_SAMPLES]; // by which the candidate outnumbers all others together
shared int equal;

float sample_at (ivec2 p)
{
  int row = int (gl_WorkGroupID.z) * source_layout.y + p.y * source_layout.x;
  return from_quad (source[row + (p.x >> 2)])[p.x & 3] + bias;
}

// A value that more than half have survives every union.
void unite (int a, int b)
{
  bool same = candidate[a] == candidate[b];
  bool other = !same && lead[b] > lead[a];
  lead[a] = same ? lead[a] + lead[b] : abs (lead[a] - lead[b]);
  if (other)
    candidate[a] = candidate[b];
}

void main ()
{
  int i = int (gl_LocalInvocationIndex);
  int side = int (gl_WorkGroupID.x); // left, right, top, bottom
  int length = side < 2 ? size.y : size.x;
  int n = min (length, SIDE_SAMPLES);
  int along = min (i * length / n, length - 1);
  ivec2 p = side < 2 ? ivec2 (side == 0 ? 0 : size.x - 1, along)
                     : ivec2 (along, side == 2 ? 0 : size.y - 1);
  float own = sample_at (p);
  candidate[i] = own;
  lead[i] = i < n ? 1 : 0;
  if (i == 0)
    equal = 0;
  barrier ();
  for (int half_way = SIDE_SAMPLES / 2; half_way > 0; half_way >>= 1) {
    if (i < half_way)
      unite (i, i + half_way);
    barrier ();
  }
  if (i < n && own == candidate[0])
    atomicAdd (equal, 1);
  barrier ();
  if (i == 0)
    target[4 * int (gl_WorkGroupID.z) * target_layout.y + side]
      = 2 * equal > n ? candidate[0] : 0.0;
  if (i == 0 && side == 0 && int (gl_WorkGroupID.z) == 0) {
    all_before = all_in;
    all_in = 1u;
  }
}
