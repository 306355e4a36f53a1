// SPDX-License-Identifier: MIT
// Shrinks all octants of a level but LLL: size.y quads of a slice, `depth` slices, `approx_plane`
// quads of a band. z of the work group is the slice of a channel. With a RADIUS by the squares of the
// neighbours in the octant, as src/plan/step.h says; extent: samples of a slice; source_layout.x:
// quads of a row.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/octants.glsl"

layout (local_size_x = GROUP) in;
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 size;
uniform int depth;
uniform int approx_plane;

#if RADIUS > 0
uniform ivec2 extent;
uniform ivec2 source_layout;

// Of quad `quad` of a slice.
vec4 shrink_beside (vec4 detail, int quad, int band, bool is_high)
{
  ivec2 octant = (extent + 1 - ivec2 (band & 1, band >> 1)) / 2;
  int low = (depth + 1) / 2, slices = is_high ? depth - low : low;
  int slice = int (gl_WorkGroupID.z) % depth, first = int (gl_WorkGroupID.z) - slice;
  int z = slice - (is_high ? low : 0), in_band = quad - band * approx_plane;
  int y = in_band / source_layout.x, x = 4 * (in_band - y * source_layout.x);
  vec4 squares = vec4 (0.0);
  if (y >= octant.y)
    return detail;
  for (int dz = -RADIUS; dz <= RADIUS; dz++)
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
      int own = border_fold (z + dz, slices) + (is_high ? low : 0);
      int row = (first + own) * size.y + band * approx_plane
                + border_fold (y + dy, octant.y) * source_layout.x;
      for (int k = -RADIUS; k < 4 + RADIUS; k++) {
        int at = border_fold (x + k, octant.x);
        float value = from_quad (source[row + (at >> 2)])[at & 3];
        for (int c = 0; c < 4; c++)
          if (abs (k - c) <= RADIUS)
            squares[c] += value * value;
      }
    }
  float threshold = threshold_of_octant (band, is_high);
  float limit = threshold * threshold * float (2 * RADIUS + 1);
  return detail * max (1.0 - limit / max (squares, vec4 (1e-30)), 0.0);
}
#endif

void main ()
{
  int quad = int (gl_GlobalInvocationID.x);
  int slice = int (gl_WorkGroupID.z);
  bool is_high = slice % depth >= (depth + 1) / 2;
  int band = quad / approx_plane;
  if (quad >= size.y || (band == 0 && !is_high))
    return;
  int i = slice * size.y + quad;
  vec4 detail = from_quad (source[i]);
#if RADIUS > 0
  target[i] = to_quad (shrink_beside (detail, quad, band, is_high));
#else
  target[i] = to_quad (shrink_octant (detail, band, is_high));
#endif
}
