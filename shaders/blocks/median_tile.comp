// SPDX-License-Identifier: MIT
// Median of SIDE * SIDE samples (9 to 19) of a picture in buffers: in the ranks of a tile, as B. Weiss
// ("Fast median and bilateral filtering", ACM SIGGRAPH 2006). A work group sorts the EDGE * EDGE samples
// that its tile sees. Each invocation then moves the window along a row: the column that leaves and the
// one that enters update how many ranks of the window are below a block of 32 ranks, and that block moves
// to where the median is. Exact for any sample: ranks come from comparisons alone.
//   source  (binding 0)
//   target  (binding 1)
// Shared memory is the 32 KiB that OpenGL guarantees. While sorting: keys, then places (64 y + x in the
// tile's samples); of whole samples (UNIT > 0) a key has its place in its low bits. Afterwards, two in a
// word: places by rank, and ranks by place.
#include "include/border.glsl"
#include "include/samples.glsl"
layout (local_size_x = WORKERS) in;

#define EDGE_BITS 6
#define RANK_BITS 12 // of EDGE * EDGE
#define COUNT (EDGE * EDGE)
#define PER_WORKER 16 // COUNT / WORKERS
#define SORTED_BITS 4 // of PER_WORKER
#define WORDS (PER_WORKER / 2) // of each invocation, with two numbers each
#define HEIGHT (EDGE - SIDE + 1) // of a tile
#define QUADS (HEIGHT / 4) // of its rows
#define RUNS (WORKERS / HEIGHT) // of a row, one for each invocation
#define RUN_QUADS ((QUADS + RUNS - 1) / RUNS)
#define HALF (SIDE * SIDE / 2)

#define BLOCK_RANKS 32 // invocations of a warp wait for the one whose median is farthest away
#define BLOCK_BITS (RANK_BITS - 5)
#define BLOCKS (COUNT / BLOCK_RANKS)
#define RANKS (COUNT / 2) // where ranks begin, after places
#define COLUMN_WORDS (EDGE / 2)
#define WINDOW_WORDS ((SIDE + 1) / 2) // of a column of the window
#define UNEVEN (COUNT * 2 - 1) // set if a sample is not whole after all
#define WHOLE_LIMIT 1048576.0 // 32 − RANK_BITS bits
#define WHOLE_ERROR 0.016

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 size; // samples of the picture
uniform ivec2 target_layout; // quads per row, quads per channel; of the source, too
uniform float parameters[6];
shared uint pool[2 * COUNT];

ivec2 origin; // of the tile's samples in the picture

// Of key i: whatever the distance of a warp's keys, they lie in different banks.
int bank (int i)
{
  return i ^ ((i >> 4) & 31);
}

int quad_index (ivec2 quad)
{
  return int (gl_WorkGroupID.z) * target_layout.y + quad.y * target_layout.x + quad.x;
}

// Samples that no window of the picture reaches are those at its end.
float sample_at (int x, int y)
{
  ivec2 p = min (origin + ivec2 (x, y), size - 1 + SIDE / 2);
  int at = FOLD (p.x, size.x);
  return from_quad (source[quad_index (ivec2 (at >> 2, FOLD (p.y, size.y)))])[at & 3];
}

// Whole numbers in the order of the samples.
uint key_of (float value)
{
  uint bits = floatBitsToUint (value);
  return (bits >> 31) != 0u ? ~bits : bits | 0x80000000u;
}

// Bitonic sort (K. Batcher, 1968) of keys that an invocation holds, at distances of 8, 4, 2 and 1.
// MIRROR joins two ascending sequences, as the first step of a merge.
#define EXCHANGE_4(a, b, c, d, far) \
  EXCHANGE (a, a + far) EXCHANGE (b, b + far) EXCHANGE (c, c + far) EXCHANGE (d, d + far)
#define DISTANCE_8 EXCHANGE_4 (0, 1, 2, 3, 8) EXCHANGE_4 (4, 5, 6, 7, 8)
#define DISTANCE_4 EXCHANGE_4 (0, 1, 2, 3, 4) EXCHANGE_4 (8, 9, 10, 11, 4)
#define DISTANCE_2 EXCHANGE_4 (0, 1, 4, 5, 2) EXCHANGE_4 (8, 9, 12, 13, 2)
#define DISTANCE_1 EXCHANGE_4 (0, 2, 4, 6, 1) EXCHANGE_4 (8, 10, 12, 14, 1)
#define MIRROR_4(a) EXCHANGE (a, a + 3) EXCHANGE (a + 1, a + 2)
#define MIRROR_8(a) \
  EXCHANGE (a, a + 7) EXCHANGE (a + 1, a + 6) EXCHANGE (a + 2, a + 5) EXCHANGE (a + 3, a + 4)
#define MIRROR_16 \
  EXCHANGE (0, 15) EXCHANGE (1, 14) EXCHANGE (2, 13) EXCHANGE (3, 12) \
  EXCHANGE (4, 11) EXCHANGE (5, 10) EXCHANGE (6, 9) EXCHANGE (7, 8)
#define MERGE_TO_16 \
  DISTANCE_1 MIRROR_4 (0) MIRROR_4 (4) MIRROR_4 (8) MIRROR_4 (12) DISTANCE_1 \
  MIRROR_8 (0) MIRROR_8 (8) DISTANCE_2 DISTANCE_1 MIRROR_16

// The exchanges of merge `merge` at distances of 2^(top - 1) to 2^low, at most four; merge SORTED_BITS
// is preceded by all earlier ones. Where the merged sequence descends, keys are inverted meanwhile.
#define EXCHANGES \
  if (merge == SORTED_BITS) { \
    MERGE_TO_16 \
  } else if (low + 3 < top) { \
    DISTANCE_8 \
  } \
  if (low + 2 < top) { \
    DISTANCE_4 \
  } \
  if (low + 1 < top) { \
    DISTANCE_2 \
  } \
  DISTANCE_1

int first_key (int low)
{
  int worker = int (gl_LocalInvocationIndex);
  return (worker >> low << (low + SORTED_BITS)) | (worker & ((1 << low) - 1));
}

#define EXCHANGE(a, b) { uint least = min (key[a], key[b]); key[b] = max (key[a], key[b]); key[a] = least; }
void exchange_keys (int merge, int top, int low)
{
  int first = first_key (low), place = bank (first);
  uint inverted = uint (-(first >> merge & 1));
  uint key[PER_WORKER];
  for (int m = 0; m < PER_WORKER; m++)
    key[m] = pool[place ^ bank (m << low)] ^ inverted;
  EXCHANGES
  for (int m = 0; m < PER_WORKER; m++)
    pool[place ^ bank (m << low)] = key[m] ^ inverted;
}
#undef EXCHANGE

#define EXCHANGE(a, b) \
  if (key[a] > key[b]) { \
    uint k = key[a]; key[a] = key[b]; key[b] = k; \
    k = own[a]; own[a] = own[b]; own[b] = k; \
  }
void exchange_pairs (int merge, int top, int low)
{
  int first = first_key (low), place = bank (first);
  uint inverted = uint (-(first >> merge & 1));
  uint key[PER_WORKER], own[PER_WORKER];
  for (int m = 0; m < PER_WORKER; m++) {
    key[m] = pool[place ^ bank (m << low)] ^ inverted;
    own[m] = pool[COUNT + (place ^ bank (m << low))];
  }
  EXCHANGES
  for (int m = 0; m < PER_WORKER; m++) {
    pool[place ^ bank (m << low)] = key[m] ^ inverted;
    pool[COUNT + (place ^ bank (m << low))] = own[m];
  }
}

void sort (bool whole)
{
  for (int merge = SORTED_BITS; merge <= RANK_BITS; merge++)
    for (int top = merge; top > 0; top = max (top - 4, 0)) {
      if (whole)
        exchange_keys (merge, top, max (top - 4, 0));
      else
        exchange_pairs (merge, top, max (top - 4, 0));
      barrier ();
    }
}

// Fills the pool with keys. Whether they have their places in them.
bool load ()
{
  int worker = int (gl_LocalInvocationIndex);
  bool whole = UNIT > 0.0, uneven = false;
  if (whole) {
    if (worker == 0)
      pool[UNEVEN] = 0u;
    barrier ();
    for (int i = worker; i < COUNT; i += WORKERS) {
      float value = sample_at (i & (EDGE - 1), i >> EDGE_BITS) / UNIT;
      float number = clamp (floor (value + 0.5), 0.0, WHOLE_LIMIT - 1.0);
      uneven = uneven || !(abs (value - number) < WHOLE_ERROR);
      pool[bank (i)] = uint (number) << RANK_BITS | uint (i);
    }
    if (uneven)
      pool[UNEVEN] = 1u;
    barrier ();
    whole = pool[UNEVEN] == 0u;
    barrier ();
  }
  if (!whole)
    for (int i = worker; i < COUNT; i += WORKERS) {
      pool[bank (i)] = key_of (sample_at (i & (EDGE - 1), i >> EDGE_BITS));
      pool[COUNT + bank (i)] = uint (i);
    }
  barrier ();
  return whole;
}

// x in bits 0 to 6, y in bits 8 to 14, and above both a bit that subtractions may borrow.
uint fields (uint place)
{
  return 0x8080u | (place & uint (EDGE - 1)) | (place >> EDGE_BITS) << 8;
}

// From sorted keys to places by rank, of which word j of a block has numbers j and j + 16 in its halves
// (words j of all blocks stand together), and to ranks of columns, two rows in a word.
void pack (bool whole)
{
  int worker = int (gl_LocalInvocationIndex), base = whole ? 0 : COUNT;
  uint low[WORDS], high[WORDS];
  for (int k = 0; k < WORDS; k++) {
    int word = worker + k * WORKERS;
    int rank = BLOCK_RANKS * (word & (BLOCKS - 1)) + (word >> BLOCK_BITS);
    low[k] = pool[base + bank (rank)] & uint (COUNT - 1);
    high[k] = pool[base + bank (rank + BLOCK_RANKS / 2)] & uint (COUNT - 1);
  }
  barrier ();
  for (int k = 0; k < WORDS; k++) {
    int word = worker + k * WORKERS;
    int rank = BLOCK_RANKS * (word & (BLOCKS - 1)) + (word >> BLOCK_BITS);
    pool[word] = fields (low[k]) | fields (high[k]) << 16;
    pool[COUNT + int ((low[k] & uint (EDGE - 1)) << EDGE_BITS | low[k] >> EDGE_BITS)] = uint (rank);
    pool[COUNT + int ((high[k] & uint (EDGE - 1)) << EDGE_BITS | high[k] >> EDGE_BITS)]
      = uint (rank + BLOCK_RANKS / 2);
  }
  barrier ();
  for (int word = worker; word < COUNT / 2; word += WORKERS)
    pool[RANKS + word] = pool[COUNT + 2 * word] | pool[COUNT + 2 * word + 1] << 16;
  barrier ();
}

// How many of a window's column at x are below the block: of both ranks of a word the difference to the
// block's first one has bit 15 set. Rows beside the window are those that `rows` leaves out.
int below_in_column (int x, int y, int block, uint rows)
{
  uint limit = uint (block * BLOCK_RANKS + 0x7fff) * 0x10001u, less = 0u;
  int word = RANKS + x * COLUMN_WORDS + (y >> 1);
  for (int k = 0; k < WINDOW_WORDS; k++)
    less = less >> 1 | ((limit - pool[word + k]) & 0x80008000u);
  return bitCount (less & rows);
}

// Which ranks of a block are in the window at x, y, as bits.
uint inside (int block, int x, int y)
{
  uint first = uint (y << 8 | x) * 0x10001u;
  uint last = uint ((y + SIDE - 1) << 8 | (x + SIDE - 1)) * 0x10001u + 0x01010100u;
  uvec2 found = uvec2 (0u); // of both coordinates, eight words each
  for (int j = 0; j < 8; j++) {
    uvec2 place = uvec2 (pool[j * BLOCKS + block], pool[(j + 8) * BLOCKS + block]);
    found = found >> 1 | ((place - first) & (last - place) & 0x80808080u);
  }
  found &= found >> 8 & 0x00ff00ffu;
  return found.x | found.y << 8;
}

// Moves the block to the one that holds the median, of whose ranks `below` are less than the block's.
// The median's place.
uint find (int x, int y, inout int block, inout int below)
{
  bool down = below > HALF;
  uint found;
  for (;;) {
    block -= int (down);
    found = inside (block, x, y);
    int n = bitCount (found);
    if (down) {
      below -= n;
      if (below <= HALF)
        break;
    } else {
      if (below + n > HALF)
        break;
      below += n;
      block++;
    }
  }
  for (int k = below; k < HALF; k++)
    found &= found - 1u;
  int bit = findLSB (found);
  return pool[(bit & 15) * BLOCKS + block] >> (bit & 16);
}

// The medians of `RUN_QUADS` quads of row y of the tile, from x on.
void slide (int x, int y, int end)
{
  uint rows = (y & 1) == 0 ? 0x7fffffffu : ~(1u << (16 - WINDOW_WORDS));
  int block = 0, below = 0;
  vec4 result;

  // About where it is: the mean of a line across the window.
  for (int k = 0; k < SIDE; k++)
    block += int (pool[RANKS + (x + k) * COLUMN_WORDS + ((y + k) >> 1)] >> (((y + k) & 1) << 4) & 0xffffu);
  block /= SIDE * BLOCK_RANKS;
  for (int k = 0; k < SIDE; k++)
    below += below_in_column (x + k, y, block, rows);
  for (;;) {
    uint place = find (x, y, block, below);
    result[x & 3] = sample_at (int (place & 127u), int (place >> 8 & 127u));
    if ((x & 3) == 3) {
      ivec2 quad = ivec2 (int (gl_WorkGroupID.x) * QUADS + (x >> 2), origin.y + SIDE / 2 + y);
      if (quad.x < target_layout.x)
        target[quad_index (quad)] = to_quad (result);
    }
    if (++x == end)
      return;
    below += below_in_column (x + SIDE - 1, y, block, rows) - below_in_column (x - 1, y, block, rows);
  }
}

void main ()
{
  int worker = int (gl_LocalInvocationIndex);
  origin = ivec2 (gl_WorkGroupID.xy) * ivec2 (4 * QUADS, HEIGHT) - SIDE / 2;
  bool whole = load ();
  sort (whole);
  pack (whole);
  int row = worker % HEIGHT, run = worker / HEIGHT * RUN_QUADS;
  if (run < QUADS && origin.y + SIDE / 2 + row < size.y)
    slide (4 * run, row, 4 * min (run + RUN_QUADS, QUADS));
}
