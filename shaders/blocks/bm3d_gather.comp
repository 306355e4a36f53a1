// SPDX-License-Identifier: MIT
// Samples of rows span.x to span.y - 1: the means of what tiles say of them (include/bm3d.glsl), in the
// order of the tiles. Without noise the picture as it is.
//   source (binding 0), between (1), target (2)
#include "include/samples.glsl"
#include "include/bm3d.glsl"

layout (local_size_x = 16, local_size_y = 8) in;
layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
layout (std430, binding = 1) restrict readonly buffer Between { uint between[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 span;

#define TALL (TILE * STEP_OF_BLOCKS)

// Tiles beyond these reach no sample of the quad at p, nor does each of them.
ivec2 first_tile (ivec2 p)
{
  return max ((p + REACH - EDGE + 1 + TALL - 1) / TALL, ivec2 (0));
}

ivec2 last_tile (ivec2 p)
{
  return min ((p + ivec2 (3, 0) + REACH + STEP_OF_BLOCKS - 1) / TALL, count_of_tiles () - 1);
}

vec4 means_at (ivec2 p)
{
  ivec2 begin = first_tile (p), end = last_tile (p);
  vec4 sum = vec4 (0.0), weight = vec4 (0.0);

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
  return sum / weight;
}

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy) + ivec2 (0, span.x);

  if (quad.x >= target_layout.x || quad.y >= span.y)
    return;
  vec4 result = means_at (ivec2 (4 * quad.x, quad.y));
  if (!(SIGMA > 0.0))
    for (int c = 0; c < 4; c++)
      result[c] = SAMPLE_AT (source, sample_index (ivec2 (min (4 * quad.x + c, size.x - 1), quad.y)));
  for (int c = 1; c < 4; c++)
    if (4 * quad.x + c >= size.x)
      result[c] = result[c - 1];
  target[channel * target_layout.y + quad.y * target_layout.x + quad.x] = to_quad (result - bias);
}
