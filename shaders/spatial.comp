// SPDX-License-Identifier: MIT
// As spatial.frag, for pictures in buffers: a SAMPLE is one number of one channel.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

#define SAMPLE float
#define KEY int
#define LARGEST_SELECTION 7
#define MASK bool
#define NOT_GREATER(a, b) ((a) <= (b))
#define EQUAL(a, b) ((a) == (b))
#define ALL_EQUAL EQUAL

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform float parameters[6];

KEY choose (MASK which, KEY yes, KEY no)
{
  return which ? yes : no;
}

SAMPLE at (ivec2 p)
{
  int x = FOLD (p.x, size.x);
  return from_quad (source[quad_index (ivec2 (x >> 2, FOLD (p.y, size.y)))])[x & 3];
}

#include "spatial/STEP.glsl"

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  vec4 result;
  for (int c = 0; c < 4; c++)
    result[c] = filtered (ivec2 (min (4 * quad.x + c, size.x - 1), quad.y));
  target[quad_index (quad)] = to_quad (result);
}
