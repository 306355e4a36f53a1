// SPDX-License-Identifier: MIT
// The coarsest LEVELS levels at once: analysis, shrinkage and synthesis by lifting, in shared
// memory. A work group makes CORE × CORE samples. It takes REACH more on every side, as far as
// these depend on them, and treats what it took as a picture of its own: what is wrong at the
// edges of that stays in the rim. Gains are left out and the limits scaled instead. Invocations
// lift PAIRS_0 pairs of samples of a line in registers, PAIRS_1 on the next level. Whole-sample
// border.
//   source  picture, or LL of bands: quads; source_layout: quads of a row, of a channel
//   target  picture of the same size: quads; target_layout: quads of a row, of a channel
//   kept    (binding 2) coefficients of the part, before shrinkage, each where lifting in place leaves
//           it: single floats, laid out as the target. Written with KEEP; with RESUMED they are read instead
//           of the source, and analysis is left out.
//   limits  per level: of HL and LH, of HH; 1 for hard thresholds
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
uniform vec3 limits[LEVELS];

const int PITCH = SIDE + 1; // odd: lines along either axis fall on all banks
shared float tile[SIDE * PITCH];
#define MOST_PAIRS (PAIRS_0 > PAIRS_1 ? PAIRS_0 : PAIRS_1)
float line[2 * MOST_PAIRS + 8]; // samples first - 4 .. first + 2 pairs + 3 of a line
ivec2 origin, extent; // of what was taken
// What this invocation lifts at a level: samples first .. of line `across`.
int across, first, length;
int base, stride; // of the line in `tile`

// Loops over a constant number of pairs are unrolled, so that `line` is in registers.
#define PAIRS(level) ((level) == 0 ? PAIRS_0 : PAIRS_1)

void place (int level, bool along_x)
{
  ivec2 here = (extent + (1 << level) - 1) >> level;
  int lines = (SIDE + (1 << level) - 1) >> level;
  int id = int (gl_LocalInvocationIndex);
  across = id % lines;
  first = id / lines * (2 * PAIRS (level));
  length = along_x ? here.x : here.y;
  if (across >= (along_x ? here.y : here.x))
    first = length; // nothing
  base = (across << level) * (along_x ? PITCH : 1);
  stride = (along_x ? 1 : PITCH) << level;
}

int sample_index (int i)
{
  return FOLD (min (first + i - 4, length + 3), length);
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

void take (int pairs)
{
  for (int i = 0; i < 2 * pairs + 8; i++)
    line[i] = tile[base + stride * sample_index (i)];
}

void take_source (int pairs)
{
  for (int i = 0; i < 2 * pairs + 8; i++)
    line[i] = source_at (across, sample_index (i));
}

void put (int pairs)
{
  for (int i = 0; i < 2 * pairs; i++)
    if (first + i < length)
      tile[base + stride * (first + i)] = line[i + 4];
}

void lift (int pairs)
{
  for (int i = 1; i < 2 * pairs + 6; i += 2)
    line[i] += STEP_0 * (line[i - 1] + line[i + 1]);
  for (int i = 2; i < 2 * pairs + 5; i += 2)
    line[i] += STEP_1 * (line[i - 1] + line[i + 1]);
#if STEPS == 4
  for (int i = 3; i < 2 * pairs + 4; i += 2)
    line[i] += STEP_2 * (line[i - 1] + line[i + 1]);
  for (int i = 4; i < 2 * pairs + 3; i += 2)
    line[i] += STEP_3 * (line[i - 1] + line[i + 1]);
#endif
}

void unlift (int pairs)
{
#if STEPS == 4
  for (int i = 2; i < 2 * pairs + 7; i += 2)
    line[i] -= STEP_3 * (line[i - 1] + line[i + 1]);
  for (int i = 3; i < 2 * pairs + 6; i += 2)
    line[i] -= STEP_2 * (line[i - 1] + line[i + 1]);
#endif
  for (int i = 4; i < 2 * pairs + 5; i += 2)
    line[i] -= STEP_1 * (line[i - 1] + line[i + 1]);
  for (int i = 5; i < 2 * pairs + 4; i += 2)
    line[i] -= STEP_0 * (line[i - 1] + line[i + 1]);
}

float shrink (float detail, float limit, float hard)
{
  float soft = detail - clamp (detail, -limit, limit);
  return hard < 0.5 ? soft : abs (detail) > limit ? detail : 0.0;
}

// Of a row after both analyses: LL, HL ..., or LH, HH ...
void shrink_row (int pairs, vec3 limit)
{
  bool low = (across & 1) == 0;
  for (int i = 0; i < 2 * pairs + 8; i += 2) {
    if (!low)
      line[i] = shrink (line[i], limit.x, limit.z);
    line[i + 1] = shrink (line[i + 1], low ? limit.x : limit.y, limit.z);
  }
}

void analyse (int level)
{
  int pairs = PAIRS (level);
  place (level, false);
  if (first < length) {
    if (level == 0)
      take_source (pairs);
    else
      take (pairs);
  }
  barrier ();
  if (first < length) {
    lift (pairs);
    put (pairs);
  }
  barrier ();
  place (level, true);
  if (first < length)
    take (pairs);
  barrier ();
  if (first < length) {
    lift (pairs);
    put (pairs);
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
      shrink_row (pairs, limits[level]);
    unlift (pairs);
    put (pairs);
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
  const int turns = (SIDE * SIDE + GROUP - 1) / GROUP;
  float values[turns];
  int id = int (gl_LocalInvocationIndex);
  // The loads first: they take their time together.
  for (int t = 0; t < turns; t++) {
    ivec2 at = ivec2 ((id + t * GROUP) % SIDE, (id + t * GROUP) / SIDE);
    values[t] = kept[kept_index (origin + min (at, extent - 1))];
  }
  for (int t = 0; t < turns; t++)
    if (id + t * GROUP < SIDE * SIDE)
      tile[(id + t * GROUP) / SIDE * PITCH + (id + t * GROUP) % SIDE] = values[t];
  barrier ();
}

// The last steps, along y, leave the samples that are the work group's own in memory.
void finish (ivec2 core)
{
  int pairs = PAIRS (0);
  ivec2 end = min (core + CORE, size);
  int channel = int (gl_WorkGroupID.z) * target_layout.y;
  place (0, false);
  if (first < length)
    take (pairs);
#ifdef TARGET_HALF
  // Two samples share a word: back to shared memory first.
  barrier ();
  if (first < length) {
    unlift (pairs);
    put (pairs);
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
    unlift (pairs);
    for (int i = 0; i < 2 * pairs; i++) {
      int y = origin.y + first + i;
      if (y >= core.y && y < end.y)
        target[4 * (channel + y * target_layout.x) + x] = line[i + 4];
    }
  }
#endif
}

#include "include/relay.glsl"

void main ()
{
  take_over ();
  ivec2 core = ivec2 (gl_WorkGroupID.xy) * CORE;
  origin = max (core - REACH, 0);
  extent = min (core + CORE + REACH, size) - origin;
#ifdef RESUMED
  take_kept ();
#else
  analyse (0);
#if LEVELS == 2
  analyse (1);
#endif
#ifdef KEEP
  keep (core);
#endif
#endif
#if LEVELS == 2
  synthesise (1, true);
  synthesise (1, false);
#endif
  synthesise (0, true);
  finish (core);
  hand_on ();
}
