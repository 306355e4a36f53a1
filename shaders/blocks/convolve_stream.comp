// SPDX-License-Identifier: MIT
// As convolve_block.comp, for small kernels of volumes: each invocation makes ROWS quads, one below
// the other, in up to SLICES slices, and goes through them once. A slice that it has loaded into
// registers is added to all results that it meets, which move on by one with each slice. The
// coefficients are constants of the instructions. The engine defines lists (EACH_TAP, …).
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

#define RADIUS_X (KERNEL_WIDTH / 2)
#define RADIUS_Y (KERNEL_HEIGHT / 2)
#define BESIDE ((RADIUS_X + 3) / 4) // quads to either side
#define QUADS (2 * BESIDE + 1)
#define PACKS ((KERNEL_WIDTH + 3) / 4) // vec4 for each row of the kernel
#define LINES (ROWS + KERNEL_HEIGHT - 1)

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#ifdef ACCUMULATE // what is made is added to
layout (std430, binding = 3) restrict readonly buffer Sum { TARGET_QUAD before[]; };
#define BEFORE(at) from_quad (before[at])
#else
#define BEFORE(at) (-bias)
#endif
uniform vec4 coefficients[KERNEL_DEPTH * KERNEL_HEIGHT * PACKS];
uniform int depth; // slices
uniform float bias; // what samples are stored less

#include "include/lines.glsl"

#define PLACE(j) \
  folded = FOLD (first.y + j - RADIUS_Y, size.y); \
  rows[j] = max (folded, 0) * target_layout.x; \
  there |= int (INSIDE (folded)) << j;
#define PLACE_QUAD(j, q) columns[q] = COLUMN (column + q);
#define LOAD(j, q) line[j * QUADS + q] = LOADED (slice + rows[j] + columns[q]);
#define LOAD_LINE(j) EACH_QUAD (LOAD, j)
#define MEND(j, q) \
  line[j * QUADS + q] = mended (line[j * QUADS + q], column + q, slice + rows[j], \
                                (there >> j & 1) != 0 ? wide : 0);
#define MEND_LINE(j) EACH_QUAD (MEND, j)

// Of the kernel, which is turned: slice KERNEL_DEPTH - 1 - m, row y, column x.
#define COEFFICIENT(m, y, x) \
  coefficients[((KERNEL_DEPTH - 1 - m) * KERNEL_HEIGHT + y) * PACKS + (x >> 2)][x & 3]
#define OLDEST (4 * BESIDE + RADIUS_X)
#define SAMPLE(j, i) line[(j) * QUADS + ((i) >> 2)][(i) & 3]
#define TAP(m, r, y, x) \
  sums[m * ROWS + r] += COEFFICIENT (m, y, x) \
      * vec4 (SAMPLE (r + KERNEL_HEIGHT - 1 - y, OLDEST - x), \
              SAMPLE (r + KERNEL_HEIGHT - 1 - y, OLDEST - x + 1), \
              SAMPLE (r + KERNEL_HEIGHT - 1 - y, OLDEST - x + 2), \
              SAMPLE (r + KERNEL_HEIGHT - 1 - y, OLDEST - x + 3));
#define TAPS(m, r, y) EACH_TAP (TAP, m, r, y)
#define MOVE(m, r) sums[m * ROWS + r] = m > 0 ? sums[max (m - 1, 0) * ROWS + r] : vec4 (0.0);
#define KERNEL_ROWS(m, r) EACH_KERNEL_ROW (TAPS, m, r)
// The result that is m slices behind, if there is one; the oldest one moves first.
#define RESULT(n) RESULT_AT ((KERNEL_DEPTH - 1 - n))
#define RESULT_AT(m) \
  if (i >= m && i - m < count) { \
    EACH_ROW (MOVE, m) \
    EACH_SUM (KERNEL_ROWS, m) \
  }
#define CLEAR(m, r) sums[m * ROWS + r] = vec4 (0.0);
#define CLEAR_SLICE(m) EACH_ROW (CLEAR, m)
#define STORE(m, r) \
  if (first.y + r < size.y) { \
    int at = (plane + z + i - m) * target_layout.y + (first.y + r) * target_layout.x + first.x; \
    target[at] = to_quad (sums[m * ROWS + r] + BEFORE (at)); \
  }

void main ()
{
  ivec2 first = ivec2 (gl_GlobalInvocationID.x, int (gl_GlobalInvocationID.y) * ROWS);
  if (first.x >= target_layout.x || first.y >= size.y)
    return;
  int blocks = (depth + SLICES - 1) / SLICES;
  int plane = int (gl_WorkGroupID.z) / blocks * depth, z = int (gl_WorkGroupID.z) % blocks * SLICES;
  int count = min (SLICES, depth - z), column = first.x - BESIDE, folded;
  bool inside = column >= 0 && 4 * (first.x + BESIDE) + 3 < size.x;
  vec4 sums[KERNEL_DEPTH * ROWS], line[LINES * QUADS];
  int rows[LINES], columns[QUADS], there = 0;
  EACH_LINE (PLACE)
  EACH_QUAD (PLACE_QUAD, 0)
  EACH_SLICE (CLEAR_SLICE)
  inside = inside && there == (1 << LINES) - 1;
  for (int i = 0; i < KERNEL_DEPTH - 1 + count; i++) {
    int from = border_index (BORDER, z + i - KERNEL_DEPTH / 2, depth);
    int slice = (plane + max (from, 0)) * target_layout.y, wide = from < 0 ? 0 : size.x;
    EACH_LINE (LOAD_LINE)
    if (!inside || from < 0) {
      EACH_LINE (MEND_LINE)
    }
    EACH_SLICE (RESULT)
    if (i >= KERNEL_DEPTH - 1) {
      EACH_ROW (STORE, (KERNEL_DEPTH - 1))
    }
  }
}
