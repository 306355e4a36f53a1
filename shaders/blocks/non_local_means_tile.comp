// SPDX-License-Identifier: MIT
// Non-local means (non-local-means.glsl) of TILE * TILE samples in a work group, one offset of the
// search window after the other: squared differences of the tile and of itself at that offset are summed
// along columns, RUN rows in an invocation, and these sums along rows, so that a patch costs the sum of
// its sides. Sums of two offsets in turn, so that one barrier is enough.
//   source  (binding 0): what means are made of
//   second  (binding 1, with SECOND): what patches are taken of
//   target  (the next one)
// Strides in shared memory are odd: invocations side by side have rows of their own. There are COLUMNS *
// TILE / RUN of them, the WORKERS.
#include "include/border.glsl"
#include "include/samples.glsl"

#define RADIUS (KERNEL_WIDTH / 2)
#define REACH (SIDE / 2)
#define SEARCH (REACH - RADIUS)
#define COLUMNS (TILE + 2 * RADIUS) // whose sums are made
#define EDGE (TILE + 2 * REACH) // of what patches see
#define STRIDE (EDGE | 1)
#define LINE_STRIDE (COLUMNS | 1)
#define DARKEST (1.0 / 64.0) // what speckle is divided by at least
layout (local_size_x = WORKERS) in;

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
#ifdef SECOND
layout (std430, binding = 1) restrict readonly buffer Second { SOURCE_QUAD second[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#define INNER (TILE + 2 * SEARCH) // of what means see
#define INNER_STRIDE (INNER | 1)
shared float inner[INNER * INNER_STRIDE];
#else
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#endif
uniform ivec2 size; // samples of the picture
uniform ivec2 target_layout; // quads per row, quads per channel; of what is read, too
uniform float bias;
uniform float parameters[9];
shared float patches[EDGE * STRIDE];
shared float lines[2 * TILE * LINE_STRIDE];

int quad_index (ivec2 quad)
{
  return int (gl_WorkGroupID.z) * target_layout.y + quad.y * target_layout.x + quad.x;
}

// Samples that no patch of the picture reaches are those at its end.
ivec2 folded (ivec2 p)
{
  p = min (p, size - 1 + REACH);
  return ivec2 (FOLD (p.x, size.x), FOLD (p.y, size.y));
}

void load (ivec2 origin)
{
  for (int i = int (gl_LocalInvocationIndex); i < EDGE * EDGE; i += WORKERS) {
    ivec2 p = folded (origin - REACH + ivec2 (i % EDGE, i / EDGE));
    int quad = quad_index (ivec2 (p.x >> 2, p.y));
#ifdef SECOND
    patches[i / EDGE * STRIDE + i % EDGE] = from_quad (second[quad])[p.x & 3];
#else
    patches[i / EDGE * STRIDE + i % EDGE] = from_quad (source[quad])[p.x & 3];
#endif
  }
#ifdef SECOND
  for (int i = int (gl_LocalInvocationIndex); i < INNER * INNER; i += WORKERS) {
    ivec2 p = folded (origin - SEARCH + ivec2 (i % INNER, i / INNER));
    inner[i / INNER * INNER_STRIDE + i % INNER]
      = from_quad (source[quad_index (ivec2 (p.x >> 2, p.y))])[p.x & 3];
  }
#endif
}

float square_at (int at, int offset)
{
  float a = patches[at], b = patches[at + offset], square = (a - b) * (a - b);
  return SPECKLE > 0.5 ? square / max (0.5 * (a + b) + bias, DARKEST) : square;
}

// Sums of KERNEL_WIDTH neighbours.
#define SUMS(values, result) \
  for (int i = 0; i < RUN; i++) { \
    result[i] = values[i]; \
    for (int k = 1; k < KERNEL_WIDTH; k++) \
      result[i] += values[i + k]; \
  }

void add_columns (int offset, int line)
{
  int column = int (gl_LocalInvocationIndex) % COLUMNS;
  int row = int (gl_LocalInvocationIndex) / COLUMNS * RUN;
  int at = (SEARCH + row) * STRIDE + SEARCH + column;
  float squares[RUN + KERNEL_WIDTH - 1], sums[RUN];

  for (int i = 0; i < RUN + KERNEL_WIDTH - 1; i++)
    squares[i] = square_at (at + i * STRIDE, offset);
  SUMS (squares, sums)
  for (int i = 0; i < RUN; i++)
    lines[line + (row + i) * LINE_STRIDE + column] = sums[i];
}

float sample_at (int x, int y)
{
#ifdef SECOND
  return inner[(SEARCH + y) * INNER_STRIDE + SEARCH + x];
#else
  return patches[(REACH + y) * STRIDE + REACH + x];
#endif
}

void main ()
{
  ivec2 origin = ivec2 (gl_WorkGroupID.xy) * TILE;
  int row = int (gl_LocalInvocationIndex) % TILE, first = int (gl_LocalInvocationIndex) / TILE * RUN;
  bool makes = first < TILE;
  float sums[RUN], weights[RUN];
  int line = 0;

  for (int i = 0; i < RUN; i++)
    sums[i] = weights[i] = 0.0;
  load (origin);
  barrier ();
  for (int dy = -SEARCH; dy <= SEARCH; dy++)
    for (int dx = -SEARCH; dx <= SEARCH; dx++) {
      add_columns (dy * STRIDE + dx, line);
      barrier ();
      if (makes) {
        float values[RUN + KERNEL_WIDTH - 1], distances[RUN];
        for (int i = 0; i < RUN + KERNEL_WIDTH - 1; i++)
          values[i] = lines[line + row * LINE_STRIDE + first + i];
        SUMS (values, distances)
        for (int i = 0; i < RUN; i++) {
          float weight = exp (-FACTOR * distances[i]);
          sums[i] += weight * sample_at (first + i + dx, row + dy);
          weights[i] += weight;
        }
      }
      line = TILE * LINE_STRIDE - line;
    }
  if (!makes || origin.y + row >= size.y)
    return;
  for (int i = 0; i < RUN; i += 4) {
    ivec2 quad = ivec2 ((origin.x + first + i) / 4, origin.y + row);
    vec4 sum = vec4 (sums[i], sums[i + 1], sums[i + 2], sums[i + 3]);
    vec4 weight = vec4 (weights[i], weights[i + 1], weights[i + 2], weights[i + 3]);
    if (quad.x < target_layout.x)
      target[quad_index (quad)] = to_quad (sum / weight);
  }
}
