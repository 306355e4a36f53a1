// SPDX-License-Identifier: MIT
// Convolution by Fourier transforms, one AXIS (x 0, y 1, z 2) of it: LINES lines of POINTS points go through
// shared memory. Blocks overlap by what the kernel reaches; two of them, which follow one another along the
// axis LAST, are the real and the imaginary part of one. Sample s of a block is point s, those before it are
// the last points. Of each axis a block has SAMPLES of its own and RADIUS before and behind them.
// By #define: SAMPLES_IN, from samples (KERNEL: from the coefficients); FORWARD_STAGES; MULTIPLY, by the
// spectrum of the kernel; INVERSE_STAGES; SAMPLES_OUT, to samples. What neither reads nor writes samples works
// on points in place, which lie x by x, y by y, z by z, pair of blocks by pair.
#include "include/border.glsl"

layout (local_size_x = WORKERS) in;
#ifdef SAMPLES_OUT
layout (std430, binding = 0) restrict writeonly buffer Samples { float samples[]; };
#elif defined SAMPLES_IN && !defined KERNEL
layout (std430, binding = 0) restrict readonly buffer Samples { float samples[]; };
#endif
layout (std430, binding = 1) restrict buffer Points { vec2 points[]; };
layout (std430, binding = 2) restrict readonly buffer Tables { vec2 tables[]; };
#ifdef MULTIPLY
layout (std430, binding = 3) restrict readonly buffer Spectrum { vec2 spectrum[]; };
#endif
uniform ivec2 size; // samples of a slice
uniform ivec2 target_layout; // quads of a row, of a slice
uniform int depth; // slices that the transform knows of
uniform float bias; // what samples are stored less

const ivec3 all_points = ALL_POINTS, own = OWN, radius = RADIUS, blocks = BLOCKS;
const int sheet = all_points.x * all_points.y, volume = sheet * all_points.z;

shared vec2 lines[POINTS * PITCH];

#include "include/fourier.glsl"

// Whether samples reach a point along an axis, and the sample, from the block's first one on.
bool is_used (int point, int axis)
{
  return point < own[axis] + radius[axis] || point >= all_points[axis] - radius[axis];
}

int sample_of (int point, int axis)
{
  return point < own[axis] + radius[axis] ? point : point - all_points[axis];
}

// Point number i along an axis that the passes have to do with: before the inverse transform all that
// samples reach, behind it the block's own.
int point_of (int i, int axis)
{
#ifdef INVERSE_STAGES
  return i;
#else
  return i < own[axis] + radius[axis] ? i : i + all_points[axis] - own[axis] - 2 * radius[axis];
#endif
}

#if AXIS == 0
#define COUNT_LINES COUNT_Y
#define STRIDE 1
#elif AXIS == 1
#define COUNT_LINES all_points.x
#define STRIDE all_points.x
#else
#define COUNT_LINES sheet
#define STRIDE sheet
#endif

// The first block of a pair; the channel of a volume, or the slice, is the last one.
ivec4 first_block (int pair)
{
  ivec3 counts = blocks;
  counts[LAST] /= 2;
  ivec4 block = ivec4 (pair % counts.x, pair / counts.x % counts.y, pair / (counts.x * counts.y) % counts.z,
                       pair / (counts.x * counts.y * counts.z));
  block[LAST] *= 2;
  return block;
}

// Where the row of a sample lies, as the border has it; −1: zeros.
int row_of (ivec4 block, int y, int z)
{
  int row = border_index (BORDER, block.y * own.y + y, size.y);
  int slice = border_index (BORDER, block.z * own.z + z, depth);
  return row < 0 || slice < 0
             ? -1
             : 4 * ((block.w * depth + slice) * target_layout.y + row * target_layout.x);
}

float sample_at (int row, int x)
{
#if defined SAMPLES_IN && !defined KERNEL
  int at = border_index (BORDER, x, size.x);
  return row < 0 || at < 0 ? 0.0 : samples[row + at] + bias;
#else
  return 0.0;
#endif
}

// Coefficients are pairs of floats in the table; `x`, `y` and `z` from the kernel's middle.
float coefficient_at (int x, int y, int z)
{
  ivec3 side = 2 * radius + 1, at = ivec3 (x, y, z) + radius;
  int i = (at.z * side.y + at.y) * side.x + at.x;
  return tables[COEFFICIENTS + (i >> 1)][i & 1];
}

vec2 value_at (ivec4 block, int x, int y, int z)
{
#ifdef KERNEL
  return vec2 (coefficient_at (x, y, z), 0.0);
#else
  ivec4 next = block;
  next[LAST]++;
  return vec2 (sample_at (row_of (block, y, z), block.x * own.x + x),
               sample_at (row_of (next, y, z), block.x * own.x + x));
#endif
}

void write_sample (ivec4 block, int x, int y, int z, float value)
{
#ifdef SAMPLES_OUT
  ivec3 at = block.xyz * own + ivec3 (x, y, z);
  if (at.x < size.x && at.y < size.y && at.z < depth)
    samples[4 * ((block.w * depth + at.z) * target_layout.y + at.y * target_layout.x) + at.x]
        = value - bias;
#endif
}

void main ()
{
  int worker = int (gl_LocalInvocationIndex), pair = int (gl_WorkGroupID.z);
  int first = int (gl_WorkGroupID.x) * LINES, z = AXIS == 2 ? 0 : point_of (int (gl_WorkGroupID.y), 2);
  int origin = pair * volume + z * sheet;
  ivec4 block = first_block (pair);

  for (int i = worker; i < POINTS * LINES; i += WORKERS) {
    int point = AXIS == 0 ? i % POINTS : i / LINES, line = AXIS == 0 ? i / POINTS : i % LINES;
    vec2 value = vec2 (0.0);
    if (first + line < COUNT_LINES) {
#ifdef SAMPLES_IN
      if (is_used (point, 0))
        value = value_at (block, sample_of (point, 0), sample_of (point_of (first + line, 1), 1), sample_of (z, 2));
#elif AXIS == 0
      value = points[origin + point_of (first + line, 1) * all_points.x + point];
#else
#ifdef FORWARD_STAGES
      if (is_used (point, AXIS))
#endif
        value = points[origin + first + line + point * STRIDE];
#endif
    }
    lines[point * PITCH + line] = value;
  }
  barrier ();

#ifdef FORWARD_STAGES
  FORWARD_STAGES (FORWARD)
#endif
#ifdef MULTIPLY
  for (int i = worker; i < POINTS * LINES; i += WORKERS) {
    int point = i / LINES, line = i % LINES;
    if (first + line < COUNT_LINES)
      lines[point * PITCH + line]
          = times (lines[point * PITCH + line], spectrum[z * sheet + first + line + point * STRIDE]);
  }
  barrier ();
#endif
#ifdef INVERSE_STAGES
  INVERSE_STAGES (INVERSE)
#endif

  for (int i = worker; i < WRITTEN * LINES; i += WORKERS) {
    int point = AXIS == 0 ? i % WRITTEN : i / LINES, line = AXIS == 0 ? i / WRITTEN : i % LINES;
    if (first + line >= COUNT_LINES)
      continue;
    vec2 value = lines[point * PITCH + line];
#ifdef SAMPLES_OUT
    ivec4 next = block;
    next[LAST]++;
    write_sample (block, point, first + line, z, value.x);
    write_sample (next, point, first + line, z, value.y);
#elif AXIS == 0
    points[origin + point_of (first + line, 1) * all_points.x + point] = value;
#else
    points[origin + first + line + point * STRIDE] = value;
#endif
  }
}
