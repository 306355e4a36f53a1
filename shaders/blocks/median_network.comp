// SPDX-License-Identifier: MIT
// Median of SIDE * SIDE samples (3, 5, 7) of a picture in buffers: each invocation makes ROWS quads, one
// below the other, by the networks of median_networks.py, from samples that its work group shares.
//   source  (binding 0)
//   target  (binding 1)
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };

#define GROUP (GROUP_WIDTH * GROUP_HEIGHT)
#define PITCH (GROUP_WIDTH + 2) // a quad on both sides
#define TILE (PITCH * (GROUP_HEIGHT * ROWS + SIDE - 1))
#define ROUNDS ((TILE + GROUP - 1) / GROUP)
shared vec4 tile[TILE];
int own; // this invocation's first quad

#define QUAD(y, k) tile[own + (y) * PITCH + k]
#include "median_networks.glsl"

// Where row y begins; what no window of the picture reaches is any row.
int row_at (int y)
{
  return quad_index (ivec2 (0, FOLD (min (y, size.y - 1 + SIDE / 2), size.y)));
}

vec4 quad_at (int x, int row)
{
  vec4 result;
  if (x >= 0 && x + 3 < size.x)
    return from_quad (source[row + (x >> 2)]);
  for (int c = 0; c < 4; c++) {
    int at = FOLD (clamp (x + c, -(SIDE / 2), size.x - 1 + SIDE / 2), size.x);
    result[c] = from_quad (source[row + (at >> 2)])[at & 3];
  }
  return result;
}

// Away from the borders an invocation waits once for all that it loads.
void load (ivec2 first)
{
  int worker = int (gl_LocalInvocationIndex);
  first -= ivec2 (1, SIDE / 2);
  if (first.x >= 0 && 4 * (first.x + PITCH) <= size.x) {
    SOURCE_QUAD quad[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
      int i = min (worker + k * GROUP, TILE - 1);
      quad[k] = source[row_at (first.y + i / PITCH) + first.x + i % PITCH];
    }
    for (int k = 0; k < ROUNDS; k++)
      tile[min (worker + k * GROUP, TILE - 1)] = from_quad (quad[k]);
  } else
    for (int i = worker; i < TILE; i += GROUP)
      tile[i] = quad_at (4 * (first.x + i % PITCH), row_at (first.y + i / PITCH));
}

void main ()
{
  ivec2 local = ivec2 (gl_LocalInvocationID.xy);
  ivec2 first = ivec2 (gl_WorkGroupID.xy) * ivec2 (GROUP_WIDTH, GROUP_HEIGHT * ROWS);
  ivec2 quad = first + local * ivec2 (1, ROWS);
  vec4 result[ROWS];

  load (first);
  barrier ();
  if (quad.x >= target_layout.x || quad.y >= size.y)
    return;
  own = local.y * ROWS * PITCH + local.x;
  make_medians (result);
  for (int row = 0; row < ROWS; row++)
    if (quad.y + row < size.y)
      target[quad_index (quad + ivec2 (0, row))] = to_quad (result[row]);
}
