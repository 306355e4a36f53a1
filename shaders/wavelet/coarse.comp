// SPDX-License-Identifier: MIT
// The coarsest LEVELS levels in one dispatch: analysis, shrinkage and synthesis by lifting in shared
// memory. A work group produces CORE × CORE samples. It loads a rim of REACH samples on every side,
// on which these depend, and treats the tile as a picture; errors at the tile's edges stay within
// the rim. Gains are omitted; the limits are scaled instead. An invocation lifts PAIRS_0 pairs of a
// line in registers, PAIRS_1 on the next level. Whole-sample border.
//   source  picture, or LL of bands: quads; source_layout: quads per row, per channel
//   target  picture of the same size: quads; target_layout: quads per row, per channel
//   kept    (binding 2) state of analysis before its last steps along x, lifted in place: floats,
//           laid out as the target. KEEP writes it; RESUMED reads it instead of the source and
//           continues from there.
//   limits  per level: of HL, LH and HH; 1 for hard thresholds
#include "include/border.glsl"
#include "include/samples.glsl"

layout (local_size_x = GROUP) in;
#ifdef SOURCE_HALF
layout (std430, binding = 0) restrict readonly buffer Source { uint source[]; };
#else
layout (std430, binding = 0) restrict readonly buffer Source { float source[]; };
#endif
#ifdef TARGET_HALF
layout (std430, binding = 1) restrict writeonly buffer Target { TARGET_QUAD target[]; };
#else
layout (std430, binding = 1) restrict writeonly buffer Target { float target[]; };
#endif
layout (std430, binding = 2) restrict buffer Kept { float kept[]; };
uniform ivec2 size;
uniform ivec2 source_layout;
uniform ivec2 target_layout;
uniform vec4 limits[LEVELS];

const int PITCH = SIDE + 1; // odd, to avoid bank conflicts along both axes
shared float tile[SIDE * PITCH];
// A segment of a line: the samples that an invocation lifts, with a margin that they depend on:
// REACH_ONE samples per side for one direction, twice as many for both.
#define REACH_ONE 4
#define REACH_BOTH 8
#define COARSEST (LEVELS - 1)
#define PAIRS(level) ((level) == 0 ? PAIRS_0 : PAIRS_1)
#define LINE_ONE (2 * PAIRS_0 + 2 * REACH_ONE)
#define LINE_BOTH (2 * PAIRS (COARSEST) + 2 * REACH_BOTH)
float line[LINE_ONE > LINE_BOTH ? LINE_ONE : LINE_BOTH];
ivec2 origin, extent; // of the loaded tile
// This invocation's segment of a level: samples first .. of line `across`.
int across, first, length;
int base, stride; // of the line in `tile`

void place (int level, bool along_x)
{
  ivec2 here = (extent + (1 << level) - 1) >> level;
  int lines = (SIDE + (1 << level) - 1) >> level;
  int id = int (gl_LocalInvocationIndex);
  across = id % lines;
  first = id / lines * (2 * PAIRS (level));
  length = along_x ? here.x : here.y;
  if (across >= (along_x ? here.y : here.x))
    first = length; // empty
  base = (across << level) * (along_x ? PITCH : 1);
  stride = (along_x ? 1 : PITCH) << level;
}

float source_at (int x, int y)
{
  int i = int (gl_WorkGroupID.z) * source_layout.y + (origin.y + y) * source_layout.x;
#ifdef SOURCE_HALF
  vec2 pair = unpackHalf2x16 (source[2 * i + ((origin.x + x) >> 1)]);
  return (x & 1) == 0 ? pair.x : pair.y;
#else
  return source[4 * i + origin.x + x];
#endif
}

#define IN_TILE(i) tile[base + stride * (i)]
#define IN_SOURCE(i) source_at (across, i)

// Most segments are complete: only the margin is mirrored, and no index is computed per sample.
#define TAKE(SAMPLE, pairs, reach)                                                               \
  int end = first + 2 * pairs, last = length - 1;                                                \
  if (end <= length) {                                                                           \
    for (int i = 0; i < reach; i++)                                                              \
      line[i] = SAMPLE (abs (first - reach + i));                                                \
    for (int i = 0; i < 2 * pairs; i++)                                                          \
      line[reach + i] = SAMPLE (first + i);                                                      \
    for (int i = 0; i < reach; i++)                                                              \
      line[reach + 2 * pairs + i] = SAMPLE (last - abs (last - end - i));                        \
  } else {                                                                                       \
    for (int i = 0; i < 2 * pairs + 2 * reach; i++) {                                            \
      int at = FOLD (min (first - reach + i, last + reach), length);                             \
      line[i] = SAMPLE (at);                                                                     \
    }                                                                                            \
  }

void take (int pairs)
{
  TAKE (IN_TILE, pairs, REACH_ONE)
}

void put (int pairs, int reach)
{
  for (int i = 0; i < 2 * pairs; i++)
    if (first + i < length)
      IN_TILE (first + i) = line[reach + i];
}

// Analysis of n samples; the first and last REACH_ONE become invalid.
void lift (int n)
{
  for (int i = 1; i < n - 2; i += 2)
    line[i] += STEP_0 * (line[i - 1] + line[i + 1]);
  for (int i = 2; i < n - 3; i += 2)
    line[i] += STEP_1 * (line[i - 1] + line[i + 1]);
#if STEPS == 4
  for (int i = 3; i < n - 4; i += 2)
    line[i] += STEP_2 * (line[i - 1] + line[i + 1]);
  for (int i = 4; i < n - 5; i += 2)
    line[i] += STEP_3 * (line[i - 1] + line[i + 1]);
#endif
}

// Synthesis of `pairs` pairs from `begin` on, preceded by REACH_ONE samples.
void unlift (int pairs, int begin)
{
  int end = begin + 2 * pairs;
#if STEPS == 4
  for (int i = begin - 2; i < end + 3; i += 2)
    line[i] -= STEP_3 * (line[i - 1] + line[i + 1]);
  for (int i = begin - 1; i < end + 2; i += 2)
    line[i] -= STEP_2 * (line[i - 1] + line[i + 1]);
#endif
  for (int i = begin; i < end + 1; i += 2)
    line[i] -= STEP_1 * (line[i - 1] + line[i + 1]);
  for (int i = begin + 1; i < end; i += 2)
    line[i] -= STEP_0 * (line[i - 1] + line[i + 1]);
}

// Shrinks a row after both analyses: LL, HL ..., or LH, HH ... LL is exempt by a negative limit.
void shrink_row (int begin, int end, vec4 limit)
{
  bool low = (across & 1) == 0;
  float odd = low ? limit.x : limit.z;
  if (limit.w < 0.5) {
    float even = low ? 0.0 : limit.y;
    for (int i = begin; i < end; i += 2) {
      line[i] -= clamp (line[i], -even, even);
      line[i + 1] -= clamp (line[i + 1], -odd, odd);
    }
  } else {
    float even = low ? -1.0 : limit.y;
    for (int i = begin; i < end; i += 2) {
      line[i] = abs (line[i]) > even ? line[i] : 0.0;
      line[i + 1] = abs (line[i + 1]) > odd ? line[i + 1] : 0.0;
    }
  }
}

void analyse_source ()
{
  place (0, false);
  if (first < length) {
    TAKE (IN_SOURCE, PAIRS_0, REACH_ONE)
    lift (LINE_ONE);
    put (PAIRS_0, REACH_ONE);
  }
  barrier ();
}

void analyse (int level, bool along_x)
{
  int pairs = PAIRS (level);
  place (level, along_x);
  if (first < length)
    take (pairs);
  barrier ();
  if (first < length) {
    lift (2 * pairs + 2 * REACH_ONE);
    put (pairs, REACH_ONE);
  }
  barrier ();
}

// The last steps of analysis, along x, and the first of synthesis.
void turn ()
{
  place (COARSEST, true);
  if (first < length) {
    TAKE (IN_TILE, PAIRS (COARSEST), REACH_BOTH)
  }
  barrier ();
  if (first < length) {
    lift (LINE_BOTH);
    shrink_row (REACH_ONE, LINE_BOTH - REACH_ONE, limits[COARSEST]);
    unlift (PAIRS (COARSEST), REACH_BOTH);
    put (PAIRS (COARSEST), REACH_BOTH);
  }
  barrier ();
}

void synthesise (int level, bool along_x)
{
  int pairs = PAIRS (level);
  place (level, along_x);
  if (first < length)
    take (pairs);
  barrier ();
  if (first < length) {
    if (along_x)
      shrink_row (0, 2 * pairs + 2 * REACH_ONE, limits[level]);
    unlift (pairs, REACH_ONE);
    put (pairs, REACH_ONE);
  }
  barrier ();
}

int kept_index (ivec2 at)
{
  return 4 * (int (gl_WorkGroupID.z) * target_layout.y + at.y * target_layout.x) + at.x;
}

void keep (ivec2 core)
{
  ivec2 end = min (core + CORE, size);
  for (int i = int (gl_LocalInvocationIndex); i < CORE * CORE; i += GROUP) {
    ivec2 at = core + ivec2 (i % CORE, i / CORE);
    if (at.x < end.x && at.y < end.y)
      kept[kept_index (at)] = tile[(at.y - origin.y) * PITCH + at.x - origin.x];
  }
}

void take_kept ()
{
  const int rows = GROUP / SIDE, turns = (SIDE + rows - 1) / rows; // rows taken at a time
  float values[turns];
  ivec2 at = ivec2 (int (gl_LocalInvocationIndex) % SIDE, int (gl_LocalInvocationIndex) / SIDE);
  // All loads first, to overlap their latency.
  for (int t = 0; t < turns; t++)
    values[t] = kept[kept_index (origin + min (at + ivec2 (0, t * rows), extent - 1))];
  for (int t = 0; t < turns; t++)
    if (at.y < rows && at.y + t * rows < SIDE)
      tile[(at.y + t * rows) * PITCH + at.x] = values[t];
  barrier ();
}

// The last steps, along y, write the work group's own samples.
void finish (ivec2 core)
{
  int pairs = PAIRS (0);
  ivec2 end = min (core + CORE, size);
  int channel = int (gl_WorkGroupID.z) * target_layout.y;
  place (0, false);
  if (first < length)
    take (pairs);
#ifdef TARGET_HALF
  // Two samples share a word: store to shared memory first.
  barrier ();
  if (first < length) {
    unlift (pairs, REACH_ONE);
    put (pairs, REACH_ONE);
  }
  barrier ();
  const int quads = CORE / 4;
  for (int i = int (gl_LocalInvocationIndex); i < quads * CORE; i += GROUP) {
    ivec2 at = core + ivec2 (4 * (i % quads), i / quads);
    int t = (at.y - origin.y) * PITCH + at.x - origin.x;
    if (at.x < end.x && at.y < end.y)
      target[channel + at.y * target_layout.x + at.x / 4]
        = to_quad (vec4 (tile[t], tile[t + 1], tile[t + 2], tile[t + 3]));
  }
#else
  int x = origin.x + across;
  if (first < length && x >= core.x && x < end.x) {
    unlift (pairs, REACH_ONE);
    for (int i = 0; i < 2 * pairs; i++) {
      int y = origin.y + first + i;
      if (y >= core.y && y < end.y)
        target[4 * (channel + y * target_layout.x) + x] = line[REACH_ONE + i];
    }
  }
#endif
}

void main ()
{
  ivec2 core = ivec2 (gl_WorkGroupID.xy) * CORE;
  // The tile keeps its full number of samples at the ends of the picture, so that segments are
  // complete.
  const int whole = 1 << LEVELS;
  origin = max (min (core - REACH, (size - SIDE + whole - 1) & ~(whole - 1)), 0);
  extent = min (origin + SIDE, size) - origin;
#ifdef RESUMED
  take_kept ();
#else
  analyse_source ();
#if LEVELS == 2
  analyse (0, true);
  analyse (1, false);
#endif
#ifdef KEEP
  keep (core);
#endif
#endif
  turn ();
#if LEVELS == 2
  synthesise (1, false);
  synthesise (0, true);
#endif
  finish (core);
}
