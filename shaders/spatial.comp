// SPDX-License-Identifier: MIT
// As spatial.frag, for pictures in buffers: a SAMPLE is one float of one channel.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

#define SAMPLE float
#define KEY int
#define MASK bool
#define NOT_GREATER(a, b) ((a) <= (b))
#define EQUAL(a, b) ((a) == (b))
#define ALL_EQUAL EQUAL

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
#ifdef SECOND
layout (std430, binding = 1) restrict readonly buffer Second { SOURCE_QUAD second[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#else
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#endif
uniform float parameters[9];
uniform vec2 taps[42];
uniform ivec2 spacing;
uniform int first;
#ifdef KERNEL_HEIGHT
uniform vec4 coefficients[85];
#endif
uniform float bias; // what samples are stored less: at () and filtered () return them so

KEY choose (MASK which, KEY yes, KEY no)
{
  return which ? yes : no;
}

SAMPLE source_at (ivec2 p)
{
  int x = FOLD (p.x, size.x);
  return from_quad (source[quad_index (ivec2 (x >> 2, FOLD (p.y, size.y)))])[x & 3];
}

#ifdef TILE_REACH
// The samples of a work group and those about them, folded at the borders. Columns that are alike
// but for a multiple of four stand side by side, since invocations do.
#define TILE_COLUMNS ((4 * GROUP_WIDTH + 2 * TILE_REACH + 3) / 4)
#define TILE_ROWS (GROUP_HEIGHT + 2 * TILE_REACH)
shared float tile[4 * TILE_ROWS * TILE_COLUMNS];

ivec2 tile_origin ()
{
  return ivec2 (gl_WorkGroupID.xy) * ivec2 (4 * GROUP_WIDTH, GROUP_HEIGHT) - TILE_REACH;
}

void load_tile ()
{
  for (int i = int (gl_LocalInvocationIndex); i < 4 * TILE_ROWS * TILE_COLUMNS;
       i += GROUP_WIDTH * GROUP_HEIGHT) {
    int column = i % (4 * TILE_COLUMNS), row = i / (4 * TILE_COLUMNS);
    ivec2 p = tile_origin () + ivec2 (column, row);
    tile[((column & 3) * TILE_ROWS + row) * TILE_COLUMNS + (column >> 2)]
      = source_at (min (p, size - 1 + TILE_REACH));
  }
  barrier ();
}

SAMPLE at (ivec2 p)
{
  ivec2 place = p - tile_origin ();
  return tile[((place.x & 3) * TILE_ROWS + place.y) * TILE_COLUMNS + (place.x >> 2)];
}
#else
SAMPLE at (ivec2 p)
{
  return source_at (p);
}
#endif

#ifdef DEPTH
// Of a volume of so many slices, which follow one another in each channel: `dz` slices on.
SAMPLE at_slice (ivec2 p, int dz)
{
  int plane = int (gl_WorkGroupID.z), z = plane % DEPTH, x = FOLD (p.x, size.x);
  int quads = (plane - z + border_fold (z + dz, DEPTH)) * target_layout.y;
  return from_quad (source[quads + FOLD (p.y, size.y) * target_layout.x + (x >> 2)])[x & 3];
}
#endif

#ifdef SECOND
SAMPLE second_at (ivec2 p)
{
  ivec2 at = ivec2 (FOLD (p.x, size.x), FOLD (p.y, size.y));
#ifdef SECOND_GREY
  int quad = at.y * target_layout.x + (at.x >> 2);
#else
  int quad = quad_index (ivec2 (at.x >> 2, at.y));
#endif
  return from_quad (second[quad])[at.x & 3];
}

// Where the second picture holds numbers.
float number_at (int i)
{
  return from_quad (second[i >> 2])[i & 3];
}
#endif

#include "spatial/STEP.glsl"

void main ()
{
  ivec2 quad = own_quad ();
#ifdef TILE_REACH
  load_tile ();
#endif
  if (quad.x < 0)
    return;
  vec4 result;
  for (int c = 0; c < 4; c++)
    result[c] = filtered (ivec2 (min (4 * quad.x + c, size.x - 1), quad.y));
  target[quad_index (quad)] = to_quad (result);
}
