// SPDX-License-Identifier: MIT
// Groups of blocks (include/bm3d.glsl) through transforms along them and along their columns and rows,
// shrunk there, and back; then added up. A work group has a tile of reference blocks, TOGETHER of them
// at a time, 64 invocations for each. Invocation (x & 7, y & 7) adds what blocks have at such places of
// the picture and no other one does, group after group, so that sums are the same in every run; there
// are SUMS lists of them, of every other group. Weights are added up by the corners of blocks, and spread
// over blocks by the window at the end.
//   source   (binding 0)
//   guide    (binding 1, with SECOND)  by which step two weights
//   between  (the next one)  groups; sums
// Nothing is indexed but memory, since drivers put what is into memory, too. The lists are made in
// bm3d.c: GROUP_FORWARD and GROUP_INVERSE, statements that transform a0 … a7; ALONG, likewise v0, v1 …
//   EACH_BLOCK (macro)   macro (z, vz) for the blocks of a group; EACH_LINE (macro)  macro (i, li, hi)
#include "include/bm3d.glsl"

#define LINES ((n + 7) / 8) // of a group, rows or columns, that an invocation transforms
#define ROW 9 // of a block in shared memory, so that rows of blocks begin in other banks
#define BLOCK (ROW * SIDE)
layout (local_size_x = INVOCATIONS) in; // 64 * TOGETHER

layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
#ifdef SECOND
layout (std430, binding = 1) restrict readonly buffer Guide { STORED_SAMPLE guide[]; };
layout (std430, binding = 2) restrict buffer Between { uint between[]; };
#else
layout (std430, binding = 1) restrict buffer Between { uint between[]; };
#endif
#define WORK (TOGETHER * MOST * BLOCK)
#define MAP (CORNERS * CORNERS)
shared float work[WORK > MAP ? WORK : MAP]; // at the end the weights of corners
shared float sums[SUMS * AREA];
shared float window[BLOCK];
shared uint places[TOGETHER * MOST];
shared uint cells[TOGETHER * MOST]; // of the blocks among the tile's sums, and the lower bits of x and y
shared float squares[TOGETHER * 64], fewer[TOGETHER * SIDE];
shared uint corners[TILE * TILE * MOST]; // of all blocks, MAP where there is none
shared float weight_of[TILE * TILE]; // of the groups

int t, own; // of this invocation: its number in the group, where the group lies in `work`
int n; // blocks of the group

#define EACH_SAMPLE(macro) macro (0, a0) macro (1, a1) macro (2, a2) macro (3, a3) \
  macro (4, a4) macro (5, a5) macro (6, a6) macro (7, a7)
#define DECLARE(i, value) float value;
#define BUTTERFLY(a, b) { float c = a; a = c + b; b = c - b; }

// A line of the group in `work`, from `at` on. Line i is row or column i of this invocation.
#define TAKE(j, value) float value = work[at + (j) * distance];
#define PUT(j, value) work[at + (j) * distance] = value;
#define IS_THERE(i) ((t + 64 * (i)) >> 3 < n)
#define ROW_AT(i) (own + (t + 64 * (i)) * ROW)
#define COLUMN_AT(i) (own + ((t + 64 * (i)) >> 3) * BLOCK + (t & 7))
#define SAMPLE_OF_BLOCK(z) work[own + (z) * BLOCK + (t >> 3) * ROW + (t & 7)]

// The orthonormal Walsh-Hadamard transform along the blocks, its own inverse but for the gain.
#define GAIN inversesqrt (float (n))
#define LOAD(z, value) value = SAMPLE_AT (LOADED, SAMPLE_OF_GROUP (z));
#define STORE_BLOCK(z, value) SAMPLE_OF_BLOCK (z) = value * gain;
#define TAKE_BLOCK(z, value) value = SAMPLE_OF_BLOCK (z);

#ifdef SMALL
#define SAMPLE_OF_GROUP(z) sample_index (starts[own / BLOCK + (z)] + ivec2 (t & 7, t >> 3))
#define START(p) (p)
shared ivec2 starts[TOGETHER * MOST];
#else
#define SAMPLE_OF_GROUP(z) (starts[own / BLOCK + (z)] + (t >> 3) * 4 * target_layout.x + (t & 7))
#define START(p) sample_index (p)
shared int starts[TOGETHER * MOST];
#endif

void transform_rows ()
{
  for (int i = 0; i < LINES; i++)
    if (IS_THERE (i)) {
      int at = ROW_AT (i);
      const int distance = 1;
      EACH_SAMPLE (TAKE)
      GROUP_FORWARD
      EACH_SAMPLE (PUT)
    }
}

void transform_rows_back ()
{
  for (int i = 0; i < LINES; i++)
    if (IS_THERE (i)) {
      int at = ROW_AT (i);
      const int distance = 1;
      EACH_SAMPLE (TAKE)
      GROUP_INVERSE
      EACH_SAMPLE (PUT)
    }
}

// The squares of the factors of this invocation's coefficients, which are shrunk on their way.
float shrink ()
{
  const int distance = ROW;
  float left = 0.0, gain = GAIN;
  VALUES
#ifdef SECOND
  FACTORS
#define LOADED guide
  EACH_BLOCK (LOAD)
#undef LOADED
  ALONG
  EACH_BLOCK (STORE_BLOCK)
  barrier ();
  transform_rows ();
  barrier ();
#define WEIGH(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    EACH_SAMPLE (TAKE) \
    GROUP_FORWARD \
    low = vec4 (a0, a1, a2, a3) * vec4 (a0, a1, a2, a3); \
    high = vec4 (a4, a5, a6, a7) * vec4 (a4, a5, a6, a7); \
    low /= low + SIGMA * SIGMA; \
    high /= high + SIGMA * SIGMA; \
    left += dot (low, low) + dot (high, high); \
  }
  EACH_LINE (WEIGH)
  barrier ();
#endif
#define LOADED source
  EACH_BLOCK (LOAD)
#undef LOADED
  ALONG
  EACH_BLOCK (STORE_BLOCK)
  barrier ();
  transform_rows ();
  barrier ();
#ifdef SECOND
#define SHRINK(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    EACH_SAMPLE (TAKE) \
    GROUP_FORWARD \
    a0 *= low.x; a1 *= low.y; a2 *= low.z; a3 *= low.w; \
    a4 *= high.x; a5 *= high.y; a6 *= high.z; a7 *= high.w; \
    GROUP_INVERSE \
    EACH_SAMPLE (PUT) \
  }
  EACH_LINE (SHRINK)
#else
#define CUT(j, value) if (abs (value) > threshold) left += 1.0; else value = 0.0;
  float threshold = SHRINKAGE * SIGMA;
  for (int i = 0; i < LINES; i++)
    if (IS_THERE (i)) {
      int at = COLUMN_AT (i);
      EACH_SAMPLE (TAKE)
      GROUP_FORWARD
      EACH_SAMPLE (CUT)
      GROUP_INVERSE
      EACH_SAMPLE (PUT)
    }
#endif
  return left;
}

// The way back, to samples times the weight of the group and the window.
void finish (int group, int number)
{
  transform_rows_back ();
  if (t < SIDE) {
    float sum = 0.0;
    for (int i = 0; i < SIDE; i++)
      sum += squares[group * 64 + t * SIDE + i];
    fewer[group * SIDE + t] = sum;
  }
  barrier ();
  float all = 0.0;
  for (int i = 0; i < SIDE; i++)
    all += fewer[group * SIDE + i];
  float weight = 1.0 / max (all, LEAST), gain = GAIN * weight * window[(t >> 3) * ROW + (t & 7)];
  VALUES
  EACH_BLOCK (TAKE_BLOCK)
  ALONG
  EACH_BLOCK (STORE_BLOCK)
  if (t == 0)
    weight_of[number] = weight;
}

// Four blocks at a time, which may meet in a cell: then the later one adds to what the earlier one
// made.
#define AT_CELL(z, cell, in_block) { \
    uint c = cells[group * MOST + (z)]; \
    int x = (t - int (c)) & 7, y = ((t >> 3) - int (c >> 3)) & 7; \
    cell = list + int (c >> 6) + y * PITCH + x; \
    in_block = y * ROW + x; \
  }
#define ADD_UP \
  for (int z = 0; z < count; z += 4) { \
    int c0, c1, c2, c3, b0, b1, b2, b3; \
    AT_CELL (z, c0, b0) \
    AT_CELL (z + 1, c1, b1) \
    AT_CELL (z + 2, c2, b2) \
    AT_CELL (z + 3, c3, b3) \
    float s0 = sums[c0], s1 = sums[c1], s2 = sums[c2], s3 = sums[c3]; \
    s0 += SAMPLE_IN (z, b0); \
    s1 = (c1 == c0 ? s0 : s1) + SAMPLE_IN (z + 1, b1); \
    s2 = (c2 == c1 ? s1 : c2 == c0 ? s0 : s2) + SAMPLE_IN (z + 2, b2); \
    s3 = (c3 == c2 ? s2 : c3 == c1 ? s1 : c3 == c0 ? s0 : s3) + SAMPLE_IN (z + 3, b3); \
    sums[c0] = s0; \
    sums[c1] = s1; \
    sums[c2] = s2; \
    sums[c3] = s3; \
  }
#define SAMPLE_IN(z, b) (z < count ? work[(group * MOST + (z)) * BLOCK + b] : 0.0)

void add_up (int group)
{
  int count = int (places[group * MOST] >> 12), list = group % SUMS * AREA;
  ADD_UP
}

// Fills `work` with the sums of weights of blocks by their corners, which no two blocks of a group have
// in common.
void add_weights ()
{
  for (int i = int (gl_LocalInvocationIndex); i < MAP; i += INVOCATIONS)
    work[i] = 0.0;
  for (int k = 0; k < TILE * TILE; k++) {
    barrier ();
    for (int i = int (gl_LocalInvocationIndex); i < MOST; i += INVOCATIONS) {
      uint corner = corners[k * MOST + i];
      if (corner < uint (MAP))
        work[corner] += weight_of[k];
    }
  }
}

void write_sums (int to)
{
  for (int i = int (gl_LocalInvocationIndex); i < AREA; i += INVOCATIONS) {
    float sum = sums[i];
    for (int k = 1; k < SUMS; k++)
      sum += sums[k * AREA + i];
    between[to + i] = floatBitsToUint (sum);
  }
}

// The weights of samples, by columns of corners first, which take the place of sums.
void write_weights (int to)
{
  const float kaiser[SIDE] = float[SIDE] (KAISER);

  for (int i = int (gl_LocalInvocationIndex); i < EDGE * CORNERS; i += INVOCATIONS) {
    int y = i / CORNERS;
    float sum = 0.0;
    for (int v = 0; v < SIDE; v++)
      sum += y >= v && y - v < CORNERS ? kaiser[v] * work[i - v * CORNERS] : 0.0;
    sums[i] = sum;
  }
  barrier ();
  for (int i = int (gl_LocalInvocationIndex); i < AREA; i += INVOCATIONS) {
    int x = i % PITCH, from = i / PITCH * CORNERS + x;
    float sum = 0.0;
    for (int u = 0; u < SIDE; u++)
      sum += x >= u && x - u < CORNERS ? kaiser[u] * sums[from - u] : 0.0;
    between[to + i] = floatBitsToUint (sum);
  }
}

void main ()
{
  const float kaiser[SIDE] = float[SIDE] (KAISER);
  int group = int (gl_LocalInvocationIndex) >> 6;
  ivec2 tile = ivec2 (gl_WorkGroupID.xy) + ivec2 (0, first), count = count_of_blocks ();
  ivec2 origin = origin_of (tile);

  if (!(SIGMA > 0.0))
    return;
  t = int (gl_LocalInvocationIndex) & 63;
  own = group * MOST * BLOCK;
  for (int i = int (gl_LocalInvocationIndex); i < SUMS * AREA; i += INVOCATIONS)
    sums[i] = 0.0;
  for (int i = int (gl_LocalInvocationIndex); i < TILE * TILE * MOST; i += INVOCATIONS)
    corners[i] = uint (MAP);
  if (group == 0)
    window[(t >> 3) * ROW + (t & 7)] = kaiser[t >> 3] * kaiser[t & 7];
  for (int k = 0; k < TILE * TILE; k += TOGETHER) {
    ivec2 block = tile * TILE + ivec2 ((k + group) % TILE, (k + group) / TILE);
    bool is_there = k + group < TILE * TILE && all (lessThan (block, count));
    barrier ();
    if (t < MOST)
      places[group * MOST + t] = is_there ? between[group_at (block) + t] : uint (REACH << 6 | REACH);
    barrier ();
    n = int (places[group * MOST] >> 12);
    if (t < MOST) { // those behind the group are read, and not used
      uint p = places[group * MOST + (t < n ? t : 0)];
      ivec2 at = place_of (block) - REACH + ivec2 (p & 63u, p >> 6 & 63u), to = at - origin;
      starts[group * MOST + t] = START (at);
      if (t < n && is_there)
        corners[(k + group) * MOST + t] = uint (to.y * CORNERS + to.x);
      cells[group * MOST + t]
        = uint ((to.y * PITCH + to.x) << 6 | (to.y & 7) << 3 | (to.x & 7));
    }
    barrier ();
    squares[group * 64 + t] = shrink ();
    barrier ();
    finish (group, k + group);
    barrier ();
    if (group < SUMS)
      for (int g = group; g < TOGETHER; g += SUMS)
        add_up (g);
  }
  barrier ();
  add_weights ();
  barrier ();
  write_sums (tile_at (tile));
  barrier ();
  write_weights (tile_at (tile) + AREA);
}
