// SPDX-License-Identifier: MIT
// A picture of beam data of SOURCE_SIZE samples: each pixel the bilinear interpolation of the four
// samples about its place (src/plan/scan.h), beyond the outermost ones 0. LEFT, TOP and PIXEL say
// where pixels lie, in mm, and FIRST, COLUMN_STEP, ORIGIN, ROW_STEP and STEERING where beams do, of
// which RULE is 1 for a curvilinear array and 2 for a linear one. source_layout: quads per row, quads
// per channel.
#include "include/samples.glsl"
#include "include/quads.glsl"

#define CURVILINEAR (RULE == 1)
#define HALF_PI 1.57079632679490
#define EDGE 0.01 // ODL_SCAN_EDGE

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 source_layout;
uniform float parameters[9];
uniform float bias; // what samples are stored less

// arctan t / t of 0 <= t <= 1, as src/engine/cpu/steps/scan_convert.c has it: that of GLSL is not as
// exact everywhere.
float share_of_arctangent (float t)
{
  float s = t * t;
  float sum = -0.0161657367 + s * 0.0028662257;
  sum = 0.0429096138 + s * sum;
  sum = -0.0752896400 + s * sum;
  sum = 0.1065626393 + s * sum;
  sum = -0.1420889944 + s * sum;
  sum = 0.1999355085 + s * sum;
  return 1.0 + s * (-0.3333314528 + s * sum);
}

// The angle from the y axis.
float angle_of (vec2 at)
{
  float less = min (abs (at.x), abs (at.y)), more = max (abs (at.x), abs (at.y));
  float t = less / max (more, 1e-30);
  float part = t * share_of_arctangent (t);
  float first = abs (at.x) > abs (at.y) ? HALF_PI - part : part;
  return (at.x < 0.0 ? -1.0 : 1.0) * (at.y < 0.0 ? 2.0 * HALF_PI - first : first);
}

// Column and row of the beams where a pixel lies. The depth is a quotient of small differences, so
// that single precision holds it.
vec2 place_of (ivec2 p)
{
  vec2 at = vec2 (LEFT, TOP) + PIXEL * vec2 (p);
#if CURVILINEAR
  float below = (TOP - ORIGIN) + PIXEL * float (p.y), from = length (at);
  float depth = (at.x * at.x + below * (at.y + ORIGIN)) / (from + ORIGIN);
  return vec2 ((angle_of (at) - FIRST) / COLUMN_STEP, depth / ROW_STEP);
#else
  return vec2 ((at.x - at.y * tan (STEERING) - FIRST) / COLUMN_STEP,
               (at.y / cos (STEERING) - ORIGIN) / ROW_STEP);
#endif
}

float sample_at (ivec2 p)
{
  int i = int (gl_WorkGroupID.z) * source_layout.y + p.y * source_layout.x + (p.x >> 2);
  return from_quad (source[i])[p.x & 3];
}

float pixel_at (ivec2 p)
{
  vec2 place = place_of (p), last = vec2 (SOURCE_SIZE - 1);
  vec2 at = clamp (place, vec2 (0.0), last);
  if (any (greaterThan (abs (place - at), vec2 (EDGE))))
    return -bias;
  ivec2 corner = min (ivec2 (at), SOURCE_SIZE - 2);
  vec2 share = at - vec2 (corner);
  float above = mix (sample_at (corner), sample_at (corner + ivec2 (1, 0)), share.x);
  float below = mix (sample_at (corner + ivec2 (0, 1)), sample_at (corner + ivec2 (1)), share.x);
  return mix (above, below, share.y);
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  vec4 result;
  for (int c = 0; c < 4; c++)
    result[c] = pixel_at (ivec2 (min (4 * quad.x + c, size.x - 1), quad.y));
  target[quad_index (quad)] = to_quad (result);
}
