// SPDX-License-Identifier: MIT
// Mask of samples that count in a picture, or in the bands of a level (src/plan/numbers.h): 1 or 0.
//   PICTURE  source: the picture; sides: four numbers per channel. Blocks of surroundings are 0
//   else     source: mask of the finer level. 1 if all samples that a detail depends on are 1
//   all_in  0 once a sample of the picture is 0; all_before: of the frame before, whose masks lie in
//           the targets. What is 1 there stays
//   VOLUME  of volumes: z of the work group is a slice of a channel; depth: slices of the source
//   extent   samples of the source; source_layout: quads per row, per channel
// A row is handled as bits: column x0 + FIRST is bit 0.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
#ifdef PICTURE
layout (std430, binding = 1) restrict readonly buffer Sides { vec4 sides[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
layout (std430, binding = 3) restrict buffer Mark { uint all_in, all_before; };
#define TOLERANCE parameters[0]
uniform float parameters[9];
uniform float bias;
#else
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
layout (std430, binding = 2) restrict readonly buffer Mark { uint all_in, all_before; };
#endif
uniform ivec2 extent;
uniform ivec2 source_layout;
#ifdef VOLUME
uniform int depth;
#endif

#ifdef PICTURE
bool is_surrounding (float value)
{
  vec4 off = abs (vec4 (value) - sides[int (gl_WorkGroupID.z)]);
  return min (min (min (off.x, off.y), min (off.z, off.w)), abs (value)) <= TOLERANCE;
}

// Which of the samples x0 - 2 .. x0 + 5 of a row are surroundings; none outside the picture.
int row_bits (int x0, int y)
{
  int bits = 0;
  if (y < 0 || y >= extent.y)
    return 0;
  int row = int (gl_WorkGroupID.z) * source_layout.y + y * source_layout.x;
  for (int q = 0; q < 3; q++) {
    int quad = clamp ((x0 >> 2) + q - 1, 0, (extent.x - 1) >> 2);
    vec4 values = from_quad (source[row + quad]) + bias;
    for (int c = 0; c < 4; c++)
      if (is_surrounding (values[c]))
        bits |= 1 << (4 * q + c);
  }
  int first = max (4 - x0, 0), end = clamp (extent.x - x0 + 4, first, 12);
  bits &= (1 << end) - (1 << first); // those in the picture
  bits >>= 2;
  return bits & bits >> 1 & bits >> 2 & 63; // blocks that start there
}

// Bit i: sample x0 + i is masked out.
int outside (ivec2 quad)
{
  int x0 = 4 * quad.x, blocks = 0;
  int rows[5];
  // Every block about one of the four samples has three of its row, the first or the last of the
  // four among them.
  vec4 own = from_quad (source[int (gl_WorkGroupID.z) * source_layout.y
                               + quad.y * source_layout.x + quad.x]) + bias;
  if (!is_surrounding (own.x) && !is_surrounding (own.w))
    return 0;
  for (int r = 0; r < 5; r++)
    rows[r] = row_bits (x0, quad.y - 2 + r);
  for (int r = 1; r < 4; r++)
    blocks |= rows[r - 1] & rows[r] & rows[r + 1];
  return blocks | blocks >> 1 | blocks >> 2;
}
#else
float source_at (int x, int y, int plane)
{
  int row = plane * source_layout.y + y * source_layout.x;
  return from_quad (source[row + (x >> 2)])[x & 3];
}

int outside (ivec2 quad)
{
  int first = 8 * quad.x - 2, all = (1 << 13) - 1, result = 0, plane = int (gl_WorkGroupID.z);
  if (all_in != 0u)
    return 0;
#ifdef VOLUME
  int slices = (depth + 1) / 2, z = plane % slices, channel = plane / slices;
  for (int fz = max (2 * z - 2, 0); fz <= min (2 * z + 4, depth - 1); fz++) {
  plane = channel * depth + fz;
#endif
  for (int y = max (2 * quad.y - 2, 0); y <= min (2 * quad.y + 4, extent.y - 1); y++)
    for (int i = 0; i < 13; i++) {
      int x = first + i;
      if (x >= 0 && x < extent.x && source_at (x, y, plane) < 0.5)
        all &= ~(1 << i);
    }
#ifdef VOLUME
  }
#endif
  for (int i = 0; i < 4; i++)
    if ((all >> (2 * i) & 127) != 127)
      result |= 1 << i;
  return result;
}
#endif

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int bits = outside (quad);
#ifdef PICTURE
  if (bits != 0)
    all_in = 0u;
#endif
  if (all_before != 0u && bits == 0)
    return;
  target[quad_index (quad)] = to_quad (vec4 ((ivec4 (bits) >> ivec4 (0, 1, 2, 3) & 1) ^ 1));
}
