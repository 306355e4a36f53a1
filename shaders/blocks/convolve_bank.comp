// SPDX-License-Identifier: MIT
// COUNT convolutions of one picture or volume with kernels of one size, which read it once: each invocation
// makes ROWS quads, one below the other, of every result. ROWS lines of samples are in registers and move
// down by one with each row of the kernels, so that a coefficient, which all invocations of a work group
// read from shared memory, serves 4 ROWS products. The kernels are turned along z and y: what meets the
// first slice and line comes first, there kernel by kernel, in PACKS vec4 each.
// EACH_KERNEL (macro): “macro (0, A, a) macro (1, B, b) …”, since bindings take constants, and GLES joins
// no names.
#include "include/border.glsl"
#include "include/samples.glsl"
#include "include/quads.glsl"

#define RADIUS_X (KERNEL_WIDTH / 2)
#define RADIUS_Y (KERNEL_HEIGHT / 2)
#define BESIDE ((RADIUS_X + 3) / 4) // quads to either side
#define QUADS (2 * BESIDE + 1)
#define PACKS ((KERNEL_WIDTH + 3) / 4)
#define SLICE_PACKS (KERNEL_HEIGHT * COUNT * PACKS)

layout (std430, binding = SOURCE_BINDING) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = KERNELS_BINDING) restrict readonly buffer Kernels { vec4 kernels[]; };
#define TARGET(k, block, picture) \
  layout (std430, binding = k) restrict writeonly buffer block { TARGET_QUAD picture[]; };
EACH_KERNEL (TARGET)
uniform int depth; // slices
uniform float bias; // what samples are stored less

shared vec4 coefficients[SLICE_PACKS]; // of one slice of all kernels

int row_index (int plane, int y)
{
  return plane * target_layout.y + y * target_layout.x;
}

#include "include/lines.glsl"

// What lies in registers is counted through by loops that are written out, as in convolve_block.comp.
#if ROWS == 1
#define EACH_ROW(macro, k) macro (k, 0)
#define EACH_NEXT_ROW(macro)
#define ADD(t, k) TAP (t, k, 0)
#elif ROWS == 2
#define EACH_ROW(macro, k) macro (k, 0) macro (k, 1)
#define EACH_NEXT_ROW(macro) macro (1)
#define ADD(t, k) TAP (t, k, 0) TAP (t, k, 1)
#else
#define EACH_ROW(macro, k) macro (k, 0) macro (k, 1) macro (k, 2) macro (k, 3)
#define EACH_NEXT_ROW(macro) macro (1) macro (2) macro (3)
#define ADD(t, k) TAP (t, k, 0) TAP (t, k, 1) TAP (t, k, 2) TAP (t, k, 3)
#endif
#define EACH_QUAD(macro, r) macro (0, r) macro (1, r) macro (2, r) macro (3, r) macro (4, r)
#define LINE(q, r) lines[(r) * QUADS + min (q, QUADS - 1)]

#define MOVE_QUAD(q, r) \
  if (q < QUADS) \
    LINE (q, (r) - 1) = LINE (q, r);
#define MOVE(r) EACH_QUAD (MOVE_QUAD, r)

#define PLACE(q, r) \
  if (q < QUADS) \
    columns[min (q, QUADS - 1)] = COLUMN (column + q);
#define LOAD_QUAD(q, r) \
  if (q < QUADS) \
    LINE (q, r) = LOADED (row + columns[min (q, QUADS - 1)]);
#define MEND_QUAD(q, r) \
  if (q < QUADS) \
    LINE (q, r) = mended (LINE (q, r), column + q, row, wide);
// Line number r of the window, which the row of samples at `wanted` becomes.
#define LOAD(r, wanted) \
  { \
    int y = FOLD (wanted, size.y), row = row_index (plane + from, max (y, 0)); \
    int wide = INSIDE (y) ? size.x : 0; \
    EACH_QUAD (LOAD_QUAD, r) \
    if (!inside || wide == 0) { \
      EACH_QUAD (MEND_QUAD, r) \
    } \
  }
#define LOAD_FIRST(r) LOAD (r, first.y + r - 1 - RADIUS_Y)

#define SAFE(i) clamp (i, 0, 4 * QUADS - 1)
#define SAMPLE(i, r) lines[(r) * QUADS + (SAFE (i) >> 2)][SAFE (i) & 3]
#define OLDEST (4 * BESIDE + RADIUS_X)
#define TAP(t, k, r) \
  if ((t) < KERNEL_WIDTH) \
    SUM (k, r) \
        += pack[(t) & 3] * vec4 (SAMPLE (OLDEST - (t), r), SAMPLE (OLDEST - (t) + 1, r), \
                                 SAMPLE (OLDEST - (t) + 2, r), SAMPLE (OLDEST - (t) + 3, r));
#define PACK(p, k) \
  if (p < PACKS) { \
    vec4 pack = coefficients[at + (k) * PACKS + p]; \
    ADD (4 * p, k) ADD (4 * p + 1, k) ADD (4 * p + 2, k) ADD (4 * p + 3, k) \
  }
#define ADD_PACKS(k) PACK (0, k) PACK (1, k) PACK (2, k) PACK (3, k) PACK (4, k)
#ifdef IN_LOOPS
#define SUM(k, r) own[r]
#define TAKE(k, r) own[r] = sums[(k) * ROWS + r];
#define GIVE(k, r) sums[(k) * ROWS + r] = own[r];
#define ADD_KERNELS \
  for (int k = 0; k < OPAQUE (COUNT); k++) { \
    vec4 own[ROWS]; \
    EACH_ROW (TAKE, k) \
    ADD_PACKS (k) \
    EACH_ROW (GIVE, k) \
  }
#else
#define SUM(k, r) sums[(k) * ROWS + r]
#define ADD_KERNEL(k, block, picture) ADD_PACKS (k)
#define ADD_KERNELS EACH_KERNEL (ADD_KERNEL)
#endif

#define CLEAR(k, r) sums[(k) * ROWS + r] = vec4 (0.0);
#define CLEAR_KERNEL(k, block, picture) EACH_ROW (CLEAR, k)
#define STORE(k, picture, r) \
  if (used && first.y + r < size.y) \
    picture[row_index (plane + z, first.y + r) + first.x] = to_quad (sums[(k) * ROWS + r] - bias);
#if ROWS == 1
#define STORE_KERNEL(k, block, picture) STORE (k, picture, 0)
#elif ROWS == 2
#define STORE_KERNEL(k, block, picture) STORE (k, picture, 0) STORE (k, picture, 1)
#else
#define STORE_KERNEL(k, block, picture) \
  STORE (k, picture, 0) STORE (k, picture, 1) STORE (k, picture, 2) STORE (k, picture, 3)
#endif

void main ()
{
  ivec2 first = ivec2 (gl_GlobalInvocationID.x, int (gl_GlobalInvocationID.y) * ROWS);
  bool used = first.x < target_layout.x && first.y < size.y;
  int plane = int (gl_WorkGroupID.z) / depth * depth, z = int (gl_WorkGroupID.z) % depth;
  int column = first.x - BESIDE;
  bool inside = column >= 0 && 4 * (first.x + BESIDE) + 3 < size.x;
  vec4 sums[COUNT * ROWS], lines[ROWS * QUADS];
  int columns[QUADS];

  EACH_QUAD (PLACE, 0)
  EACH_KERNEL (CLEAR_KERNEL)
  for (int slice = 0; slice < KERNEL_DEPTH; slice++) {
    barrier ();
    for (int i = int (gl_LocalInvocationIndex); i < SLICE_PACKS; i += GROUP_WIDTH * GROUP_HEIGHT)
      coefficients[i] = kernels[slice * SLICE_PACKS + i];
    barrier ();
    int from = border_index (BORDER, z + slice - KERNEL_DEPTH / 2, depth);
    if (from >= 0 && used) {
      EACH_NEXT_ROW (LOAD_FIRST)
      for (int line = 0; line < KERNEL_HEIGHT; line++) {
        int at = line * COUNT * PACKS;
        EACH_NEXT_ROW (MOVE)
        LOAD (ROWS - 1, first.y + line + ROWS - 1 - RADIUS_Y)
        ADD_KERNELS
      }
    }
  }
  EACH_KERNEL (STORE_KERNEL)
}
