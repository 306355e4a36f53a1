// SPDX-License-Identifier: MIT
// A picture with a magnitude of every 2 x 2 block of a band of the dual tree (of LL its first sample)
// placed where the Mallat layout has the decimated band, or with RULE 2 and 3 at the top left; with 1 and 3
// the direction that falls to the right; cf. spatial/place.glsl.
//   source  picture
//   band    source_layout: quads per row, per channel
#include "include/quads.glsl"

layout (std430, binding = 0) readonly buffer Source { vec4 source[]; };
layout (std430, binding = 1) readonly buffer Band { vec4 band[]; };
layout (std430, binding = 2) writeonly buffer Target { vec4 target[]; };
uniform ivec2 source_layout;

float band_sample (ivec2 p)
{
  return band[int (gl_WorkGroupID.z) * source_layout.y + p.y * source_layout.x + (p.x >> 2)]
             [p.x & 3];
}

float band_value (ivec2 p)
{
#if BAND == 0
  return band_sample (p);
#else
  const float sign = (RULE & 1) != 0 ? 1.0 : -1.0;
  return sqrt (0.5) * length (vec2 (band_sample (p) + sign * band_sample (p + 1),
                                    band_sample (p + ivec2 (1, 0)) - sign * band_sample (p + ivec2 (0, 1))));
#endif
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  ivec2 side = RULE < 2 ? ivec2 (BAND % 2, BAND / 2) : ivec2 (0);
  ivec2 low = (size + (1 << LEVEL) - 1) >> LEVEL;
  ivec2 all_of_it = (size + (1 << (LEVEL - 1)) - 1) >> (LEVEL - 1);
  ivec2 from = side * low;
  ivec2 end = low + side * (all_of_it - low);
  vec4 result = source[quad_index (quad)];
  for (int c = 0; c < 4; c++) {
    ivec2 p = ivec2 (4 * quad.x + c, quad.y);
    if (all (greaterThanEqual (p, from)) && all (lessThan (p, end)))
      result[c] = band_value (2 * (p - from));
  }
  target[quad_index (quad)] = result;
}
