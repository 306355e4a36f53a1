// SPDX-License-Identifier: MIT
// Input of analysis, after place_source: quads of a buffer; source_layout: quads per row, per
// channel. With STORED, the samples of the image itself, without a LOAD pass. `size` must be
// declared before.
#ifdef STORED
layout (std430, binding = 0) restrict readonly buffer Source { uint stored[]; };
#include "include/stored.glsl"

void place_source ()
{
}

vec4 source_quad (int q, int row)
{
  return loaded (stored_quad (q, row, int (gl_WorkGroupID.z)), 0);
}

float source_sample (int x, int row)
{
  return loaded (vec4 (stored_at (x, row, int (gl_WorkGroupID.z))), 0).x;
}
#else
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
uniform ivec2 source_layout;
int source_at; // of the channel

void place_source ()
{
  int slice = int (gl_WorkGroupID.z);
#ifdef SOURCE_SLICES // of a channel, where the target has TARGET_SLICES
  slice = slice / TARGET_SLICES * SOURCE_SLICES + slice % TARGET_SLICES;
#endif
  source_at = slice * source_layout.y;
}

vec4 source_quad (int q, int row)
{
  return from_quad (source[source_at + row * source_layout.x + q]);
}

float source_sample (int x, int row)
{
  return source_quad (x >> 2, row)[x & 3];
}
#endif
