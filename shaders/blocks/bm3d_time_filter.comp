// SPDX-License-Identifier: MIT
// Groups of blocks of several frames (include/bm3d_time.glsl) through transforms along the blocks of a frame,
// from frame to frame, and along columns and rows of blocks, shrunk there, and back. A work group has a group
// of blocks, and an invocation for each sample of one. Of large groups what is transformed along them waits
// in memory, and goes through the other transforms CHUNK blocks at a time; with WHOLE there are no more.
//   pictures (binding 0)
//   between  (binding 1)  groups and tracks, noise; weights and blocks
// The lists are made in bm3d.c, as for bm3d_filter.comp, and in bm3d_time.c:
//   EACH_FEW (macro)   as EACH_BLOCK, of groups that have blocks of several frames
//   EACH_OF_ALL (macro), ALONG_ALL, TIMES_ALL (sums)  with IN_REGISTERS, of all blocks of a group
//   EACH_TIME (macro)  macro (k, xk) for the frames; DECLARE_TIMES declares the xk; OF_TIMES (sum, k) and
//                      OF_TIMES_BACK (sum, k) make `sum` the one over `along`
#include "include/bm3d.glsl"

#define LINES ((count + 7) / 8) // of the chunk, rows or columns, that an invocation transforms
#define ROW 9 // of a block in shared memory, so that rows of blocks begin in other banks
#define BLOCK (ROW * SIDE)
layout (local_size_x = 64) in;

layout (std430, binding = 0) restrict readonly buffer Pictures { float pictures[]; };
layout (std430, binding = 1) restrict buffer Between { uint between[]; };
shared float work[CHUNK * BLOCK];
shared float along[FRAMES * FRAMES]; // the cosine transform of as many times as the group has, then zeros
shared int places[MOST], shifts[FRAMES]; // of blocks in a plane, and of frames, among the samples
shared float squares[64], fewer[SIDE];

int t; // the number of this invocation
int n; // blocks of the group, of each frame
int times; // its frames
int count; // blocks of the chunk
int own_at; // this invocation's samples in memory
float held[MOST]; // of them, where lists are loops
#ifdef COLOURED
shared float variances[MOST * BLOCK]; // of coefficients of the blocks of a frame, in SIGMA^2
shared ivec2 corners[MOST];
#endif

#ifdef IN_LOOPS
#define EACH_SAMPLE(macro) for (int j = 0; j < OPAQUE (SIDE); j++) { macro (j, a[OPAQUE (j)]) }
#define DECLARE_SAMPLES float a[SIDE];
#define a0 a[0]
#define a1 a[1]
#define a2 a[2]
#define a3 a[3]
#define a4 a[4]
#define a5 a[5]
#define a6 a[6]
#define a7 a[7]
#else
#define EACH_SAMPLE(macro) macro (0, a0) macro (1, a1) macro (2, a2) macro (3, a3) \
  macro (4, a4) macro (5, a5) macro (6, a6) macro (7, a7)
#define DECLARE_SAMPLES EACH_SAMPLE (DECLARE)
#endif
#define DECLARE(i, value) float value;
#define BUTTERFLY(a, b) { float c = a; a = c + b; b = c - b; }
#define SAMPLE_OF_BLOCK(z) held[OPAQUE (z)]

// A line of the chunk in `work`, from `at` on. Line i is row or column i of this invocation.
#define TAKE(j, value) value = work[at + (j) * distance];
#define PUT(j, value) work[at + (j) * distance] = value;
#define IS_THERE(i) ((t + 64 * (i)) >> 3 < count)
#define ROW_AT(i) ((t + 64 * (i)) * ROW)
#define COLUMN_AT(i) (((t + 64 * (i)) >> 3) * BLOCK + (t & 7))

// This invocation's sample of block b of the group.
#define IN_WORK(b) work[(b) * BLOCK + (t >> 3) * ROW + (t & 7)]
#ifdef WHOLE
#define GET(area, b) IN_WORK (b)
#define SET(area, b, value) IN_WORK (b) = value;
#else
#define IN_MEMORY(area, b) between[own_at + ((area) * MOST_ALL + (b)) * SIDE * SIDE]
#define GET(area, b) uintBitsToFloat (IN_MEMORY (area, b))
#define SET(area, b, value) IN_MEMORY (area, b) = floatBitsToUint (value);
#endif

// The orthonormal Walsh-Hadamard transform along the blocks of a frame, its own inverse but for the gain.
#define GAIN inversesqrt (float (n))
#define LOAD(z, value) value = pictures[from + places[z]];
#define KEEP_BLOCK(z, value) if ((z) < n) { SET (area, base + (z), value * gain) }
#define TAKE_HELD(z, value) value = GET (0, base + min (z, n - 1));
#define WRITE_BLOCK(z, value) if ((z) < n) between[own_at + (base + (z)) * SIDE * SIDE] = floatBitsToUint (value * gain);

// From frame to frame, of block z.
#define TAKE_TIME(k, value) value = GET (area, min (k, times - 1) * n + z);
#define PUT_TIME(k, value) if ((k) < times) { float sum; OF_TIMES (sum, k) SET (area, (k) * n + z, sum) }
#define PUT_TIME_BACK(k, value) if ((k) < times) { float sum; OF_TIMES_BACK (sum, k) SET (area, (k) * n + z, sum) }

// The same of all frames, where they are few. Those that the group has not are the last one, times 0.
#define DECLARE_ALL(k, z, value) float value;
#define LOAD_ALL(k, z, value) value = pictures[from + shifts[min (k, times - 1)] + places[z]];
#define KEEP_ALL(k, z, value) if ((k) < times && (z) < n) { SET (area, (k) * n + (z), value * gain) }
#define TAKE_ALL(k, z, value) value = GET (0, min (k, times - 1) * n + min (z, n - 1));
#define WRITE_ALL(k, z, value) \
  if ((k) < times && (z) < n) between[own_at + ((k) * n + (z)) * SIDE * SIDE] = floatBitsToUint (value * gain);

// The group of the pictures from plane `plane` on, transformed along itself.
void take (int area, int plane)
{
  float gain = GAIN;
  VALUES

#ifdef IN_REGISTERS
  if (times > 1) {
    EACH_OF_ALL (DECLARE_ALL)
    int from = 4 * plane * target_layout.y + (t >> 3) * 4 * target_layout.x + (t & 7);
    EACH_OF_ALL (LOAD_ALL)
    ALONG_ALL
    TIMES_ALL (OF_TIMES)
    EACH_OF_ALL (KEEP_ALL)
    return;
  }
#endif
  for (int k = 0; k < times; k++) {
    int base = k * n;
    int from = 4 * plane * target_layout.y + shifts[k] + (t >> 3) * 4 * target_layout.x + (t & 7);
    if (times > 1) {
      EACH_FEW (LOAD)
    } else {
      EACH_BLOCK (LOAD)
    }
    ALONG
    if (times > 1) {
      EACH_FEW (KEEP_BLOCK)
    } else {
      EACH_BLOCK (KEEP_BLOCK)
    }
  }
  for (int z = 0; z < n && times > 1; z++) {
    DECLARE_TIMES
    EACH_TIME (TAKE_TIME)
    EACH_TIME (PUT_TIME)
  }
}

#ifdef WHOLE
#define BRING(area, plane) take (area, plane);
#else
#define BRING(area, plane) bring (area, from);
void bring (int area, int from)
{
  for (int b = 0; b < count; b++)
    IN_WORK (b) = GET (area, from + b);
}

void bring_back (int from)
{
  for (int b = 0; b < count; b++)
    SET (0, from + b, IN_WORK (b))
}
#endif

#ifdef COLOURED
// Of all frames; as in bm3d_filter.comp. An invocation has those of one coefficient of all blocks.
void find_variances ()
{
  float own = uintBitsToFloat (between[noise_at (ivec2 (0)) + t]);
  float least = own * LEAST_SHARE + LEAST_VARIANCE, gain = 1.0 / float (n);
  VALUES

#define VARIANCE_OF(z) variances[(z) * BLOCK + (t >> 3) * ROW + (t & 7)]
#define TAKE_VARIANCE(z, value) value = VARIANCE_OF (z);
#define STORE_VARIANCE(z, value) VARIANCE_OF (z) = max (value * gain, least);
  VARIANCE_OF (0) = own * float (n);
  for (int m = 1; m < n; m++) {
    float sum = 0.0;
    for (int j = 0; j < n; j++) {
      ivec2 apart = abs (corners[j] - corners[j ^ m]);
      if (j < (j ^ m) && max (apart.x, apart.y) < APART)
        sum += uintBitsToFloat (between[noise_at (apart) + t]);
    }
    VARIANCE_OF (m) = 2.0 * sum;
  }
  EACH_BLOCK (TAKE_VARIANCE)
  ALONG
  EACH_BLOCK (STORE_VARIANCE)
}

// Of the coefficients of line i.
#define IS_MEAN(i) (from + t + 64 * (i) == 0) // of the group, which stays
#define NOISE(j) variances[noise_from + (j) * ROW]
#define TAKE_NOISE(i) \
  int noise_from = (((t + 64 * (i)) >> 3) & (n - 1)) * BLOCK + (t & 7); \
  vec4 low_noise = vec4 (NOISE (0), NOISE (1), NOISE (2), NOISE (3)); \
  vec4 high_noise = vec4 (NOISE (4), NOISE (5), NOISE (6), NOISE (7));
#endif

void transform_rows ()
{
  for (int i = 0; i < LINES; i++)
    if (IS_THERE (i)) {
      int at = ROW_AT (i);
      const int distance = 1;
      DECLARE_SAMPLES
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
      DECLARE_SAMPLES
      EACH_SAMPLE (TAKE)
      GROUP_INVERSE
      EACH_SAMPLE (PUT)
    }
}

// Of the chunk from block `from` on: the squares of the factors of this invocation's coefficients, which are
// shrunk on their way there and back.
float shrink (int from)
{
  const int distance = ROW;
  float left = 0.0;
#ifdef WIENER
  FACTORS
  BRING (1, FRAMES)
  barrier ();
  transform_rows ();
  barrier ();
#ifdef COLOURED
#define WEIGH(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    DECLARE_SAMPLES \
    EACH_SAMPLE (TAKE) \
    GROUP_FORWARD \
    TAKE_NOISE (i) \
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
    DECLARE_SAMPLES \
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
  BRING (0, 0)
  barrier ();
  transform_rows ();
  barrier ();
#ifdef WIENER
#define SHRINK(i, low, high) if (IS_THERE (i)) { \
    int at = COLUMN_AT (i); \
    DECLARE_SAMPLES \
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
#define CUT_UNLESS(stays, value, noise) if (stays || value * value > limit * noise) left += noise; else value = 0.0;
#define CUT(value, noise) CUT_UNLESS (false, value, noise)
  for (int i = 0; i < LINES; i++)
    if (IS_THERE (i)) {
      int at = COLUMN_AT (i);
      DECLARE_SAMPLES
      EACH_SAMPLE (TAKE)
      GROUP_FORWARD
      TAKE_NOISE (i)
      CUT_UNLESS (IS_MEAN (i), a0, low_noise.x) CUT (a1, low_noise.y) CUT (a2, low_noise.z) CUT (a3, low_noise.w)
      CUT (a4, high_noise.x) CUT (a5, high_noise.y) CUT (a6, high_noise.z) CUT (a7, high_noise.w)
      GROUP_INVERSE
      EACH_SAMPLE (PUT)
    }
#else
#define CUT(j, value) if (abs (value) > threshold) left += 1.0; else value = 0.0;
  float threshold = SHRINKAGE * SIGMA;
  for (int i = 0; i < LINES; i++)
    if (IS_THERE (i)) {
      int at = COLUMN_AT (i);
      DECLARE_SAMPLES
      EACH_SAMPLE (TAKE)
      GROUP_FORWARD
      EACH_SAMPLE (CUT)
      GROUP_INVERSE
      EACH_SAMPLE (PUT)
    }
#endif
  barrier ();
  transform_rows_back ();
  barrier ();
#ifndef WHOLE
  bring_back (from);
#endif
  return left;
}

void write_weight (ivec2 block)
{
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
    between[weights_at () + group_at (block) / MOST] = floatBitsToUint (1.0 / max (all, LEAST));
  }
}

// The way back along the group, to samples times the window.
void finish ()
{
  const float kaiser[SIDE] = float[SIDE] (KAISER);
  const int area = 0;
  float gain = GAIN * kaiser[t >> 3] * kaiser[t & 7];
  VALUES

#ifdef IN_REGISTERS
  if (times > 1) {
    EACH_OF_ALL (DECLARE_ALL)
    EACH_OF_ALL (TAKE_ALL)
    TIMES_ALL (OF_TIMES_BACK)
    ALONG_ALL
    EACH_OF_ALL (WRITE_ALL)
    return;
  }
#endif
  for (int z = 0; z < n && times > 1; z++) {
    DECLARE_TIMES
    EACH_TIME (TAKE_TIME)
    EACH_TIME (PUT_TIME_BACK)
  }
  for (int k = 0; k < times; k++) {
    int base = k * n;
    if (times > 1) {
      EACH_FEW (TAKE_HELD)
    } else {
      EACH_BLOCK (TAKE_HELD)
    }
    ALONG
    if (times > 1) {
      EACH_FEW (WRITE_BLOCK)
    } else {
      EACH_BLOCK (WRITE_BLOCK)
    }
  }
}

// Cosine transforms of 1, 2 … times, one behind the other.
void load_group (ivec2 block)
{
  const float cosines[N_COSINES] = float[N_COSINES] (COSINES);
  int group = group_at (block), track = track_at (block) + 1;
  int first_cosine = (times - 1) * times * (2 * times - 1) / 6;

  if (t < MOST) {
    uint p = between[group + (t < n ? t : 0)]; // those behind the group are read, and not used
    ivec2 start = place_of (block) - REACH + ivec2 (p & 63u, p >> 6 & 63u);
    places[t] = 4 * start.y * target_layout.x + start.x;
#ifdef COLOURED
    corners[t] = start;
#endif
  }
  if (t < times) {
    uint word = between[track + t];
    ivec2 move = move_of (word);
    shifts[t] = 4 * (int (word >> 16) * target_layout.y + move.y * target_layout.x) + move.x;
  }
  for (int i = t; i < FRAMES * FRAMES; i += 64) {
    int row = i / FRAMES, column = i % FRAMES;
    float value = cosines[first_cosine + min (row, times - 1) * times + min (column, times - 1)];
    along[i] = row < times && column < times ? value : 0.0;
  }
}

void main ()
{
  ivec2 block = ivec2 (gl_WorkGroupID.xy) + ivec2 (0, first * TILE);
  float left = 0.0;

  if (!(SIGMA > 0.0))
    return;
  t = int (gl_LocalInvocationIndex);
  n = int (between[group_at (block)] >> 12);
  times = int (between[track_at (block)]);
  own_at = blocks_of (block) + t;
  load_group (block);
  barrier ();
#ifdef COLOURED
  find_variances (); // barriers follow
#endif
#ifndef WHOLE
#ifdef WIENER
  take (1, FRAMES);
#endif
  take (0, 0);
#endif
  for (int from = 0; from < n * times; from += CHUNK) {
    count = min (CHUNK, n * times - from);
    left += shrink (from);
  }
  squares[t] = left;
  barrier ();
  write_weight (block);
  finish ();
}
