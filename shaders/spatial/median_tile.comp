// SPDX-License-Identifier: MIT
// Median of SIDE * SIDE samples (9 to 19) of a picture in buffers: in the ranks of a tile, as B. Weiss
// ("Fast median and bilateral filtering", ACM SIGGRAPH 2006). A work group sorts the EDGE * EDGE samples
// that its tile sees. Each invocation then moves the window along a row: the column that leaves and the
// one that enters update how many ranks of the window are below the pivot, and the pivot moves rank by
// rank to the median. Exact for any sample: ranks come from comparisons alone.
// Keys and places of EDGE * EDGE (64²) samples fill the 32 KiB that OpenGL guarantees.
//   source  (binding 0)
//   target  (binding 1)
#include "include/border.glsl"
#include "include/samples.glsl"
layout (local_size_x = WORKERS) in;

#define EDGE_BITS 6
#define RANK_BITS 12 // of EDGE * EDGE
#define COUNT (EDGE * EDGE)
#define PER_WORKER 16 // COUNT / WORKERS
#define HEIGHT (EDGE - SIDE + 1) // of a tile
#define QUADS (HEIGHT / 4) // of its rows
#define RUNS (WORKERS / HEIGHT) // of a row, one for each invocation
#define RUN_QUADS ((QUADS + RUNS - 1) / RUNS)
#define HALF (SIDE * SIDE / 2)

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 size; // samples of the picture
uniform ivec2 target_layout; // quads per row, quads per channel; of the source, too
shared int keys[COUNT]; // of samples; once they are sorted, ranks by place
shared int places[COUNT]; // by rank: 64 y + x in the tile's samples

ivec2 origin; // of the tile's samples in the picture

// Neighbouring rows lie in different banks.
int bank (int i)
{
  return i ^ ((i >> EDGE_BITS) & 31);
}

int quad_index (ivec2 quad)
{
  return int (gl_WorkGroupID.z) * target_layout.y + quad.y * target_layout.x + quad.x;
}

// Samples that no window of the picture reaches are those at its end.
float sample_at (int place)
{
  ivec2 p = min (origin + ivec2 (place & (EDGE - 1), place >> EDGE_BITS), size - 1 + SIDE / 2);
  int x = FOLD (p.x, size.x);
  return from_quad (source[quad_index (ivec2 (x >> 2, FOLD (p.y, size.y)))])[x & 3];
}

// Integers in the order of the samples.
int key_of (float value)
{
  int bits = floatBitsToInt (value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

#define EXCHANGE(a, b) \
  if ((key[a] > key[b]) == ((index (a) >> merge & 1) == 0)) { \
    int k = key[a]; key[a] = key[b]; key[b] = k; \
    k = place[a]; place[a] = place[b]; place[b] = k; \
  }
#define EXCHANGE_4(a, b, c, d, far) \
  EXCHANGE (a, a + far) EXCHANGE (b, b + far) EXCHANGE (c, c + far) EXCHANGE (d, d + far)
#define index(m) (base | (m) << low)

// Bitonic sort (K. Batcher, 1968): the exchanges of merge `merge` at distances of 2^(top - 1) to
// 2^low, at most four, among samples that this invocation holds.
void exchange (int merge, int top, int low)
{
  int worker = int (gl_LocalInvocationIndex);
  int base = (worker >> low << (low + 4)) | (worker & ((1 << low) - 1));
  int key[PER_WORKER], place[PER_WORKER];
  for (int m = 0; m < PER_WORKER; m++) {
    key[m] = keys[bank (index (m))];
    place[m] = places[bank (index (m))];
  }
  if (low + 3 < top) {
    EXCHANGE_4 (0, 1, 2, 3, 8)
    EXCHANGE_4 (4, 5, 6, 7, 8)
  }
  if (low + 2 < top) {
    EXCHANGE_4 (0, 1, 2, 3, 4)
    EXCHANGE_4 (8, 9, 10, 11, 4)
  }
  if (low + 1 < top) {
    EXCHANGE_4 (0, 1, 4, 5, 2)
    EXCHANGE_4 (8, 9, 12, 13, 2)
  }
  EXCHANGE_4 (0, 2, 4, 6, 1)
  EXCHANGE_4 (8, 10, 12, 14, 1)
  for (int m = 0; m < PER_WORKER; m++) {
    keys[bank (index (m))] = key[m];
    places[bank (index (m))] = place[m];
  }
}

void sort ()
{
  for (int merge = 1; merge <= RANK_BITS; merge++)
    for (int top = merge; top > 0;) {
      int low = max (top - 4, 0);
      exchange (merge, top, low);
      barrier ();
      top = low;
    }
  for (int r = int (gl_LocalInvocationIndex); r < COUNT; r += WORKERS)
    keys[bank (places[bank (r)])] = r;
  barrier ();
}

int rank_at (int x, int y)
{
  return keys[bank (y << EDGE_BITS | x)];
}

// Whether a rank is in the window at x, y.
bool is_inside (int rank, int x, int y)
{
  int place = places[bank (rank)];
  return uint ((place & (EDGE - 1)) - x) < uint (SIDE) && uint ((place >> EDGE_BITS) - y) < uint (SIDE);
}

// The medians of `RUN_QUADS` quads of row y of the tile, from x on.
void slide (int x, int y, int end)
{
  int pivot = 0, below = 0;
  vec4 result;

  // About where it is: the mean of a line across the window.
  for (int k = 0; k < SIDE; k++)
    pivot += rank_at (x + k, y + k);
  pivot /= SIDE;
  for (int k = 0; k < SIDE * SIDE; k++)
    below += int (rank_at (x + k % SIDE, y + k / SIDE) < pivot);
  for (;;) {
    for (; below > HALF && pivot > 0; below -= int (is_inside (pivot, x, y)))
      pivot--;
    for (; pivot < COUNT - 1; pivot++) {
      bool inside = is_inside (pivot, x, y);
      if (inside && below == HALF)
        break;
      below += int (inside);
    }
    result[x & 3] = sample_at (places[bank (pivot)]);
    if ((x & 3) == 3) {
      ivec2 quad = ivec2 (int (gl_WorkGroupID.x) * QUADS + (x >> 2), origin.y + SIDE / 2 + y);
      if (quad.x < target_layout.x)
        target[quad_index (quad)] = to_quad (result);
    }
    if (++x == end)
      return;
    for (int k = 0; k < SIDE; k++)
      below += int (rank_at (x + SIDE - 1, y + k) < pivot) - int (rank_at (x - 1, y + k) < pivot);
  }
}

void main ()
{
  int worker = int (gl_LocalInvocationIndex);
  origin = ivec2 (gl_WorkGroupID.xy) * ivec2 (4 * QUADS, HEIGHT) - SIDE / 2;
  for (int i = worker; i < COUNT; i += WORKERS) {
    keys[bank (i)] = key_of (sample_at (i));
    places[bank (i)] = i;
  }
  barrier ();
  sort ();
  int row = worker % HEIGHT, run = worker / HEIGHT * RUN_QUADS;
  if (run < QUADS && origin.y + SIDE / 2 + row < size.y)
    slide (4 * run, row, 4 * min (run + RUN_QUADS, QUADS));
}
