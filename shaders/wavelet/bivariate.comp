// SPDX-License-Identifier: MIT
// Bivariate shrinkage (src/plan/step.h) of the details of a level: size.y rows of LL, HL, LH and HH
// altogether, of which LL stays as it is.
//   WIDTH, HEIGHT           of the bands of this level
//   NEXT_WIDTH, NEXT_HEIGHT of those of the next one
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict readonly buffer Parents { SOURCE_QUAD parents[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform float parameters[9];
uniform ivec2 second_layout; // of the parents: quads per row, quads per channel

#define RADIUS (SIDE / 2)

// Of a band of a level of so many columns, or rows.
int side_of (int n, bool high)
{
  return high ? n / 2 : (n + 1) / 2;
}

float detail (ivec2 p, int first, ivec2 n)
{
  ivec2 at = ivec2 (border_fold (p.x, n.x), first + border_fold (p.y, n.y));
  return from_quad (source[quad_index (ivec2 (at.x >> 2, at.y))])[at.x & 3];
}

float parent_of (ivec2 p, int band)
{
  ivec2 n = ivec2 (side_of (NEXT_WIDTH, (band & 1) != 0), side_of (NEXT_HEIGHT, band > 1));
  if (min (n.x, n.y) == 0)
    return 0.0;
  ivec2 at = min (p / 2, n - 1);
  int row = band * ((NEXT_HEIGHT + 1) / 2) + at.y;
  return from_quad (parents[int (gl_WorkGroupID.z) * second_layout.y + row * second_layout.x
                            + (at.x >> 2)])[at.x & 3];
}

float shrunk (ivec2 p, int band, int first, ivec2 n)
{
  float f = detail (p, first, n), g = parameters[band + 2] * parent_of (p, band);
  float noise = parameters[band - 1] * parameters[band - 1], sum = 0.0;
  for (int y = -RADIUS; y <= RADIUS; y++)
    for (int x = -RADIUS; x <= RADIUS; x++) {
      float other = detail (p + ivec2 (x, y), first, n);
      sum += other * other;
    }
  float signal = sum / float (SIDE * SIDE) - noise;
  float length_of = sqrt (f * f + g * g);
  float rest = length_of - sqrt (3.0) * noise * inversesqrt (max (signal, 1e-30));
  return min (signal, rest) > 0.0 ? f * (rest / max (length_of, 1e-30)) : 0.0;
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int rows = size.y / 4, band = quad.y / rows, first = band * rows;
  vec4 result = from_quad (source[quad_index (quad)]);
  ivec2 n = ivec2 (side_of (WIDTH, (band & 1) != 0), side_of (HEIGHT, band > 1));
  for (int c = 0; c < 4 && band > 0; c++)
    result[c] = 4 * quad.x + c < n.x && quad.y - first < n.y
                    ? shrunk (ivec2 (4 * quad.x + c, quad.y - first), band, first, n) : 0.0;
  target[quad_index (quad)] = to_quad (result);
}
