// SPDX-License-Identifier: MIT
// Which samples and details are surroundings. Rows are bits while they are looked at.
#include <string.h>

#include "base/parallel.h"
#include "engine/cpu/steps/measure.h"
#include "plan/numbers.h"

static float
value_of_side (const OdlCpuPicture *picture, int channel, int side)
{
  const bool vertical = side == ODL_SIDE_LEFT || side == ODL_SIDE_RIGHT;
  const int length = vertical ? picture->height : picture->width;
  const int n = MIN (length, ODL_SIDE_SAMPLES);
  float values[ODL_SIDE_SAMPLES], candidate = 0;
  int votes = 0, equal = 0;

  // The majority vote of Boyer and Moore leaves the only value that can have more than
  // half.
  for (int i = 0; i < n; i++) {
    const int along = (int) ((int64_t) i * length / n);
    const int x = side == ODL_SIDE_LEFT    ? 0
                  : side == ODL_SIDE_RIGHT ? picture->width - 1
                                           : along;
    const int y = vertical ? along : side == ODL_SIDE_TOP ? 0 : picture->height - 1;
    values[i] = odl_cpu_row (picture, channel, y)[x];
    if (votes == 0)
      candidate = values[i];
    votes += values[i] == candidate ? 1 : -1;
  }
  for (int i = 0; i < n; i++)
    equal += values[i] == candidate;
  return 2 * equal > n ? candidate : 0;
}

void
odl_cpu_sides_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  (void) from, (void) to;
  for (int side = 0; side < ODL_SIDES; side++)
    odl_cpu_row (work->out, channel, 0)[side]
        = value_of_side (work->in[0], channel, side);
}

// Rows of bits, one for each sample, in words; bits beyond the row are 0.
typedef uint64_t Word;

static int
count_words (int width)
{
  return (width + 63) / 64;
}

// The word whose bit i is bit i + `by` of the row at `at`, |by| < 64.
static Word
moved_word (const Word *row, int n, int at, int by)
{
  if (by == 0)
    return row[at];
  if (by > 0)
    return row[at] >> by | (at + 1 < n ? row[at + 1] << (64 - by) : 0);
  return row[at] << -by | (at > 0 ? row[at - 1] >> (64 + by) : 0);
}

// Samples that equal 0 or one of the sides' values, without their neighbours along x that
// do not.
static void
flag_row (const OdlCpuWork *work,
          const float *row,
          const float *values,
          int count,
          Word *flags,
          Word *threes)
{
  const int width = work->in[0]->width, n = count_words (width);
  const float tolerance = (float) work->step->parameters.tolerance;

  work->variant->flag (row, values, count, tolerance, width, flags);
  for (int i = 0; i < n; i++)
    threes[i] = flags[i] & moved_word (flags, n, i, -1) & moved_word (flags, n, i, 1);
}

// 0 and the sides' values that differ from it and each other.
static int
surrounding_values (const float *sides, float values[ODL_SIDES + 1])
{
  int count = 1;

  G_STATIC_ASSERT (ODL_SIDES + 1 <= ODL_CPU_FLAG_VALUES);
  values[0] = 0;
  for (int side = 0; side < ODL_SIDES; side++) {
    bool known = false;
    for (int k = 0; k < count; k++)
      known = known || values[k] == sides[side];
    if (!known)
      values[count++] = sides[side];
  }
  return count;
}

// The first of three rows becomes the last.
static void
turn_rows (Word *rows[3])
{
  Word *first = rows[0];

  rows[0] = rows[1];
  rows[1] = rows[2];
  rows[2] = first;
}

static void
mask_picture_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *picture = work->in[0];
  const int width = picture->width, n = count_words (width);
  g_autofree Word *memory = g_new0 (Word, 8 * (size_t) n);
  Word *flags = memory, *any = memory + n, *threes[3], *blocks[3];
  float values[ODL_SIDES + 1];
  const int count = surrounding_values (odl_cpu_row (work->in[1], channel, 0), values);

  for (int k = 0; k < 3; k++) {
    threes[k] = memory + (size_t) (2 + k) * n;
    blocks[k] = memory + (size_t) (5 + k) * n;
  }
  // Row y of flags, then row y − 1 of the middles of blocks, then row y − 2 of the mask.
  for (int y = from - 2; y < to + 2; y++) {
    turn_rows (threes);
    turn_rows (blocks);
    if (y >= 0 && y < picture->height)
      flag_row (work, odl_cpu_row (picture, channel, y), values, count, flags, threes[2]);
    else
      memset (threes[2], 0, (size_t) n * sizeof (Word));
    for (int i = 0; i < n; i++) {
      blocks[2][i] = threes[0][i] & threes[1][i] & threes[2][i];
      any[i] = blocks[0][i] | blocks[1][i] | blocks[2][i];
    }
    if (y - 2 < from)
      continue;
    for (int i = 0; i < n; i++)
      flags[i] = ~(any[i] | moved_word (any, n, i, -1) | moved_word (any, n, i, 1));
    work->variant->spread (flags, odl_cpu_row (work->out, channel, y - 2), width);
  }
}

// Whether a block of 3 × 3 samples has its middle in rows from … to − 1.
static bool
has_block (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *picture = work->in[0];
  const int width = picture->width, n = count_words (width);
  g_autofree Word *memory = g_new0 (Word, 3 * (size_t) n);
  Word *flags = memory, *above = memory + n, *pairs = memory + 2 * (size_t) n;
  float values[ODL_SIDES + 1];
  const int count = surrounding_values (odl_cpu_row (work->in[1], channel, 0), values);
  Word found = 0;

  for (int y = MAX (from - 1, 0); y < MIN (to + 1, picture->height) && found == 0; y++) {
    work->variant->flag (odl_cpu_row (picture, channel, y), values, count,
                         (float) work->step->parameters.tolerance, width, flags);
    Word any = 0;
    for (int i = 0; i < n; i++)
      any |= flags[i];
    if (any == 0) { // as of most rows that have no surroundings
      memset (above, 0, 2 * (size_t) n * sizeof (Word));
      continue;
    }
    for (int i = 0; i < n; i++) {
      const Word three
          = flags[i] & moved_word (flags, n, i, -1) & moved_word (flags, n, i, 1);
      found |= three & pairs[i];
      pairs[i] = three & above[i];
      above[i] = three;
    }
  }
  return found != 0;
}

bool
odl_cpu_mask_leaves_out (const OdlCpuWork *work)
{
  const OdlCpuPicture *picture = work->in[0];
  const int parts = CLAMP (picture->height / 64, 1, 16);
  bool found[16] = { false };

  for (int channel = 0; channel < picture->channels; channel++) {
    ODL_PARALLEL_FOR
    for (int p = 0; p < parts; p++)
      found[p] = found[p]
                 || has_block (work, channel, picture->height * p / parts,
                               picture->height * (p + 1) / parts);
  }
  for (int p = 1; p < parts; p++)
    found[0] = found[0] || found[p];
  return found[0];
}

#define MASK_REACH (ODL_MASK_LAST - ODL_MASK_FIRST + 1)
#define MASK_RING 8 // rows, at least MASK_REACH

// Bits 0, 2, 4 … of the word.
static Word
even_bits (Word word)
{
  static const Word masks[]
      = { 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
          0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff };

  word &= masks[0];
  for (int k = 1; k < 6; k++)
    word = (word | word >> (1 << (k - 1))) & masks[k];
  return word;
}

// A coarser row of what is inside, from the rows of the finer level about it, of which
// `outside` has those that are not.
static void
mask_coarser (const Word *outside, int n_finer, Word *inside, int n)
{
  for (int i = 0; i < n; i++) {
    Word word = 0;
    for (int half = 0; half < 2 && 2 * i + half < n_finer; half++) {
      Word any = 0;
      for (int by = ODL_MASK_FIRST; by <= ODL_MASK_LAST; by++)
        any |= moved_word (outside, n_finer, 2 * i + half, by);
      word |= even_bits (any) << (32 * half);
    }
    inside[i] = ~word;
  }
}

// What is outside in row y of slices first … end − 1 of the finer mask, any of them.
static void
flag_finer (const OdlCpuWork *work,
            int channel,
            int first,
            int end,
            int y,
            Word *one,
            Word *any)
{
  static const float nothing[] = { 0 };
  const OdlCpuPicture *finer = work->in[0];
  const int n = count_words (finer->width);

  memset (any, 0, (size_t) n * sizeof (Word));
  if (y < 0 || y >= finer->height)
    return;
  for (int z = first; z < end; z++) {
    work->variant->flag (odl_cpu_row (finer, z * finer->channels + channel, y), nothing,
                         1, 0.5F, finer->width, one);
    for (int i = 0; i < n; i++)
      any[i] |= one[i];
  }
}

static void
mask_level_rows (const OdlCpuWork *work, int plane, int from, int to)
{
  const OdlCpuPicture *finer = work->in[0];
  const int width = work->out->width, n = count_words (width);
  const int n_finer = count_words (finer->width);
  const int channel = plane % finer->channels, z = plane / finer->channels;
  const int first = MAX (2 * z + ODL_MASK_FIRST, 0);
  const int end = MIN (2 * z + ODL_MASK_LAST + 1, MAX (finer->depth, 1));
  g_autofree Word *memory = g_new0 (Word, (size_t) (MASK_RING + 2) * n_finer + n);
  Word *any = memory + (size_t) MASK_RING * n_finer, *one = any + n_finer;
  Word *inside = one + n_finer;

  for (int y = from, next = 2 * from + ODL_MASK_FIRST; y < to; y++) {
    for (; next <= 2 * y + ODL_MASK_LAST; next++) {
      Word *row = memory + (size_t) ((next + MASK_RING) % MASK_RING) * n_finer;
      flag_finer (work, channel, first, end, next, one, row);
    }
    for (int i = 0; i < n_finer; i++) {
      any[i] = 0;
      for (int k = next - MASK_REACH; k < next; k++)
        any[i] |= memory[(size_t) ((k + MASK_RING) % MASK_RING) * n_finer + i];
    }
    mask_coarser (any, n_finer, inside, n);
    work->variant->spread (inside, odl_cpu_row (work->out, plane, y), width);
  }
}

void
odl_cpu_mask_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->level == 0)
    mask_picture_rows (work, channel, from, to);
  else
    mask_level_rows (work, channel, from, to);
}
