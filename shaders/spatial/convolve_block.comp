// SPDX-License-Identifier: MIT
// As spatial/convolve.glsl, for pictures in buffers: each invocation makes ROWS quads, one below the
// other, so that a line of samples that it has loaded serves all kernel rows that meet it.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

#define RADIUS_X (KERNEL_WIDTH / 2)
#define RADIUS_Y (KERNEL_HEIGHT / 2)
#define BESIDE ((RADIUS_X + 3) / 4) // quads to either side
#define QUADS (2 * BESIDE + 1)
#define PACKS ((KERNEL_WIDTH + 3) / 4) // vec4 for each row of the kernel

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform vec4 coefficients[85];
uniform float bias; // what samples are stored less

float sample_at (int x, int y)
{
  int folded = FOLD (x, size.x), at = max (folded, 0);
  float value = from_quad (source[quad_index (ivec2 (at >> 2, y))])[at & 3] + bias;
  return INSIDE (folded) ? value : 0.0;
}

// The samples about the quad at column `column` of row `y`, which is inside of the picture.
void load_line (int column, int y, bool inside, out float line[4 * QUADS])
{
  for (int q = 0; q < QUADS; q++) {
    int at = column - BESIDE + q;
    vec4 quad;
    if (inside)
      quad = from_quad (source[quad_index (ivec2 (at, y))]) + bias;
    else
      quad = vec4 (sample_at (4 * at, y), sample_at (4 * at + 1, y), sample_at (4 * at + 2, y),
                   sample_at (4 * at + 3, y));
    for (int c = 0; c < 4; c++)
      line[4 * q + c] = quad[c];
  }
}

// Adds what row `ky` of the kernel makes of the line.
void add_row (int ky, float line[4 * QUADS], inout vec4 sum)
{
  for (int p = 0; p < PACKS; p++) {
    vec4 pack = coefficients[ky * PACKS + p];
    for (int k = 4 * p; k < min (4 * p + 4, KERNEL_WIDTH); k++) {
      int from = 4 * BESIDE + RADIUS_X - k;
      sum += pack[k & 3] * vec4 (line[from], line[from + 1], line[from + 2], line[from + 3]);
    }
  }
}

void main ()
{
  ivec2 first = ivec2 (gl_GlobalInvocationID.x, int (gl_GlobalInvocationID.y) * ROWS);
  if (first.x >= target_layout.x || first.y >= size.y)
    return;
  bool inside = first.x >= BESIDE && 4 * (first.x + BESIDE) + 3 < size.x;
  vec4 sums[ROWS];
  for (int r = 0; r < ROWS; r++)
    sums[r] = vec4 (0.0);
  for (int j = 0; j < KERNEL_HEIGHT + ROWS - 1; j++) {
    int y = FOLD (first.y + j - RADIUS_Y, size.y);
    if (!INSIDE (y))
      continue;
    float line[4 * QUADS];
    load_line (first.x, y, inside, line);
    for (int r = 0; r < ROWS; r++) {
      int ky = KERNEL_HEIGHT - 1 - j + r; // the kernel is turned
      if (ky >= 0 && ky < KERNEL_HEIGHT)
        add_row (ky, line, sums[r]);
    }
  }
  for (int r = 0; r < ROWS; r++)
    if (first.y + r < size.y)
      target[quad_index (first + ivec2 (0, r))] = to_quad (sums[r] - bias);
}
