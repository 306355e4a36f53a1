// SPDX-License-Identifier: MIT
// What a kernel that makes noise white (src/image/bm3d/noise.h) makes of a frame, in the plane `place`
// (include/bm3d_time.glsl). Of a frame with less than SIDE columns or rows that is padded afterwards. Each
// invocation makes four samples of a row, of what its work group has in shared memory.
//   source (binding 0), pictures (1)
#include "include/bm3d.glsl"

#define WIDE 17 // columns and rows of the kernel
#define HALF (WIDE / 2)
#define QUADS 16 // of a work group, along a row
#define ROWS 8
#define ACROSS_SEEN (4 * QUADS + 2 * HALF)
#define DOWN_SEEN (ROWS + 2 * HALF)
layout (local_size_x = QUADS, local_size_y = ROWS) in;

layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
layout (std430, binding = 1) restrict writeonly buffer Pictures { vec4 pictures[]; };
uniform ivec2 plane_layout; // quads per row and per plane
uniform int place;
uniform vec4 coefficients[98]; // rows of five quads
shared float seen[DOWN_SEEN * ACROSS_SEEN];

// Of the frame without padding, mirrored at its outermost samples.
float sample_at (ivec2 p)
{
  ivec2 period = max (2 * (size - 1), 1);
  p = (p + 4 * HALF * period) % period;
  p = min (p, period - p);
  return SAMPLE_AT (source, 4 * (channel * target_layout.y + p.y * target_layout.x) + p.x);
}

#ifdef SMALL
// Where the sample comes from that stands at p of the padded frame.
ivec2 unpadded (ivec2 p)
{
  p %= 2 * size;
  return min (p, 2 * size - 1 - p);
}

float whitened (ivec2 p)
{
  float sum = 0.0;

  for (int v = 0; v < WIDE; v++)
    for (int u = 0; u < WIDE; u++)
      sum += coefficients[v * 5 + u / 4][u % 4] * sample_at (p + ivec2 (u, v) - HALF);
  return sum;
}
#else
void load (ivec2 origin)
{
  for (int i = int (gl_LocalInvocationIndex); i < DOWN_SEEN * ACROSS_SEEN; i += QUADS * ROWS)
    seen[i] = sample_at (min (origin + ivec2 (i % ACROSS_SEEN, i / ACROSS_SEEN), size + 2 * HALF) - HALF);
}

vec4 whitened_quad (int at)
{
  vec4 sum = vec4 (0.0);

  for (int v = 0; v < WIDE; v++, at += ACROSS_SEEN) {
    vec4 own = vec4 (seen[at], seen[at + 1], seen[at + 2], seen[at + 3]);
    for (int u = 0; u < WIDE; u++) {
      sum += coefficients[v * 5 + u / 4][u % 4] * own;
      own = vec4 (own.yzw, u < WIDE - 1 ? seen[at + 4 + u] : 0.0);
    }
  }
  return sum;
}
#endif

void main ()
{
  ivec2 quad = ivec2 (gl_GlobalInvocationID.xy);
  vec4 result;

#ifdef SMALL
  for (int c = 0; c < 4; c++)
    result[c] = whitened (unpadded (min (ivec2 (4 * quad.x + c, quad.y), padded_size () - 1)));
#else
  load (ivec2 (gl_WorkGroupID.xy) * ivec2 (4 * QUADS, ROWS));
  barrier ();
  result = whitened_quad (int (gl_LocalInvocationID.y) * ACROSS_SEEN + 4 * int (gl_LocalInvocationID.x));
#endif
  if (quad.x < plane_layout.x && quad.y < padded_size ().y)
    pictures[place * plane_layout.y + quad.y * plane_layout.x + quad.x] = result;
}
