// SPDX-License-Identifier: MIT
// Adds what the tiles of a band say of rows span.x to span.y - 1 of the frame at `place` to its sums, in the
// order of the tiles, one by one, so that it is of no account how many a band has (include/bm3d_time.glsl).
//   between (binding 0), sums (1)
#include "include/bm3d.glsl"

layout (local_size_x = 16, local_size_y = 8) in;
layout (std430, binding = 0) restrict readonly buffer Between { uint between[]; };
layout (std430, binding = 1) restrict buffer Sums { vec4 sums[]; };
uniform ivec2 span;
uniform int place;
uniform int rows; // of tiles in the band

#define TALL (TILE * STEP_OF_BLOCKS)

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy) + ivec2 (0, span.x), p = ivec2 (4 * quad.x, quad.y);

  if (quad.x >= target_layout.x || quad.y >= span.y)
    return;
  // Tiles beyond these reach no sample of the quad, nor does each of them.
  ivec2 begin = max ((p + REACH - EDGE + 1 + TALL - 1) / TALL, ivec2 (0, first));
  ivec2 end = min ((p + ivec2 (3, 0) + REACH + STEP_OF_BLOCKS - 1) / TALL,
                   ivec2 (count_of_tiles ().x - 1, first + rows - 1));
  int own = place * target_layout.y + quad.y * target_layout.x + quad.x, weights = own + FRAMES * target_layout.y;
  vec4 sum = sums[own], weight = sums[weights];

  for (int y = begin.y; y <= end.y; y++)
    for (int x = begin.x; x <= end.x; x++) {
      ivec2 at = p - origin_of (ivec2 (x, y));
      int i = tile_at (ivec2 (x, y)) + at.y * PITCH + at.x;
      if (at.y < 0 || at.y >= EDGE)
        continue;
      for (int c = 0; c < 4; c++)
        if (at.x + c >= 0 && at.x + c < EDGE) {
          sum[c] += uintBitsToFloat (between[i + c]);
          weight[c] += uintBitsToFloat (between[i + c + AREA]);
        }
    }
  sums[own] = sum;
  sums[weights] = weight;
}
