// SPDX-License-Identifier: MIT
// Adds up the filtered blocks of a tile of reference blocks (include/bm3d.glsl). Invocation (x & 7, y & 7)
// adds what blocks have at such places of the picture and no other one does, block after block, so that sums
// are the same in every run. Weights are added up by the corners of blocks, and spread over blocks by the window at the
// end. With FRAMES what groups say of frame `place`.
//   between (binding 0)  groups, blocks and weights; sums
#include "include/bm3d.glsl"

#define INVOCATIONS 64
#define GROUPS (TILE * TILE)
#define LINE (EDGE | 1) // of weights, so that rows begin in other banks
#define MAP (EDGE * LINE)
#define ROOM (AREA > MAP ? AREA : MAP)
layout (local_size_x = INVOCATIONS) in;

layout (std430, binding = 0) restrict buffer Between { uint between[]; };
#ifdef FRAMES
uniform int place;
#endif
shared float sums[ROOM]; // at the end weights, by corners first
shared uint cells[GROUPS * MOST]; // of the blocks among the tile's sums, and the lower bits of x and y
shared int counts[GROUPS], froms[GROUPS]; // of blocks, and where the first one lies
shared float weights[GROUPS];

// AT_ONCE blocks are read at a time, and four added, which may meet in a cell: then the later one adds to
// what the earlier one made. Those behind the last one are it with the weight 0. There are no branches,
// which keep drivers from reading ahead.
#define VALUE(z, bits) uintBitsToFloat (bits) * (weight * float (clamp (count - (z), 0, 1)))
// x where a == b, else y.
#define SELECT(a, b, x, y) \
  intBitsToFloat (floatBitsToInt (x) & -int ((a) == (b)) | floatBitsToInt (y) & int ((a) == (b)) - 1)
#define ADD_FOUR(c0, c1, c2, c3, v0, v1, v2, v3) { \
    float s0 = sums[c0], s1 = sums[c1], s2 = sums[c2], s3 = sums[c3]; \
    s0 += v0; \
    s1 = SELECT (c1, c0, s0, s1) + v1; \
    s2 = SELECT (c2, c1, s1, SELECT (c2, c0, s0, s2)) + v2; \
    s3 = SELECT (c3, c2, s2, SELECT (c3, c1, s1, SELECT (c3, c0, s0, s3))) + v3; \
    sums[c0] = s0; \
    sums[c1] = s1; \
    sums[c2] = s2; \
    sums[c3] = s3; \
  }

#ifdef FRAMES
#define MOST_READ MOST_ALONG // of a frame, mostly
#else
#define MOST_READ MOST
#endif
#ifdef IN_LOOPS
#define AT_ONCE 4 // since what is written out is what Mesa compiles
#elif MOST_READ < 16
#define AT_ONCE 8
#else
#define AT_ONCE 16
#endif
#define READ(k, at) \
  ivec2 at = places_of (cells[group * MOST + z + k], t) + ivec2 (0, from + min (z + k, count - 1) * SIDE * SIDE);
#define BRING(at, bits) uint bits = between[at.y];
#define ADD(k, at0, at1, at2, at3, bits0, bits1, bits2, bits3) \
  ADD_FOUR (at0.x, at1.x, at2.x, at3.x, VALUE (z + k, bits0), VALUE (z + k + 1, bits1), VALUE (z + k + 2, bits2), \
            VALUE (z + k + 3, bits3))

// Of this invocation's sample of a block: among the sums, and in the block.
ivec2 places_of (uint cell, int t)
{
  int x = (t - int (cell)) & 7, y = ((t >> 3) - int (cell >> 3)) & 7;
  return ivec2 (int (cell >> 6) + y * PITCH + x, y * SIDE + x);
}

void add_group (int group, int from, int t)
{
  int count = counts[group];
  float weight = weights[group];

  for (int z = 0; z < count; z += AT_ONCE) {
    READ (0, a0) READ (1, a1) READ (2, a2) READ (3, a3)
#if AT_ONCE > 4
    READ (4, a4) READ (5, a5) READ (6, a6) READ (7, a7)
#endif
#if AT_ONCE > 8
    READ (8, a8) READ (9, a9) READ (10, a10) READ (11, a11)
    READ (12, a12) READ (13, a13) READ (14, a14) READ (15, a15)
#endif
    BRING (a0, b0) BRING (a1, b1) BRING (a2, b2) BRING (a3, b3)
#if AT_ONCE > 4
    BRING (a4, b4) BRING (a5, b5) BRING (a6, b6) BRING (a7, b7)
#endif
#if AT_ONCE > 8
    BRING (a8, b8) BRING (a9, b9) BRING (a10, b10) BRING (a11, b11)
    BRING (a12, b12) BRING (a13, b13) BRING (a14, b14) BRING (a15, b15)
#endif
    ADD (0, a0, a1, a2, a3, b0, b1, b2, b3)
#if AT_ONCE > 4
    ADD (4, a4, a5, a6, a7, b4, b5, b6, b7)
#endif
#if AT_ONCE > 8
    ADD (8, a8, a9, a10, a11, b8, b9, b10, b11)
    ADD (12, a12, a13, a14, a15, b12, b13, b14, b15)
#endif
  }
}

#ifdef FRAMES
// How far a group's blocks in the frame lie from those in the centre, and the how-many-th of its frames it is;
// z < 0: none.
ivec3 move_to (ivec2 block)
{
  int from = track_at (block), times = int (between[from]);
  ivec3 found = ivec3 (0, 0, -1);

  for (int k = 0; k < times; k++) {
    uint word = between[from + 1 + k];
    if (int (word >> 16) == place)
      found = ivec3 (move_of (word), k);
  }
  return found;
}
#endif

// Fills the corners of `sums` with the sums of weights of blocks by their corners, which no two blocks
// of a group have in common.
void add_weights ()
{
  for (int i = int (gl_LocalInvocationIndex); i < MAP; i += INVOCATIONS)
    sums[i] = 0.0;
  for (int k = 0; k < GROUPS; k++) {
    barrier ();
    for (int i = int (gl_LocalInvocationIndex); i < counts[k]; i += INVOCATIONS) {
      int cell = int (cells[k * MOST + i] >> 6);
      sums[cell / PITCH * LINE + cell % PITCH] += weights[k];
    }
  }
}

void write_sums (int to)
{
  for (int i = int (gl_LocalInvocationIndex); i < AREA; i += INVOCATIONS)
    between[to + i] = floatBitsToUint (sums[i]);
}

// Spreads CORNERS weights, which stand `apart` from `at` on, over blocks, eight samples at a time, in their place: from
// the last one on, since none needs what is behind it.
void spread (int at, int apart)
{
  const float kaiser[SIDE] = float[SIDE] (KAISER);
  float own[SIDE], before[SIDE];

  for (int i = 0; i < SIDE; i++)
    own[i] = 0.0;
  for (int first = (EDGE - 1) / SIDE * SIDE; first >= -SIDE; first -= SIDE) {
    for (int i = 0; i < SIDE; i++)
      before[i] = first + i >= 0 && first + i < CORNERS ? sums[at + (first + i) * apart] : 0.0;
    for (int i = 0; i < SIDE; i++) {
      float sum = 0.0;
      for (int v = 0; v < SIDE; v++)
        sum += kaiser[v] * (v <= i ? own[i - v] : before[SIDE + i - v]);
      if (first + SIDE + i < EDGE)
        sums[at + (first + SIDE + i) * apart] = sum;
    }
    for (int i = 0; i < SIDE; i++)
      own[i] = before[i];
  }
}

// The weights of samples: of columns of corners, then of all rows.
void write_weights (int to)
{
  for (int x = int (gl_LocalInvocationIndex); x < CORNERS; x += INVOCATIONS)
    spread (x, LINE);
  barrier ();
  for (int y = int (gl_LocalInvocationIndex); y < EDGE; y += INVOCATIONS)
    spread (y * LINE, 1);
  barrier ();
  for (int i = int (gl_LocalInvocationIndex); i < AREA; i += INVOCATIONS)
    between[to + i] = floatBitsToUint (sums[min (i / PITCH * LINE + i % PITCH, MAP - 1)]);
}

void main ()
{
  int own = int (gl_LocalInvocationIndex);
  ivec2 tile = ivec2 (gl_WorkGroupID.xy) + ivec2 (0, first), count = count_of_blocks ();
  ivec2 origin = origin_of (tile);

  if (!(SIGMA > 0.0))
    return;
  for (int i = own; i < AREA; i += INVOCATIONS)
    sums[i] = 0.0;
  for (int i = own; i < GROUPS * MOST; i += INVOCATIONS) {
    ivec2 block = tile * TILE + ivec2 (i / MOST % TILE, i / MOST / TILE);
    bool is_there = all (lessThan (block, count));
    block = is_there ? block : tile * TILE;
    int from = group_at (block), n = int (between[from] >> 12);
    uint p = between[from + (i % MOST < n ? i % MOST : 0)];
    ivec2 to = place_of (block) - REACH + ivec2 (p & 63u, p >> 6 & 63u) - origin;
    int blocks = blocks_of (block);
#ifdef FRAMES
    ivec3 move = move_to (block);
    to += move.xy;
    blocks += max (move.z, 0) * n * SIDE * SIDE;
    n = move.z < 0 ? 0 : n;
#endif
    cells[i] = uint ((to.y * PITCH + to.x) << 6 | (to.y & 7) << 3 | (to.x & 7));
    if (i % MOST == 0) {
      counts[i / MOST] = is_there ? n : 0;
      froms[i / MOST] = blocks;
      weights[i / MOST] = uintBitsToFloat (between[weights_at () + from / MOST]);
    }
  }
  barrier ();
  for (int k = 0; k < GROUPS; k++)
    add_group (k, froms[k], own);
  barrier ();
  write_sums (tile_at (tile));
  barrier ();
  add_weights ();
  barrier ();
  write_weights (tile_at (tile) + AREA);
}
