// SPDX-License-Identifier: MIT
// Covariances of noise in the coefficients of blocks (include/bm3d.glsl): a work group has those of blocks
// so many columns and rows apart, and an invocation for each coefficient.
//   between (binding 0)  noise
#include "include/bm3d.glsl"

layout (local_size_x = 64) in;

layout (std430, binding = 0) restrict writeonly buffer Between { uint between[]; };
uniform vec4 coefficients[16]; // correlations of samples up to SIDE - 1 columns and rows apart
shared float overlaps[64]; // of the rows of the transform, with themselves moved by so many samples
shared float correlations[64];

// Of samples p apart.
float correlation (ivec2 p)
{
  p = abs (p);
  return max (p.x, p.y) < SIDE ? correlations[p.y * SIDE + p.x] : 0.0;
}

void main ()
{
  const float of_rows[64] = float[64] (OVERLAPS);
  int t = int (gl_LocalInvocationIndex);
  ivec2 apart = ivec2 (gl_WorkGroupID.xy);
  float all = 0.0;

  overlaps[t] = of_rows[t];
  correlations[t] = coefficients[t >> 2][t & 3];
  barrier ();
  for (int y = 1 - SIDE; y < SIDE; y++) {
    float row = 0.0;
    for (int x = 1 - SIDE; x < SIDE; x++)
      row += overlaps[(t & 7) * SIDE + abs (x)] * correlation (apart - ivec2 (x, y));
    all += overlaps[(t >> 3) * SIDE + abs (y)] * row;
  }
  between[noise_at (apart) + t] = floatBitsToUint (all);
}
