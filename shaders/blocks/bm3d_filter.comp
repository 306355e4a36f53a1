// SPDX-License-Identifier: MIT
// Groups of blocks (include/bm3d.glsl) through transforms along them and along their columns and rows,
// shrunk there, and back. A work group has a group of blocks, and an invocation for each sample of one.
//   source   (binding 0)
//   guide    (binding 1, with SECOND)  by which step two weights
//   between  (the next one)  groups; weights and blocks
// Nothing is indexed but memory, since drivers put what is into memory, too. The lists are made in
// bm3d.c: GROUP_FORWARD and GROUP_INVERSE, statements that transform a0 … a7; ALONG, likewise v0, v1 …
//   EACH_BLOCK (macro)   macro (z, vz) for the blocks of a group; EACH_LINE (macro)  macro (i, li, hi)
#include "include/bm3d.glsl"

#define LINES ((n + 7) / 8) // of a group, rows or columns, that an invocation transforms
#define ROW 9 // of a block in shared memory, so that rows of blocks begin in other banks
#define BLOCK (ROW * SIDE)
layout (local_size_x = 64) in;

layout (std430, binding = 0) restrict readonly buffer Source { STORED_SAMPLE source[]; };
#ifdef SECOND
layout (std430, binding = 1) restrict readonly buffer Guide { STORED_SAMPLE guide[]; };
layout (std430, binding = 2) restrict buffer Between { uint between[]; };
#else
layout (std430, binding = 1) restrict buffer Between { uint between[]; };
#endif
shared float work[MOST * BLOCK];
shared float squares[64], fewer[SIDE];

int t; // the number of this invocation
int n; // blocks of the group

#define EACH_SAMPLE(macro) macro (0, a0) macro (1, a1) macro (2, a2) macro (3, a3) \
  macro (4, a4) macro (5, a5) macro (6, a6) macro (7, a7)
#define DECLARE(i, value) float value;
#define BUTTERFLY(a, b) { float c = a; a = c + b; b = c - b; }

// A line of the group in `work`, from `at` on. Line i is row or column i of this invocation.
#define TAKE(j, value) float value = work[at + (j) * distance];
#define PUT(j, value) work[at + (j) * distance] = value;
#define IS_THERE(i) ((t + 64 * (i)) >> 3 < n)
#define ROW_AT(i) ((t + 64 * (i)) * ROW)
#define COLUMN_AT(i) (((t + 64 * (i)) >> 3) * BLOCK + (t & 7))
#define SAMPLE_OF_BLOCK(z) work[(z) * BLOCK + (t >> 3) * ROW + (t & 7)]

// The orthonormal Walsh-Hadamard transform along the blocks, its own inverse but for the gain.
#define GAIN inversesqrt (float (n))
#define LOAD(z, value) value = SAMPLE_AT (LOADED, SAMPLE_OF_GROUP (z));
#define STORE_BLOCK(z, value) SAMPLE_OF_BLOCK (z) = value * gain;
#define TAKE_BLOCK(z, value) value = SAMPLE_OF_BLOCK (z);
#define WRITE_BLOCK(z, value) if (z < n) between[to + SIDE * SIDE * (z)] = floatBitsToUint (value * gain);

#ifdef SMALL
#define SAMPLE_OF_GROUP(z) sample_index (starts[z] + ivec2 (t & 7, t >> 3))
#define START(p) (p)
shared ivec2 starts[MOST];
#else
#define SAMPLE_OF_GROUP(z) (starts[z] + (t >> 3) * 4 * target_layout.x + (t & 7))
#define START(p) sample_index (p)
shared int starts[MOST];
#endif

#ifdef COLOURED
shared ivec2 corners[MOST];

// The variances of the group's coefficients, in SIGMA^2, become what blocks have in `work`
// (src/image/bm3d/noise.h). An invocation has those of one coefficient of all blocks.
void find_variances ()
{
  float own = uintBitsToFloat (between[noise_at (ivec2 (0)) + t]);
  float least = own * LEAST_SHARE + LEAST_VARIANCE, gain = 1.0 / float (n);
  VALUES
  SAMPLE_OF_BLOCK (0) = own * float (n);
  for (int m = 1; m < n; m++) {
    float sum = 0.0;
    for (int j = 0; j < n; j++) {
      ivec2 apart = abs (corners[j] - corners[j ^ m]);
      if (j < (j ^ m) && max (apart.x, apart.y) < APART)
        sum += uintBitsToFloat (between[noise_at (apart) + t]);
    }
    SAMPLE_OF_BLOCK (m) = 2.0 * sum;
  }
#define STORE_VARIANCE(z, value) SAMPLE_OF_BLOCK (z) = max (value * gain, least);
  EACH_BLOCK (TAKE_BLOCK)
  ALONG
  EACH_BLOCK (STORE_VARIANCE)
  barrier ();
}

#define IS_MEAN(i) (t + 64 * (i) == 0) // of the group, which stays
#define AT(j) work[at + (j) * ROW]
#define TAKE_NOISE(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    low = vec4 (AT (0), AT (1), AT (2), AT (3)); \
    high = vec4 (AT (4), AT (5), AT (6), AT (7)); \
  }
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
#ifdef COLOURED
  FACTORS
  find_variances ();
  EACH_LINE (TAKE_NOISE)
  barrier ();
#endif
#ifdef SECOND
#ifndef COLOURED
  FACTORS
#endif
#define LOADED guide
  EACH_BLOCK (LOAD)
#undef LOADED
  ALONG
  EACH_BLOCK (STORE_BLOCK)
  barrier ();
  transform_rows ();
  barrier ();
#ifdef COLOURED
#define WEIGH(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    EACH_SAMPLE (TAKE) \
    GROUP_FORWARD \
    vec4 low_noise = low, high_noise = high; \
    low = vec4 (a0, a1, a2, a3) * vec4 (a0, a1, a2, a3); \
    high = vec4 (a4, a5, a6, a7) * vec4 (a4, a5, a6, a7); \
    vec4 low_limit = CAUTION * SIGMA * SIGMA * low_noise; \
    low_limit.x = IS_MEAN (i) ? NO_NOISE : low_limit.x; \
    low /= low + low_limit; \
    high /= high + CAUTION * SIGMA * SIGMA * high_noise; \
    left += dot (low * low, low_noise) + dot (high * high, high_noise); \
  }
#else
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
#endif
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
#elif defined COLOURED
  float limit = SHRINKAGE * SHRINKAGE * SIGMA * SIGMA;
#define CUT_BEYOND(value, noise) CUT_UNLESS (false, value, noise)
#define CUT_UNLESS(stays, value, noise) if (stays || value * value > limit * noise) left += noise; else value = 0.0;
#define CUT_LINE(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    EACH_SAMPLE (TAKE) \
    GROUP_FORWARD \
    CUT_UNLESS (IS_MEAN (i), a0, low.x) CUT_BEYOND (a1, low.y) CUT_BEYOND (a2, low.z) CUT_BEYOND (a3, low.w) \
    CUT_BEYOND (a4, high.x) CUT_BEYOND (a5, high.y) CUT_BEYOND (a6, high.z) CUT_BEYOND (a7, high.w) \
    GROUP_INVERSE \
    EACH_SAMPLE (PUT) \
  }
  EACH_LINE (CUT_LINE)
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

// The way back, to samples times the window.
void finish (int group)
{
  const float kaiser[SIDE] = float[SIDE] (KAISER);

  transform_rows_back ();
  if (t < SIDE) {
    float sum = 0.0;
    for (int i = 0; i < OPAQUE (SIDE); i++)
      sum += squares[t * SIDE + i];
    fewer[t] = sum;
  }
  barrier ();
  if (t == 0) {
    float all = 0.0;
    for (int i = 0; i < OPAQUE (SIDE); i++)
      all += fewer[i];
    between[weights_at () + group / MOST] = floatBitsToUint (1.0 / max (all, LEAST));
  }
  int to = blocks_at () + group * SIDE * SIDE + t;
  float gain = GAIN * kaiser[t >> 3] * kaiser[t & 7];
  VALUES
  EACH_BLOCK (TAKE_BLOCK)
  ALONG
  EACH_BLOCK (WRITE_BLOCK)
}

void main ()
{
  ivec2 block = ivec2 (gl_WorkGroupID.xy) + ivec2 (0, first * TILE);
  int group = group_at (block);

  if (!(SIGMA > 0.0))
    return;
  t = int (gl_LocalInvocationIndex);
  n = int (between[group] >> 12);
  if (t < MOST) {
    uint p = between[group + (t < n ? t : 0)]; // those behind the group are read, and not used
    starts[t] = START (place_of (block) - REACH + ivec2 (p & 63u, p >> 6 & 63u));
#ifdef COLOURED
    corners[t] = ivec2 (p & 63u, p >> 6 & 63u);
#endif
  }
  barrier ();
  squares[t] = shrink ();
  barrier ();
  finish (group);
}
