// SPDX-License-Identifier: MIT
// Convolution by Fourier transforms, one AXIS (x 0, y 1, z 2) of it: LINES lines of POINTS points go through
// shared memory. Blocks overlap by what the kernel reaches; two of them, which follow one another along the
// axis LAST, are the real and the imaginary part of one. Sample s of a block is point s, those before it are
// the last points. Of each axis a block has SAMPLES of its own and RADIUS before and behind them.
// A line of FIRST · SECOND points is transformed in two steps, each in the registers of an invocation: FIRST
// points that stand SECOND apart, turned, and through shared memory SECOND points that follow one another
// (decimation in frequency, and back; W. Gentleman, G. Sande, 1966). So the frequencies lie in an order of their own:
// number i of block b at i · FIRST + b.
// By #define: SAMPLES_IN, from samples (KERNEL: from the coefficients); TRANSFORM; MULTIPLY, by the spectrum of a
// kernel; INVERT; EACH_TERM, frequencies of one picture or several come from buffers that keep them, and their
// products are added up (ADDS: to those that are there already); KEEPS, frequencies go to such a buffer, where those
// of a work group follow one another; SAMPLES_OUT, to samples. What neither
// reads nor writes samples works on points in place, which lie x by x, y by y, z by z, pair of blocks by pair.
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
#ifdef KEEPS
layout (std430, binding = 4) restrict writeonly buffer Kept { vec2 kept[]; };
#endif
#ifdef EACH_TERM
#define DECLARE(number, block, name, place) \
  layout (std430, binding = place) restrict readonly buffer block { vec2 name[]; };
EACH_TERM (DECLARE)
#endif
uniform ivec2 size; // samples of a slice
uniform ivec2 target_layout; // quads of a row, of a slice
uniform int depth; // slices that the transform knows of
uniform float bias; // what samples are stored less
uniform int first; // where the coefficients begin in `tables`

const ivec3 all_points = ALL_POINTS, own = OWN, radius = RADIUS, blocks = BLOCKS;
const int sheet = all_points.x * all_points.y, volume = sheet * all_points.z;

#define POINTS (FIRST * SECOND)
shared vec2 lines[POINTS * PITCH];

#include "include/fourier.glsl"
TRANSFORMS

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
#ifdef INVERT
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
  int at = x >= 0 && x < size.x ? x : border_index (BORDER, x, size.x);
  float value = samples[max (row, 0) + max (at, 0)] + bias;
  return row < 0 || at < 0 ? 0.0 : value;
#else
  return 0.0;
#endif
}

// Coefficients are pairs of floats in the table; `x`, `y` and `z` from the kernel's middle.
float coefficient_at (int x, int y, int z)
{
  ivec3 side = 2 * radius + 1, at = ivec3 (x, y, z) + radius;
  int i = (at.z * side.y + at.y) * side.x + at.x;
  int from = first + int (gl_WorkGroupID.z) * COEFFICIENTS; // a term's
  return tables[from + (i >> 1)][i & 1];
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

// The line of an invocation, beside others, and the number of its part of it: `count` of a line.
#if AXIS == 0
#define LINE(count) (worker / (count))
#define PART(count) (worker % (count))
#else
#define LINE(count) (worker % LINES)
#define PART(count) (worker / LINES)
#endif
#define PLACE(point, line) lines[(point) * PITCH + line]

void main ()
{
  int worker = int (gl_LocalInvocationIndex), pair = int (gl_WorkGroupID.z);
  int above = int (gl_WorkGroupID.x) * LINES, z = AXIS == 2 ? 0 : point_of (int (gl_WorkGroupID.y), 2);
  int origin = pair * volume + z * sheet;
  ivec4 block = first_block (pair);
  // Where the points of this work group are kept, and how many lines lie beside each other.
  int group = above * POINTS, pitch = min (LINES, COUNT_LINES - above);
  int line = LINE (SECOND), part = PART (SECOND);
#if AXIS == 0
  int y = point_of (above + line, 1), row = origin + y * all_points.x;
#else
  int row = origin + above + line;
#endif

#ifdef TRANSFORM
  if (part < SECOND && line < LINES && above + line < COUNT_LINES) {
    vec2 x[FIRST];
    int point;
#if defined SAMPLES_IN && defined KERNEL
#define POINT vec2 (coefficient_at (sample_of (point, 0), sample_of (y, 1), sample_of (z, 2)), 0.0)
#elif defined SAMPLES_IN
    ivec4 next = block;
    next[LAST]++;
    int row_a = row_of (block, sample_of (y, 1), sample_of (z, 2));
    int row_b = row_of (next, sample_of (y, 1), sample_of (z, 2));
    int left_a = block.x * own.x, left_b = next.x * own.x;
#define POINT \
  vec2 (sample_at (row_a, left_a + sample_of (point, 0)), sample_at (row_b, left_b + sample_of (point, 0)))
#else
#define POINT points[row + point * STRIDE]
#endif
// Written out: compilers leave loops with branches rolled, and x in memory. Where there is something to load in
// any case, nothing waits for a branch.
#ifdef KERNEL
#define TAKE(k) \
  point = part + (k) * SECOND; \
  x[k] = vec2 (0.0); \
  if (is_used (point, AXIS)) \
    x[k] = POINT;
#else
#define TAKE(k) \
  point = part + (k) * SECOND; \
  x[k] = POINT; \
  if (!is_used (point, AXIS)) \
    x[k] = vec2 (0.0);
#endif
    EACH_FIRST (TAKE)
    forward (x);
    PLACE (part, line) = x[0];
    for (int k = 1; k < FIRST; k++)
      PLACE (part + k * SECOND, line) = times (x[k], tables[TURNS + part * (FIRST - 1) + k - 1]);
  }
  barrier ();
#endif

  line = LINE (FIRST), part = PART (FIRST);
#if AXIS == 0
  y = point_of (above + line, 1), row = origin + y * all_points.x;
#else
  row = origin + above + line;
#endif
  if (part < FIRST && line < LINES && above + line < COUNT_LINES) {
    vec2 x[SECOND];
    for (int i = 0; i < SECOND; i++)
#ifdef TRANSFORM
      x[i] = PLACE (part * SECOND + i, line);
    forward (x);
#elif defined EACH_TERM
    {
      int of_kernel = group + (i * FIRST + part) * pitch + line, at = of_kernel + pair * volume;
#ifdef ADDS
      x[i] = points[row + (i * FIRST + part) * STRIDE];
#else
      x[i] = vec2 (0.0);
#endif
#define ADD_PRODUCT(number, block, name, place) \
  x[i] += times (name[at], spectrum[of_kernel + (number) * volume]);
      EACH_TERM (ADD_PRODUCT)
    }
#else
      x[i] = points[row + (i * FIRST + part) * STRIDE];
#endif
#if defined MULTIPLY && !defined EACH_TERM
    for (int i = 0; i < SECOND; i++)
      x[i] = times (x[i], spectrum[group + (i * FIRST + part) * pitch + line]);
#endif
#ifdef INVERT
    back (x);
    for (int i = 0; i < SECOND; i++)
      PLACE (part * SECOND + i, line) = x[i];
#elif defined KEEPS
    for (int i = 0; i < SECOND; i++)
      kept[pair * volume + group + (i * FIRST + part) * pitch + line] = x[i];
#else
    for (int i = 0; i < SECOND; i++)
      points[row + (i * FIRST + part) * STRIDE] = x[i];
#endif
  }

#ifdef INVERT
  barrier ();
  line = LINE (SECOND), part = PART (SECOND);
#if AXIS == 0
  y = above + line, row = origin + y * all_points.x;
#else
  row = origin + above + line;
#endif
  if (part < SECOND && line < LINES && above + line < COUNT_LINES) {
    vec2 x[FIRST];
    x[0] = PLACE (part, line);
    for (int k = 1; k < FIRST; k++)
      x[k] = times (PLACE (part + k * SECOND, line),
                    vec2 (1.0, -1.0) * tables[TURNS + part * (FIRST - 1) + k - 1]);
    back (x);
#ifdef SAMPLES_OUT
    ivec4 next = block;
    next[LAST]++;
#define GIVE(k) \
  if (part + (k) * SECOND < WRITTEN) { \
    write_sample (block, part + (k) * SECOND, y, z, x[k].x); \
    write_sample (next, part + (k) * SECOND, y, z, x[k].y); \
  }
#else
#define GIVE(k) \
  if (part + (k) * SECOND < WRITTEN) \
    points[row + (part + (k) * SECOND) * STRIDE] = x[k];
#endif
    EACH_FIRST (GIVE)
  }
#endif
}
