// SPDX-License-Identifier: MIT
// Mask of samples that count in a picture, or in the bands of a level (src/plan/numbers.h): 1 or 0.
//   PICTURE  source: the picture; sides: four numbers per channel. Blocks of surroundings are 0
//   else     source: mask of the finer level. 1 if all samples that a detail depends on are 1
//   leaves_out  1 once a sample of the picture is 0; else nothing is read but that
//   extent   samples of the source; source_layout: quads per row, per channel
// A row is handled as bits: column x0 + FIRST is bit 0.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
#ifdef PICTURE
layout (std430, binding = 1) restrict readonly buffer Sides { vec4 sides[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
layout (std430, binding = 3) restrict buffer Mark { uint leaves_out; };
#define TOLERANCE parameters[0]
uniform float parameters[9];
uniform float bias;
#else
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
layout (std430, binding = 2) restrict readonly buffer Mark { uint leaves_out; };
#endif
uniform ivec2 extent;
uniform ivec2 source_layout;

float source_at (int x, int y)
{
  int row = int (gl_WorkGroupID.z) * source_layout.y + y * source_layout.x;
  return from_quad (source[row + (x >> 2)])[x & 3];
}

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
  for (int i = 0; i < 8; i++) {
    int x = x0 - 2 + i;
    if (x >= 0 && x < extent.x && is_surrounding (source_at (x, y) + bias))
      bits |= 1 << i;
  }
  return bits & bits >> 1 & bits >> 2; // blocks that start there
}

// Bit i: sample x0 + i is masked out.
int outside (ivec2 quad)
{
  int x0 = 4 * quad.x, blocks = 0;
  int rows[5];
  for (int r = 0; r < 5; r++)
    rows[r] = row_bits (x0, quad.y - 2 + r);
  for (int r = 1; r < 4; r++)
    blocks |= rows[r - 1] & rows[r] & rows[r + 1];
  return blocks | blocks >> 1 | blocks >> 2;
}
#else
int outside (ivec2 quad)
{
  int first = 8 * quad.x - 2, all = (1 << 13) - 1, result = 0;
  if (leaves_out == 0u)
    return 0;
  for (int y = max (2 * quad.y - 2, 0); y <= min (2 * quad.y + 4, extent.y - 1); y++)
    for (int i = 0; i < 13; i++) {
      int x = first + i;
      if (x >= 0 && x < extent.x && source_at (x, y) < 0.5)
        all &= ~(1 << i);
    }
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
    leaves_out = 1u;
#endif
  target[quad_index (quad)] = to_quad (vec4 ((ivec4 (bits) >> ivec4 (0, 1, 2, 3) & 1) ^ 1));
}
