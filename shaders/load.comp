// SPDX-License-Identifier: MIT
// Scales stored samples to STORED_CHANNELS planes; the fourth is alpha. YCBCR: converts luma and
// differences, of which sample x of row y is at byte place.x x + place.y + row y. LUMA_ONLY: only
// luma, as the only plane. FILTERED: combines the differences with a plane of filtered, scaled
// luma.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Source { uint stored[]; };
#ifdef FILTERED
layout (std430, binding = 1) restrict readonly buffer Luma { SOURCE_QUAD luma[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#else
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#endif
#ifdef YCBCR
uniform ivec2 first_place;
uniform ivec2 second_place;
uniform ivec2 third_place;
uniform ivec2 plane_rows; // bytes of luma, of the differences
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

// Samples 4 q .. 4 q + 3 of a row; those beyond its end repeat the last.
vec4 luma_quad (ivec2 quad)
{
  vec4 samples;
  for (int i = 0; i < 4; i++)
    samples[i] = component (first_place, plane_rows.x,
                            ivec2 (min (4 * quad.x + i, size.x - 1), quad.y));
  return (samples - ranges.x) * ranges.y - bias;
}

#ifdef LUMA_ONLY
void load (ivec2 quad)
{
  target[quad_index (quad)] = to_quad (luma_quad (quad));
}
#else
void load (ivec2 quad)
{
#ifdef FILTERED
  vec4 lumas = from_quad (luma[quad.y * target_layout.x + quad.x]);
#else
  vec4 lumas = luma_quad (quad);
#endif
  mat4x3 colours;
  for (int i = 0; i < 4; i++)
    colours[i] = tinted (lumas[i], differences_at (
                                       ivec2 (min (4 * quad.x + i, size.x - 1), quad.y)));
  mat3x4 channels = transpose (colours);
  for (int c = 0; c < 3; c++)
    target[c * target_layout.y + quad_index (quad)] = to_quad (channels[c]);
}
#endif
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
