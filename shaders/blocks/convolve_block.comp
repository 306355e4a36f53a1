// SPDX-License-Identifier: MIT
// As spatial/convolve.glsl, for pictures and volumes (VOLUME) in buffers: each invocation makes ROWS
// quads, one below the other, in SLICES slices of a channel, which follow one another, so that a line
// of samples that it has loaded serves all kernel rows that meet it.
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
#ifdef VOLUME
// The kernel's slices, rows and packs. In shared memory (SHARED) they are read in a third of the time
// that a block of uniforms takes, since they do not fit into the cache of constants.
#define ALL_PACKS (KERNEL_DEPTH * KERNEL_HEIGHT * PACKS)
layout (std430, binding = 2) restrict readonly buffer Kernel { vec4 kernel[]; };
#ifdef SHARED
shared vec4 coefficients[ALL_PACKS];
#else
#define coefficients kernel
#endif
#else
uniform vec4 coefficients[85];
#endif
#ifdef ACCUMULATE // what is made is added to
layout (std430, binding = 3) restrict readonly buffer Sum { TARGET_QUAD before[]; };
#define BEFORE(at) from_quad (before[at])
#else
#define BEFORE(at) (-bias)
#endif
uniform int depth; // slices
uniform float bias; // what samples are stored less

// Of the row of quads at y in a slice of a channel.
int row_index (int plane, int y)
{
  return plane * target_layout.y + y * target_layout.x;
}

#include "include/lines.glsl"

// What lies in registers is counted through by loops that are written out, in one function: compilers
// leave long loops rolled and call long functions, and put arrays into memory for both.
#define EACH_ROW(macro, s) macro (s, 0) macro (s, 1) macro (s, 2) macro (s, 3)
#if SLICES == 1
#define EACH_SLICE(macro) macro (0)
#else
#define EACH_SLICE(macro) macro (0) macro (1)
#endif

// The samples about the quad at column `first.x` of the row of quads from `row` on.
#define LINE(q) line[min (q, QUADS - 1)]
#define PLACE(q) \
  if (q < QUADS) \
    columns[min (q, QUADS - 1)] = COLUMN (column + q);
#define LOAD(q) \
  if (q < QUADS) \
    LINE (q) = LOADED (row + columns[min (q, QUADS - 1)]);
#define MEND(q) \
  if (q < QUADS) \
    LINE (q) = mended (LINE (q), column + q, row, size.x);
#define FOLD_QUAD(q) \
  if (q < QUADS) \
    LINE (q) = folded_quad (column + q, row);

// Adds what the row of the kernel whose coefficients begin at `at` makes of the line; the kernel is
// turned. Taps that do not exist must not read beside it either.
#define SAFE(i) clamp (i, 0, 4 * QUADS - 1)
#define SAMPLE(i) line[SAFE (i) >> 2][SAFE (i) & 3]
#define OLDEST (4 * BESIDE + RADIUS_X)
#define TAP(k, sum) \
  if ((k) < KERNEL_WIDTH) \
    sum += pack[(k) & 3] * vec4 (SAMPLE (OLDEST - (k)), SAMPLE (OLDEST - (k) + 1), \
                                 SAMPLE (OLDEST - (k) + 2), SAMPLE (OLDEST - (k) + 3));
#define PACK(p, sum) \
  if (p < PACKS) { \
    vec4 pack = coefficients[at + p]; \
    TAP (4 * p, sum) TAP (4 * p + 1, sum) TAP (4 * p + 2, sum) TAP (4 * p + 3, sum) \
  }
#define ADD(sum) PACK (0, sum) PACK (1, sum) PACK (2, sum) PACK (3, sum) PACK (4, sum)

// Kernel row ky + r of slice kz + s meets the line.
#define ADD_ROW(s, r) \
  if (ky + r >= 0 && ky + r < KERNEL_HEIGHT) { \
    int at = ((kz + s) * KERNEL_HEIGHT + ky + r) * PACKS; \
    ADD (sums[s * ROWS + r]) \
  }
#define ADD_SLICE(s) \
  if (kz + s >= 0 && kz + s < KERNEL_DEPTH) { \
    EACH_ROW (ADD_ROW, s) \
  }

#define CLEAR(s, r) sums[s * ROWS + r] = vec4 (0.0);
#define CLEAR_SLICE(s) EACH_ROW (CLEAR, s)
#define STORE(s, r) \
  if (first.y + r < size.y) { \
    int at = row_index (plane + z + s, first.y + r) + first.x; \
    target[at] = to_quad (sums[s * ROWS + r] + BEFORE (at)); \
  }
#define STORE_SLICE(s) \
  if (z + s < depth) { \
    EACH_ROW (STORE, s) \
  }

void main ()
{
#ifdef SHARED
  for (int i = int (gl_LocalInvocationIndex); i < ALL_PACKS; i += GROUP_WIDTH * GROUP_HEIGHT)
    coefficients[i] = kernel[i];
  barrier ();
#endif
  ivec2 first = ivec2 (gl_GlobalInvocationID.x, int (gl_GlobalInvocationID.y) * ROWS);
  if (first.x >= target_layout.x || first.y >= size.y)
    return;
  int blocks = (depth + SLICES - 1) / SLICES;
  int plane = int (gl_WorkGroupID.z) / blocks * depth, z = int (gl_WorkGroupID.z) % blocks * SLICES;
  int column = first.x - BESIDE;
  bool inside = column >= 0 && 4 * (first.x + BESIDE) + 3 < size.x;
  vec4 sums[SLICES * ROWS], line[QUADS];
  int columns[QUADS];
  PLACE (0) PLACE (1) PLACE (2) PLACE (3) PLACE (4)
  EACH_SLICE (CLEAR_SLICE)
  for (int i = 0; i < KERNEL_DEPTH + SLICES - 1; i++) {
    int from = border_index (BORDER, z + i - KERNEL_DEPTH / 2, depth), kz = KERNEL_DEPTH - 1 - i;
    if (from < 0)
      continue;
    for (int j = 0; j < KERNEL_HEIGHT + ROWS - 1; j++) {
      int y = FOLD (first.y + j - RADIUS_Y, size.y), ky = KERNEL_HEIGHT - 1 - j;
      if (!INSIDE (y))
        continue;
      int row = row_index (plane + from, y);
#if BORDER == BORDER_ZERO
      LOAD (0) LOAD (1) LOAD (2) LOAD (3) LOAD (4)
      if (!inside) {
        MEND (0) MEND (1) MEND (2) MEND (3) MEND (4)
      }
#else // what is folded is loaded once more, and should not wait for the first load
      if (inside) {
        LOAD (0) LOAD (1) LOAD (2) LOAD (3) LOAD (4)
      } else {
        FOLD_QUAD (0) FOLD_QUAD (1) FOLD_QUAD (2) FOLD_QUAD (3) FOLD_QUAD (4)
      }
#endif
      EACH_SLICE (ADD_SLICE)
    }
  }
  EACH_SLICE (STORE_SLICE)
}
