// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/measure.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "engine/cpu/steps/measured_band.h"
#include "plan/numbers.h"

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
count_part (const OdlCpuBand *band, int part, int digit, uint32_t prefix, Digits *digits)
{
  static const int shifts[DIGITS] = { 20, 10, 0 }, widths[DIGITS] = { 11, 10, 10 };
  const int shift = shifts[digit], above = shift + widths[digit];
  const uint32_t all = (1u << widths[digit]) - 1;

  OdlCpuBandRow row = odl_cpu_band_start (band);

  memset (digits, 0, sizeof *digits);
  for (int p = 0; p < band->planes; p++)
    for (int y = odl_cpu_band_first (band, part); y < odl_cpu_band_first (band, part + 1);
         y++) {
      odl_cpu_band_go (&row, band, p, y);
      for (int x = 0; x < band->width; x++) {
        const uint32_t bits = magnitude_bits (row.details[x]);
        digits->count[bits >> shift & all]
            += odl_cpu_band_inside (&row, x) && bits >> above == prefix;
      }
    }
  odl_cpu_band_end (&row);
}

static void
count_digits (const OdlCpuBand *band, int digit, uint32_t prefix, Digits *sum)
{
  Digits parts[ODL_CPU_BAND_PARTS];

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
median_by_digits (const OdlCpuBand *band, uint32_t *n)
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

// ---- the median, between two values of a sample --------------------------------------

// So many details say between which values the median is but once in some ten thousand
// pictures: its rank in the sample is off by up to 4 σ, √SAMPLE / 2 each. Smaller bands
// are counted digit by digit.
#define SAMPLE 1024
#define SAMPLE_REACH 64
#define LEAST_BAND 8192

// The least value that has more than `rank` of n below or at it.
static uint32_t
value_of_rank (const OdlCpuVariant *variant,
               const uint32_t *values,
               size_t n,
               size_t rank)
{
  uint32_t found = 0;

  // The largest number that has no more than `rank` values below it.
  for (uint32_t bit = 1u << 30; bit != 0; bit >>= 1)
    if (variant->below (values, n, found | bit) <= rank)
      found |= bit;
  return found;
}

// Details at even distances, inside the mask. Returns how many.
static int
take_sample (const OdlCpuBand *band, uint32_t sample[SAMPLE])
{
  const int64_t all = (int64_t) band->width * band->height * band->planes;
  const int64_t step = (all / SAMPLE - 1) | 1; // odd: of many columns
  OdlCpuBandRow row = odl_cpu_band_start (band);
  int n = 0;

  for (int64_t i = 0, x = 0, y = 0, c = 0; i < SAMPLE; i++, x += step) {
    for (; x >= band->width; x -= band->width)
      y++;
    for (; y >= band->height; y -= band->height)
      c++;
    odl_cpu_band_go (&row, band, (int) c, (int) y);
    if (odl_cpu_band_inside (&row, x))
      sample[n++] = magnitude_bits (row.details[x]);
  }
  odl_cpu_band_end (&row);
  return n;
}

static void
pick_part (const OdlCpuBand *band, int part, OdlCpuPicked *picked)
{
  OdlCpuBandRow row = odl_cpu_band_start (band);

  for (int p = 0; p < band->planes; p++)
    for (int y = odl_cpu_band_first (band, part); y < odl_cpu_band_first (band, part + 1);
         y++) {
      odl_cpu_band_go (&row, band, p, y);
      band->work->variant->pick (row.details, row.mask, band->width, picked);
    }
  odl_cpu_band_end (&row);
}

// The median of a band while it is looked for.
typedef struct {
  OdlCpuBand band;
  OdlCpuPicked parts[ODL_CPU_BAND_PARTS];
  uint32_t *memory; // NULL: there are no two values that hold it
} Median;

static void
begin_median (Median *median)
{
  const OdlCpuBand *band = &median->band;
  const OdlCpuVariant *variant = band->work->variant;
  const size_t rows = (size_t) (band->height / band->parts + 1) * (size_t) band->planes;
  const size_t room = rows * (size_t) band->width + ODL_CPU_SLACK;
  uint32_t sample[SAMPLE];
  const int64_t details = (int64_t) band->width * band->height * band->planes;
  const int taken = details < LEAST_BAND ? 0 : take_sample (band, sample);

  if (taken < SAMPLE / 2)
    return;
  const size_t middle = (size_t) taken / 2;
  const uint32_t from = value_of_rank (variant, sample, taken, middle - SAMPLE_REACH);
  const uint32_t to = value_of_rank (variant, sample, taken, middle + SAMPLE_REACH) + 1;
  median->memory = g_try_new (uint32_t, room * band->parts);
  for (int p = 0; p < band->parts && median->memory != NULL; p++)
    median->parts[p]
        = (OdlCpuPicked){ .from = from, .to = to, .picked = median->memory + room * p };
}

// As median_by_digits, which it falls back on.
static float
end_median (Median *median, uint32_t *n)
{
  g_autofree uint32_t *memory = g_steal_pointer (&median->memory);
  const OdlCpuBand *band = &median->band;
  size_t picked = 0, below = 0;
  float found;

  *n = 0;
  for (int p = 0; p < band->parts && memory != NULL; p++) {
    const OdlCpuPicked *part = &median->parts[p];
    memmove (memory + picked, part->picked, part->n_picked * sizeof *memory);
    picked += part->n_picked;
    below += part->below;
    *n += part->count;
  }
  const size_t rank = *n / 2;
  if (rank < below || rank >= below + picked)
    return median_by_digits (band, n);
  const uint32_t bits = value_of_rank (band->work->variant, memory, picked, rank - below);
  memcpy (&found, &bits, sizeof found);
  return found;
}

// Of band 1 … 3, or octant 1 … 7, where σ is 1.
static double
gain_of (const OdlCpuWork *work, int octant)
{
  const double *gains = work->step->parameters.gains;

  return work->octants ? odl_octant_gain (gains, octant) : gains[octant - 1];
}

// The one whose details are almost all noise: of all directions at once.
static int
finest_of (const OdlCpuWork *work)
{
  return work->octants ? ODL_DETAIL_OCTANTS : ODL_DETAIL_BANDS;
}

static void
write_noise (Median *median)
{
  const OdlCpuWork *work = median->band.work;
  float *numbers = odl_cpu_row (work->out, 0, 0);
  const OdlStepParameters *parameters = &work->step->parameters;
  const double gain = ODL_MEDIAN_OF_NORMAL * gain_of (work, finest_of (work));
  uint32_t n;
  const double value = end_median (median, &n);

  numbers[ODL_NOISE_COUNT] = (float) n;
  numbers[ODL_NOISE_SIGMA] = (float) (parameters->sigma >= 0   ? parameters->sigma
                                      : n < ODL_FEWEST_DETAILS ? 0
                                                               : value / gain);
}

// The exponent and two more bits of a float are a bin: that of 1 is in the middle.
#define FIRST_BIN ((127 << 2) - ODL_BAND_BINS / 2)

// ---- moments -------------------------------------------------------------------------

// Bins that are counted side by side, since one that is counted waits for itself.
#define COUNTERS 8
#define POINT_COUNTERS 2

typedef struct {
  uint32_t counts[COUNTERS][ODL_BAND_BINS + 1];
} Bins;

// Of SURE: 2³² for each detail from a point to the next one, and its share of the latter.
typedef struct {
  uint64_t counts[POINT_COUNTERS][ODL_SURE_POINTS + 1];
} Points;

// Bands of few rows are counted in so many parts, since counts are added up, too.
#define FEW_ROWS 512
#define FEW_PARTS 4

// A detail band that is measured.
typedef struct {
  OdlCpuBand band;
  float *numbers;
  double gain;
  double noise; // σ_b
  float scale; // 1 / σ_b
  OdlCpuMeasured parts[ODL_CPU_BAND_PARTS];
  OdlCpuMeasured sum;
  double mean; // square
  Bins *bins; // of each part, and NULL where it is not counted
  Points *points;
} Measure;

static void
count_bins (const uint8_t *bins, int width, Bins *to)
{
  int x = 0;

  G_STATIC_ASSERT (ODL_CPU_MEASURED_BINS == ODL_BAND_BINS && COUNTERS == 8);
  for (; x + COUNTERS <= width; x += COUNTERS) {
    uint64_t eight;
    memcpy (&eight, bins + x, sizeof eight);
    for (int k = 0; k < COUNTERS; k++)
      to->counts[k][eight >> 8 * k & 0xff]++;
  }
  for (; x < width; x++)
    to->counts[0][bins[x]]++;
}

static void
count_places (const uint16_t *places, int width, Points *to)
{
  int x = 0;

  G_STATIC_ASSERT (ODL_CPU_POINTS == ODL_SURE_POINTS && ODL_CPU_SHARES == ODL_SURE_SHARES
                   && ODL_CPU_POINT_SCALE == ODL_SURE_SCALE);
  for (; x + POINT_COUNTERS <= width; x += POINT_COUNTERS) {
    uint32_t two;
    memcpy (&two, places + x, sizeof two);
    for (int k = 0; k < POINT_COUNTERS; k++)
      to->counts[k][two >> (16 * k + 7) & 0x1ff]
          += ((uint64_t) 1 << 32) + (two >> 16 * k & 0x7f);
  }
  for (; x < width; x++)
    to->counts[0][places[x] >> 7] += ((uint64_t) 1 << 32) + (places[x] & 0x7f);
}

// Sums of a part.
static void
sum_part (Measure *measure, int part)
{
  const OdlCpuBand *band = &measure->band;
  OdlCpuBandRow row = odl_cpu_band_start (band);
  OdlCpuMeasured measured = { .bins = NULL };

  for (int p = 0; p < band->planes; p++)
    for (int y = odl_cpu_band_first (band, part); y < odl_cpu_band_first (band, part + 1);
         y++) {
      odl_cpu_band_go (&row, band, p, y);
      band->work->variant->measure (row.details, row.mask, 0, band->width, &measured);
    }
  odl_cpu_band_end (&row);
  measure->parts[part] = measured;
}

// What is counted of a part.
static void
count_details (const Measure *measure, int part)
{
  const OdlCpuBand *band = &measure->band;
  const OdlCpuVariant *variant = band->work->variant;
  const size_t length = (size_t) band->width + ODL_CPU_SLACK;
  const int step = odl_sure_step (band->width, band->height);
  Bins *const bins = measure->bins;
  Points *const points = measure->points;
  const int every = bins != NULL ? 1 : step;

  if (bins == NULL && points == NULL)
    return;
  OdlCpuBandRow row = odl_cpu_band_start (band);
  g_autofree uint8_t *places_of_bins = g_new (uint8_t, length);
  g_autofree uint16_t *places = g_new (uint16_t, length);
  OdlCpuMeasured measured = { .first_bin = FIRST_BIN, .bins = places_of_bins };
  for (int p = 0; p < band->planes; p++)
    for (int y = odl_cpu_band_first (band, part); y < odl_cpu_band_first (band, part + 1);
         y++) {
      if (y % every != every / 2)
        continue;
      odl_cpu_band_go (&row, band, p, y);
      if (bins != NULL) {
        variant->measure (row.details, row.mask, measure->scale, band->width, &measured);
        count_bins (places_of_bins, band->width, &bins[part]);
      }
      if (points != NULL && y % step == step / 2) {
        variant->place (row.details, row.mask, measure->scale, band->width, places);
        count_places (places, band->width, &points[part]);
      }
    }
  odl_cpu_band_end (&row);
}

// All parts of all bands, and of what the median is picked from, if that is not NULL.
static void
measure_parts (Measure *measures, int n, Median *median, bool counts)
{
  // Each turn takes as much of every band.
  ODL_PARALLEL_FOR
  for (int turn = 0; turn < ODL_CPU_BAND_PARTS; turn++) {
    for (int m = 0; m < n; m++) {
      const int parts = measures[m].band.parts;
      for (int p = parts * turn / ODL_CPU_BAND_PARTS;
           p < parts * (turn + 1) / ODL_CPU_BAND_PARTS; p++)
        if (counts)
          count_details (&measures[m], p);
        else
          sum_part (&measures[m], p);
    }
    if (median == NULL || median->memory == NULL)
      continue;
    const int parts = median->band.parts;
    for (int p = parts * turn / ODL_CPU_BAND_PARTS;
         p < parts * (turn + 1) / ODL_CPU_BAND_PARTS; p++)
      pick_part (&median->band, p, &median->parts[p]);
  }
}

static void
sum_up (Measure *measure)
{
  OdlCpuMeasured *sum = &measure->sum;

  *sum = measure->parts[0];
  for (int p = 1; p < measure->band.parts; p++) {
    sum->sum += measure->parts[p].sum;
    sum->largest = MAX (sum->largest, measure->parts[p].largest);
    sum->count += measure->parts[p].count;
  }
  measure->mean = sum->count > 0 ? sum->sum / sum->count : 0;
}

static double
sure_of (const Measure *measure)
{
  uint32_t shares[ODL_SURE_POINTS + 1] = { 0 };

  for (int p = 0; p < measure->band.parts && measure->points != NULL; p++)
    for (int k = 0; k < POINT_COUNTERS; k++)
      for (int i = 0; i < ODL_SURE_POINTS; i++) {
        const uint64_t point = measure->points[p].counts[k][i];
        shares[i] += (uint32_t) (point >> 32) * ODL_SURE_SHARES - (uint32_t) point;
        shares[i + 1] += (uint32_t) point;
      }
  return odl_sure_threshold (shares, measure->sum.count,
                             measure->mean / (measure->noise * measure->noise));
}

static double
threshold_of (const Measure *measure)
{
  const double noise = measure->noise;
  const OdlCpuWork *work = measure->band.work;
  const int samples = odl_samples_of_detail (work->step->band, work->octants);
  const double n_samples
      = (double) odl_cpu_row (work->in[2], 0, 0)[ODL_NOISE_COUNT] * samples;
  const double signal = measure->mean - noise * noise;

  switch ((OdlFoundThreshold) work->step->rule) {
  case ODL_FIND_UNIVERSAL:
    return noise * odl_universal_threshold (n_samples);
  case ODL_FIND_SURE:
    return noise > 0 ? noise * sure_of (measure) : 0;
  default:
    return signal > 0 ? noise * noise / sqrt (signal) : (double) measure->sum.largest;
  }
}

// What else is counted of the band, whose sums are known.
static bool
begin_counts (Measure *measure, bool binned)
{
  const double noise = measure->noise;

  sum_up (measure);
  measure->scale = noise > 0 ? (float) (1 / noise) : 0;
  const bool shared
      = measure->band.work->step->rule == ODL_FIND_SURE && noise > 0
        && !odl_sure_is_sparse (measure->sum.count, measure->mean / (noise * noise));
  if (measure->band.height <= FEW_ROWS)
    measure->band.parts = MIN (measure->band.parts, FEW_PARTS);
  if (binned)
    measure->bins = g_new0 (Bins, measure->band.parts);
  if (shared)
    measure->points = g_new0 (Points, measure->band.parts);
  return binned || shared;
}

static void
write_numbers (Measure *measure)
{
  g_autofree Bins *counts = measure->bins;
  g_autofree Points *points = measure->points; // read by threshold_of
  float *numbers = measure->numbers;
  uint32_t bins[ODL_BAND_BINS] = { 0 };

  for (int p = 0; p < measure->band.parts && counts != NULL; p++)
    for (int k = 0; k < COUNTERS; k++)
      for (int i = 0; i < ODL_BAND_BINS; i++)
        bins[i] += counts[p].counts[k][i];
  numbers[ODL_BAND_THRESHOLD] = (float) threshold_of (measure);
  numbers[ODL_BAND_DEVIATION] = (float) sqrt (measure->mean);
  numbers[ODL_BAND_LARGEST] = measure->sum.largest;
  numbers[ODL_BAND_COUNT] = (float) measure->sum.count;
  numbers[ODL_BAND_NOISE] = (float) measure->noise;
  for (int i = 0; i < ODL_BAND_BINS; i++)
    numbers[ODL_BAND_HISTOGRAM + i] = (float) bins[i];
}

// The bands of a step BAYES. Returns how many.
static int
add_measures (const OdlCpuWork *work, Measure measures[ODL_DETAIL_OCTANTS])
{
  int n = 0;

  for (int which = 1; which < (work->octants ? ODL_OCTANTS : ODL_BANDS); which++)
    if (work->step->band == 0 || work->step->band == which) {
      measures[n] = (Measure){ .band = odl_cpu_band (work, which),
                               .gain = gain_of (work, which),
                               .numbers = odl_cpu_row (work->out, 0, 0)
                                          + (ptrdiff_t) n * ODL_BAND_NUMBERS };
      n++;
    }
  return n;
}

// Needs the noise. Of bands whose sums are known.
static void
finish_measures (Measure *measures, int n, bool binned)
{
  bool counts = false;

  for (int m = 0; m < n; m++) {
    const OdlCpuPicture *noise = measures[m].band.work->in[2];
    measures[m].noise
        = (double) odl_cpu_row (noise, 0, 0)[ODL_NOISE_SIGMA] * measures[m].gain;
    counts = begin_counts (&measures[m], binned) || counts;
  }
  if (counts)
    measure_parts (measures, n, NULL, true);
  for (int m = 0; m < n; m++)
    write_numbers (&measures[m]);
}

void
odl_cpu_noise_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  Median median = { .band = odl_cpu_band (work, finest_of (work)) };

  (void) channel, (void) from, (void) to;
  begin_median (&median);
  measure_parts (NULL, 0, &median, false);
  write_noise (&median);
}

void
odl_cpu_bayes_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  Measure measures[ODL_DETAIL_OCTANTS];
  const int n = add_measures (work, measures);

  (void) channel, (void) from, (void) to;
  measure_parts (measures, n, NULL, false);
  finish_measures (measures, n, true);
}

void
odl_cpu_measures_run (const OdlCpuMeasures *all, bool binned)
{
  g_autofree Measure *measures = g_new (Measure, all->levels * ODL_DETAIL_BANDS);
  Median median = { .band = odl_cpu_band (&all->noise, ODL_DETAIL_BANDS) };
  int n = 0;

  for (int level = 0; level < all->levels; level++)
    n += add_measures (&all->bayes[level], measures + n);
  begin_median (&median);
  measure_parts (measures, n, &median, false);
  write_noise (&median);
  finish_measures (measures, n, binned);
}

// Which samples and details are surroundings. Rows are bits while they are looked at.

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
