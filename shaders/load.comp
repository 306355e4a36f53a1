// SPDX-License-Identifier: MIT
// Stored samples to scaled ones, STORED_CHANNELS planes one after the other; the fourth is
// alpha. With YCBCR the stored ones are luma and colour differences, of which sample x of row y
// begins at byte place.x x + place.y + row y.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { uint stored[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#ifdef YCBCR
uniform ivec2 first_place;
uniform ivec2 second_place;
uniform ivec2 third_place;
uniform ivec2 plane_rows; // bytes, of luma and of the differences
uniform float bias;

float component (ivec2 place, int row, ivec2 p)
{
  int at = p.x * place.x + place.y + p.y * row;
  return float (bitfieldExtract (stored[at >> 2], (at & 3) * 8, STORED));
}

vec2 difference_at (ivec2 p)
{
  return vec2 (component (second_place, plane_rows.y, p),
               component (third_place, plane_rows.y, p));
}
#include "include/ycbcr.glsl"

vec3 colour_at (ivec2 p)
{
  p.x = min (p.x, size.x - 1);
  return colour_of (component (first_place, plane_rows.x, p), differences_at (p)) - bias;
}

void load (ivec2 quad)
{
  mat4x3 colours;
  for (int i = 0; i < 4; i++)
    colours[i] = colour_at (ivec2 (4 * quad.x + i, quad.y));
  mat3x4 channels = transpose (colours);
  for (int c = 0; c < 3; c++)
    target[c * target_layout.y + quad_index (quad)] = to_quad (channels[c]);
}
#else
#include "include/stored.glsl"

void load (ivec2 quad)
{
  for (int c = 0; c < STORED_CHANNELS; c++)
    target[c * target_layout.y + quad_index (quad)]
        = to_quad (loaded (stored_quad (quad.x, quad.y, c), c));
}
#endif

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x >= 0)
    load (quad);
}
