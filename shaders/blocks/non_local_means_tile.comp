// SPDX-License-Identifier: MIT
// Non-local means (non-local-means.glsl) of TILE * TILE samples in a work group, OFFSETS of the search
// window, one below the other, at a time: squared differences of the tile and of itself at an offset are
// summed along columns, RUN rows in an invocation, and these sums along rows, so that a patch costs the
// sum of its sides. The next offsets write other sums, so that one barrier is enough.
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
#define LENGTH (RUN + KERNEL_WIDTH - 1) // samples that RUN sums are made of
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
shared float patches[(EDGE + OFFSETS - 1) * STRIDE]; // what lies below counts for nothing
shared float lines[2 * OFFSETS * TILE * LINE_STRIDE];

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

float square_of (float a, float b)
{
  float square = (a - b) * (a - b);
  return SPECKLE > 0.5 ? square / max (0.5 * (a + b) + bias, DARKEST) : square;
}

// Sums of KERNEL_WIDTH neighbours, SHARED of them at a time: what all of these have is added up once,
// what the first lack on the right and the last on the left is added up from there.
#if KERNEL_WIDTH >= RUN
#define SHARED RUN
#elif KERNEL_WIDTH >= 4
#define SHARED 4
#else
#define SHARED 1
#endif
#define SUMS(values, result) \
  for (int first = 0; first < RUN; first += SHARED) { \
    float all = values[first + SHARED - 1], left = 0.0, right = 0.0; \
    for (int k = SHARED; k < KERNEL_WIDTH; k++) \
      all += values[first + k]; \
    result[first + SHARED - 1] = all; \
    for (int i = SHARED - 2; i >= 0; i--) { \
      left += values[first + i]; \
      result[first + i] = all + left; \
    } \
    for (int i = 1; i < SHARED; i++) { \
      right += values[first + KERNEL_WIDTH - 1 + i]; \
      result[first + i] += right; \
    } \
  }

void add_columns (int column, int row, float own[LENGTH], int offset, int line)
{
  int at = (SEARCH + row) * STRIDE + SEARCH + column + offset;
  float others[LENGTH + OFFSETS - 1], squares[LENGTH], sums[RUN];

  for (int i = 0; i < LENGTH + OFFSETS - 1; i++)
    others[i] = patches[at + i * STRIDE];
  for (int n = 0; n < OFFSETS; n++) {
    for (int i = 0; i < LENGTH; i++)
      squares[i] = square_of (own[i], others[i + n]);
    SUMS (squares, sums)
    for (int i = 0; i < RUN; i++)
      lines[line + (n * TILE + row + i) * LINE_STRIDE + column] = sums[i];
  }
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
  int column = int (gl_LocalInvocationIndex) % COLUMNS;
  int top = int (gl_LocalInvocationIndex) / COLUMNS * RUN;
  float own[LENGTH], sums[RUN], weights[RUN];
  int line = 0;

  for (int i = 0; i < RUN; i++)
    sums[i] = weights[i] = 0.0;
  load (origin);
  barrier ();
  for (int i = 0; i < LENGTH; i++)
    own[i] = patches[(SEARCH + top + i) * STRIDE + SEARCH + column];
  for (int dy = -SEARCH; dy <= SEARCH; dy += OFFSETS)
    for (int dx = -SEARCH; dx <= SEARCH; dx++) {
      add_columns (column, top, own, dy * STRIDE + dx, line);
      barrier ();
      for (int n = 0; makes && n < OFFSETS && dy + n <= SEARCH; n++) {
        float values[LENGTH], distances[RUN];
        for (int i = 0; i < LENGTH; i++)
          values[i] = lines[line + (n * TILE + row) * LINE_STRIDE + first + i];
        SUMS (values, distances)
        for (int i = 0; i < RUN; i++) {
          float weight = exp (-FACTOR * distances[i]);
          sums[i] += weight * sample_at (first + i + dx, row + dy + n);
          weights[i] += weight;
        }
      }
      line = OFFSETS * TILE * LINE_STRIDE - line;
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
