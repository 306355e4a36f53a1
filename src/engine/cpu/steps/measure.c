// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/measure.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "plan/numbers.h"

// Bands are measured in so many parts at most, whose sums are added in their order.
#define MOST_PARTS 16

// ---- masks ---------------------------------------------------------------------------

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

// 1 where a sample is surroundings.
ODL_ROW_LOOP
static void
flag_row (const float *restrict row,
          const float *sides,
          float tolerance,
          int width,
          int32_t *restrict flags)
{
  for (int x = 0; x < width; x++) {
    float nearest = fabsf (row[x]);
    for (int s = 0; s < ODL_SIDES; s++) {
      const float off = fabsf (row[x] - sides[s]);
      nearest = off < nearest ? off : nearest;
    }
    flags[x] = nearest <= tolerance;
  }
}

// 1 where all of the 3 × 3 samples of three rows are; not at the ends.
ODL_ROW_LOOP
static void
find_blocks (int32_t *const flags[3], int width, int32_t *restrict blocks)
{
  const int32_t *a = flags[0], *b = flags[1], *c = flags[2];

  for (int x = 1; x < width - 1; x++)
    blocks[x] = a[x - 1] & a[x] & a[x + 1] & b[x - 1] & b[x] & b[x + 1] & c[x - 1] & c[x]
                & c[x + 1];
}

// 0 where one of the 3 × 3 samples about is in the middle of a block.
ODL_ROW_LOOP
static void
mask_row (int32_t *const blocks[3], int width, float *restrict mask)
{
  const int32_t *a = blocks[0], *b = blocks[1], *c = blocks[2];

  for (int x = 0; x < width; x++)
    mask[x] = (a[x - 1] | a[x] | a[x + 1] | b[x - 1] | b[x] | b[x + 1] | c[x - 1] | c[x]
               | c[x + 1])
                      != 0
                  ? 0
                  : 1;
}

// Rings of three rows, of flags and of blocks, with a 0 at either end.
static void
mask_picture_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *picture = work->in[0];
  const float *sides = odl_cpu_row (work->in[1], channel, 0);
  const float tolerance = (float) work->step->parameters.tolerance;
  const int width = picture->width, height = picture->height;
  const size_t length = (size_t) width + 2;
  g_autofree int32_t *memory = g_new0 (int32_t, 6 * length);
  int32_t *flags[3], *blocks[3];

  for (int k = 0; k < 3; k++) {
    flags[k] = memory + (size_t) k * length + 1;
    blocks[k] = memory + (size_t) (3 + k) * length + 1;
  }
  // Row y of flags, then row y − 1 of blocks, then row y − 2 of the mask.
  for (int y = from - 2; y < to + 2; y++) {
    int32_t *first = flags[0], *free_block = blocks[0];
    flags[0] = flags[1];
    flags[1] = flags[2];
    flags[2] = first;
    blocks[0] = blocks[1];
    blocks[1] = blocks[2];
    blocks[2] = free_block;
    if (y >= 0 && y < height)
      flag_row (odl_cpu_row (picture, channel, y), sides, tolerance, width, flags[2]);
    if (y - 1 >= 1 && y - 1 < height - 1 && y >= from)
      find_blocks (flags, width, blocks[2]);
    else
      memset (blocks[2], 0, (size_t) width * sizeof (int32_t));
    if (y - 2 >= from && y - 2 < to)
      mask_row (blocks, width, odl_cpu_row (work->out, channel, y - 2));
  }
}

// The least of `n` rows, in `least`.
ODL_ROW_LOOP
static void
least_of_rows (const float *const *rows, int n, int width, float *restrict least)
{
  for (int x = 0; x < width; x++) {
    float value = rows[0][x];
    for (int k = 1; k < n; k++)
      value = rows[k][x] < value ? rows[k][x] : value;
    least[x] = value;
  }
}

#define MASK_REACH (ODL_MASK_LAST - ODL_MASK_FIRST + 1)

// The least of values i … i + 6, of every second i.
ODL_ROW_LOOP
static void
least_of_sevens (float *restrict values, int n, float *restrict out)
{
  G_STATIC_ASSERT (MASK_REACH == 7);
  for (int i = 0; i < 2 * n + 5; i++)
    values[i] = values[i + 1] < values[i] ? values[i + 1] : values[i];
  for (int i = 0; i < 2 * n + 3; i++)
    values[i] = values[i + 2] < values[i] ? values[i + 2] : values[i];
  for (int x = 0; x < n; x++)
    out[x] = values[2 * x + 3] < values[2 * x] ? values[2 * x + 3] : values[2 * x];
}

static void
mask_level_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *finer = work->in[0];
  const int n = work->out->width;
  const size_t length = (size_t) MAX (finer->width, 2 * n) + 2 * MASK_REACH;
  g_autofree float *values = g_new (float, length);

  for (int y = from; y < to; y++) {
    const int top = MAX (2 * y + ODL_MASK_FIRST, 0);
    const int bottom = MIN (2 * y + ODL_MASK_LAST, finer->height - 1);
    const float *rows[MASK_REACH];
    for (size_t i = 0; i < length; i++)
      values[i] = 1;
    for (int fy = top; fy <= bottom; fy++)
      rows[fy - top] = odl_cpu_row (finer, channel, fy);
    least_of_rows (rows, bottom - top + 1, finer->width, values - ODL_MASK_FIRST);
    least_of_sevens (values, n, odl_cpu_row (work->out, channel, y));
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

// ---- bands ---------------------------------------------------------------------------

// A detail band, in parts of rows.
typedef struct {
  const OdlCpuWork *work;
  int left, top, width, height; // in the picture of all bands
  int shift; // a sample of the mask stands for 2^shift along either side
  int parts;
} Band;

static Band
band_of (const OdlCpuWork *work, OdlDetailBand which)
{
  const OdlCpuPicture *bands = work->in[0], *mask = work->in[1];
  const int low_x = odl_low_count (bands->width), low_y = odl_low_count (bands->height);
  const bool right = which != ODL_BAND_LH, below = which != ODL_BAND_HL;
  const int height = below ? bands->height - low_y : low_y;

  if (work->step->band > 0)
    return (Band){ .work = work,
                   .width = bands->width,
                   .height = bands->height,
                   .shift = odl_mask_shift (bands->width, bands->height, mask->width,
                                            mask->height),
                   .parts = CLAMP (bands->height / 16, 1, MOST_PARTS) };
  return (Band){ .work = work,
                 .left = right ? low_x : 0,
                 .top = below ? low_y : 0,
                 .width = right ? bands->width - low_x : low_x,
                 .height = height,
                 .parts = CLAMP (height / 16, 1, MOST_PARTS) };
}

// Rows of the band that belong to part of a loop over all channels and rows.
typedef struct {
  const float *details, *mask;
} Row;

static Row
row_of (const Band *band, int channel, int y)
{
  return (Row){ odl_cpu_row (band->work->in[0], channel, band->top + y) + band->left,
                odl_cpu_row (band->work->in[1], channel, y >> band->shift) };
}

static uint32_t
magnitude_bits (float value)
{
  uint32_t bits;

  memcpy (&bits, &value, sizeof bits);
  return bits & 0x7fffffff;
}

// ---- the median, digit by digit ------------------------------------------------------

// Magnitudes of floats are ordered as their bits: 11, 10 and 10 of them at a time.
#define DIGIT_BITS 11
#define DIGITS 3

typedef struct {
  uint32_t count[1 << DIGIT_BITS];
} Digits;

static void
count_part (const Band *band, int part, int digit, uint32_t prefix, Digits *digits)
{
  static const int shifts[DIGITS] = { 20, 10, 0 }, widths[DIGITS] = { 11, 10, 10 };
  const int shift = shifts[digit], above = shift + widths[digit];
  const uint32_t all = (1u << widths[digit]) - 1;

  memset (digits, 0, sizeof *digits);
  for (int c = 0; c < band->work->in[0]->channels; c++)
    for (int y = band->height * part / band->parts;
         y < band->height * (part + 1) / band->parts; y++) {
      const Row row = row_of (band, c, y);
      for (int x = 0; x < band->width; x++) {
        const uint32_t bits = magnitude_bits (row.details[x]);
        digits->count[bits >> shift & all]
            += row.mask[x >> band->shift] > 0.5F && bits >> above == prefix;
      }
    }
}

static void
count_digits (const Band *band, int digit, uint32_t prefix, Digits *sum)
{
  Digits parts[MOST_PARTS];

  parts[0] = (Digits){ 0 };
  ODL_PARALLEL_FOR
  for (int p = 0; p < band->parts; p++)
    count_part (band, p, digit, prefix, &parts[p]);
  *sum = parts[0];
  for (int p = 1; p < band->parts; p++)
    for (int i = 0; i < 1 << DIGIT_BITS; i++)
      sum->count[i] += parts[p].count[i];
}

// Magnitude number n / 2 of the n sorted ones, and n.
static float
median_of (const Band *band, uint32_t *n)
{
  uint32_t prefix = 0, rank = 0;
  float median;

  *n = 0;
  for (int digit = 0; digit < DIGITS; digit++) {
    Digits digits;
    uint32_t i = 0;
    count_digits (band, digit, prefix, &digits);
    for (int k = 0; digit == 0 && k < 1 << DIGIT_BITS; k++)
      *n += digits.count[k];
    if (*n == 0)
      return 0;
    if (digit == 0)
      rank = *n / 2;
    for (; rank >= digits.count[i]; i++)
      rank -= digits.count[i];
    prefix = digit == 0 ? i : prefix << 10 | i;
  }
  memcpy (&median, &prefix, sizeof median);
  return median;
}

void
odl_cpu_noise_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *parameters = &work->step->parameters;
  const Band band = band_of (work, ODL_BAND_HH);
  float *numbers = odl_cpu_row (work->out, channel, 0);
  uint32_t n;
  const double median = median_of (&band, &n);
  const double gain = ODL_MEDIAN_OF_NORMAL * parameters->gains[ODL_BAND_HH];

  (void) from, (void) to;
  numbers[ODL_NOISE_COUNT] = (float) n;
  numbers[ODL_NOISE_SIGMA] = (float) (parameters->sigma >= 0   ? parameters->sigma
                                      : n < ODL_FEWEST_DETAILS ? 0
                                                               : median / gain);
}

// The exponent and two more bits of a float are a bin: that of 1 is in the middle.
#define FIRST_BIN ((127 << 2) - ODL_BAND_BINS / 2)

// ---- moments -------------------------------------------------------------------------

typedef struct {
  double sum; // of squares
  float largest;
  uint32_t count;
  uint32_t bins[ODL_BAND_BINS];
  uint32_t shares[ODL_SURE_POINTS + 1]; // of SURE
} Moments;

static void
measure_row (const Row *row, int width, int shift, float scale, Moments *moments)
{
  float sum = 0;

  for (int x = 0; x < width; x++) {
    const bool inside = row->mask[x >> shift] > 0.5F;
    const float magnitude = inside ? fabsf (row->details[x]) : 0;
    const int bin = (int) (magnitude_bits (magnitude * scale) >> 21) - FIRST_BIN;
    sum += magnitude * magnitude;
    moments->largest = MAX (moments->largest, magnitude);
    moments->count += inside;
    moments->bins[CLAMP (bin, 0, ODL_BAND_BINS - 1)] += inside;
  }
  moments->sum += (double) sum;
}

// For SURE.
static void
share_row (const Row *row, int width, int shift, float scale, Moments *moments)
{
  for (int x = 0; x < width; x++) {
    const float place
        = MIN (fabsf (row->details[x]) * scale * ODL_SURE_SCALE, ODL_SURE_POINTS - 1);
    const int below = (int) place;
    const uint32_t above = (uint32_t) ((place - (float) below) * ODL_SURE_SHARES + 0.5F);
    const bool inside = row->mask[x >> shift] > 0.5F;
    moments->shares[below] += inside ? ODL_SURE_SHARES - above : 0;
    moments->shares[below + 1] += inside ? above : 0;
  }
}

static void
measure_part (const Band *band, int part, float scale, Moments *moments)
{
  *moments = (Moments){ 0 };
  for (int c = 0; c < band->work->in[0]->channels; c++)
    for (int y = band->height * part / band->parts;
         y < band->height * (part + 1) / band->parts; y++) {
      const Row row = row_of (band, c, y);
      measure_row (&row, band->width, band->shift, scale, moments);
      if (band->work->step->rule == ODL_FIND_SURE)
        share_row (&row, band->width, band->shift, scale, moments);
    }
}

// The band's threshold; `sum` is of all its parts.
static double
threshold_of (const Band *band, const Moments *sum, double mean, double noise)
{
  const double n_samples = (double) odl_cpu_row (band->work->in[2], 0, 0)[ODL_NOISE_COUNT]
                           * odl_samples_of_detail (band->work->step->band);
  const double signal = mean - noise * noise;

  switch ((OdlFoundThreshold) band->work->step->rule) {
  case ODL_FIND_UNIVERSAL:
    return noise * odl_universal_threshold (n_samples);
  case ODL_FIND_SURE:
    return noise > 0 ? noise
                           * odl_sure_threshold (sum->shares, sum->count,
                                                 mean / (noise * noise))
                     : 0;
  default:
    return signal > 0 ? noise * noise / sqrt (signal) : (double) sum->largest;
  }
}

static void
measure_band (const Band *band, double noise, float *numbers)
{
  const float scale = noise > 0 ? (float) (1 / noise) : 0;
  Moments parts[MOST_PARTS] = { 0 };

  ODL_PARALLEL_FOR
  for (int p = 0; p < band->parts; p++)
    measure_part (band, p, scale, &parts[p]);
  for (int p = 1; p < band->parts; p++) {
    parts[0].sum += parts[p].sum;
    parts[0].largest = MAX (parts[0].largest, parts[p].largest);
    parts[0].count += parts[p].count;
    for (int i = 0; i < ODL_BAND_BINS; i++)
      parts[0].bins[i] += parts[p].bins[i];
    for (int i = 0; i <= ODL_SURE_POINTS; i++)
      parts[0].shares[i] += parts[p].shares[i];
  }
  const double mean = parts[0].count > 0 ? parts[0].sum / parts[0].count : 0;
  numbers[ODL_BAND_THRESHOLD] = (float) threshold_of (band, &parts[0], mean, noise);
  numbers[ODL_BAND_DEVIATION] = (float) sqrt (mean);
  numbers[ODL_BAND_LARGEST] = parts[0].largest;
  numbers[ODL_BAND_COUNT] = (float) parts[0].count;
  numbers[ODL_BAND_NOISE] = (float) noise;
  for (int i = 0; i < ODL_BAND_BINS; i++)
    numbers[ODL_BAND_HISTOGRAM + i] = (float) parts[0].bins[i];
}

void
odl_cpu_bayes_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double sigma = (double) odl_cpu_row (work->in[2], 0, 0)[ODL_NOISE_SIGMA];

  float *numbers = odl_cpu_row (work->out, channel, 0);

  (void) from, (void) to;
  for (OdlDetailBand which = 0; which < ODL_DETAIL_BANDS; which++) {
    const Band band = band_of (work, which);
    if (work->step->band > 0 && work->step->band != 1 + (int) which)
      continue;
    measure_band (&band, sigma * work->step->parameters.gains[which], numbers);
    numbers += ODL_BAND_NUMBERS;
  }
}
