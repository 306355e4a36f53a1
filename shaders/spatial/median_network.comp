// SPDX-License-Identifier: MIT
// Median of SIDE * SIDE samples (3, 5, 7) of a picture in buffers: each invocation makes ROWS quads, one
// below the other, by the networks of median_networks.py. It sorts the columns of its own quads, as far
// as all windows share them, and finds its neighbours' in shared memory.
//   source  (binding 0)
//   target  (binding 1)
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };

#define PITCH (GROUP_WIDTH + 2) // a quad on both sides
#define QUADS (PITCH * GROUP_HEIGHT)
#define HEIGHT (SIDE + ROWS - 1) // of what an invocation sees
#define COMMON (SIDE - ROWS + 1) // rows of it that are in all windows

// One quad after the other: the first row, the ranks of the columns, the last row.
shared vec4 lines[HEIGHT * QUADS];
int own; // this invocation's first one

#define COLUMN(rank, k) lines[own + (rank + 1) * QUADS + k]
#define ROW(y, k) lines[own + (y) * QUADS + k]

#include "median_networks.glsl"

// What no window of the picture reaches is any sample.
vec4 quad_at (int x, int y)
{
  int row = quad_index (ivec2 (0, FOLD (min (y, size.y - 1 + SIDE / 2), size.y)));
  vec4 result;
  if (x >= 0 && x + 3 < size.x)
    return from_quad (source[row + (x >> 2)]);
  for (int c = 0; c < 4; c++) {
    int at = FOLD (clamp (x + c, -(SIDE / 2), size.x - 1 + SIDE / 2), size.x);
    result[c] = from_quad (source[row + (at >> 2)])[at & 3];
  }
  return result;
}

void main ()
{
  ivec2 first = ivec2 (gl_WorkGroupID.xy) * ivec2 (GROUP_WIDTH, GROUP_HEIGHT * ROWS);
  for (int i = int (gl_LocalInvocationIndex); i < QUADS; i += GROUP_WIDTH * GROUP_HEIGHT) {
    int x = 4 * (first.x - 1 + i % PITCH), y = first.y + i / PITCH * ROWS - SIDE / 2;
    vec4 common_rows[COMMON];
    for (int k = 0; k < COMMON; k++)
      common_rows[k] = quad_at (x, y + 1 + k);
    sort_columns (common_rows);
    for (int k = 0; k < COMMON; k++)
      lines[i + (k + 1) * QUADS] = common_rows[k];
    lines[i] = quad_at (x, y);
    lines[i + (HEIGHT - 1) * QUADS] = quad_at (x, y + HEIGHT - 1);
  }
  barrier ();

  own = int (gl_LocalInvocationID.y) * PITCH + int (gl_LocalInvocationID.x);
  ivec2 quad = first + ivec2 (gl_LocalInvocationID.xy) * ivec2 (1, ROWS);
  if (quad.x >= target_layout.x || quad.y >= size.y)
    return;
  vec4 result[ROWS];
  make_medians (result);
  for (int row = 0; row < ROWS; row++)
    if (quad.y + row < size.y)
      target[quad_index (quad + ivec2 (0, row))] = to_quad (result[row]);
}
