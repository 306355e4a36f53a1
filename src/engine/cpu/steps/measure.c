// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/measure.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "plan/numbers.h"

// Bands are measured in so many parts at most, whose sums are added in their order.
#define MOST_PARTS 16

// ---- bands ---------------------------------------------------------------------------

// A detail band, in parts of rows.
typedef struct {
  const OdlCpuWork *work;
  int left, top, width, height; // in the picture of all bands
  int front; // planes of octants that lie before it
  int planes; // of all channels
  int shift; // a sample of the mask stands for 2^shift along either side
  int parts;
} Band;

// Of all samples along an axis those that are high, or low.
static void
take_half (int n, bool high, int *first, int *count)
{
  const int low = odl_low_count (n);

  *first = high ? low : 0;
  *count = high ? n - low : low;
}

// `octant`: as in plan/numbers.h; those of a picture are 1 … 3.
static Band
band_of (const OdlCpuWork *work, int octant)
{
  const OdlCpuPicture *bands = work->in[0], *mask = work->in[1];
  Band band = { .work = work,
                .width = bands->width,
                .height = bands->height,
                .planes = odl_cpu_planes (bands) };

  if (work->step->band > 0) {
    band.shift = odl_mask_shift (bands->width, bands->height, mask->width, mask->height);
  } else {
    take_half (bands->width, (octant & 1) != 0, &band.left, &band.width);
    take_half (bands->height, (octant & 2) != 0, &band.top, &band.height);
  }
  if (work->octants) {
    take_half (bands->depth, (octant & 4) != 0, &band.front, &band.planes);
    band.front *= bands->channels;
    band.planes *= bands->channels;
  }
  band.parts = CLAMP (band.height / 16, 1, MOST_PARTS);
  return band;
}

// Rows of the band that belong to part of a loop over all channels and rows.
typedef struct {
  const float *details, *mask;
  float *wide; // the row of a mask whose samples stand for several details; else NULL
  int plane, y; // of that row
} Row;

static Row
start_rows (const Band *band)
{
  const size_t length = (size_t) band->width + ODL_CPU_SLACK;

  return (Row){ .wide = band->shift > 0 ? g_new0 (float, length) : NULL, .y = -1 };
}

static void
end_rows (Row *row)
{
  g_free (row->wide);
}

static void
go_to_row (Row *row, const Band *band, int plane, int y)
{
  const int mask_y = y >> band->shift;

  row->details
      = odl_cpu_row (band->work->in[0], band->front + plane, band->top + y) + band->left;
  row->mask = odl_cpu_row (band->work->in[1], plane, mask_y);
  if (row->wide == NULL)
    return;
  if (row->plane != plane || row->y != mask_y)
    for (int x = 0; x < band->width; x++)
      row->wide[x] = row->mask[x >> band->shift];
  row->plane = plane;
  row->y = mask_y;
  row->mask = row->wide;
}

static int
first_row (const Band *band, int part)
{
  return band->height * part / band->parts;
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

  Row row = start_rows (band);

  memset (digits, 0, sizeof *digits);
  for (int p = 0; p < band->planes; p++)
    for (int y = first_row (band, part); y < first_row (band, part + 1); y++) {
      go_to_row (&row, band, p, y);
      for (int x = 0; x < band->width; x++) {
        const uint32_t bits = magnitude_bits (row.details[x]);
        digits->count[bits >> shift & all]
            += row.mask[x] > 0.5F && bits >> above == prefix;
      }
    }
  end_rows (&row);
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
median_by_digits (const Band *band, uint32_t *n)
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

// ---- the median, between two values that a sample gives
// -------------------------------------

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
take_sample (const Band *band, uint32_t sample[SAMPLE])
{
  const int64_t all = (int64_t) band->width * band->height * band->planes;
  Row row = start_rows (band);
  int n = 0;

  for (int i = 0; i < SAMPLE; i++) {
    const int64_t place = all * i / SAMPLE, line = place / band->width;
    const int x = (int) (place % band->width);
    go_to_row (&row, band, (int) (line / band->height), (int) (line % band->height));
    if (row.mask[x] > 0.5F)
      sample[n++] = magnitude_bits (row.details[x]);
  }
  end_rows (&row);
  return n;
}

static void
pick_part (const Band *band, int part, OdlCpuPicked *picked)
{
  Row row = start_rows (band);

  for (int p = 0; p < band->planes; p++)
    for (int y = first_row (band, part); y < first_row (band, part + 1); y++) {
      go_to_row (&row, band, p, y);
      band->work->variant->pick (row.details, row.mask, band->width, picked);
    }
  end_rows (&row);
}

// As median_by_digits. False: the sample gave no two values that hold the median.
static bool
median_by_sample (const Band *band, uint32_t *n, float *median)
{
  const OdlCpuVariant *variant = band->work->variant;
  const size_t rows = (size_t) (band->height / band->parts + 1) * (size_t) band->planes;
  const size_t room = rows * (size_t) band->width + ODL_CPU_SLACK;
  uint32_t sample[SAMPLE];
  OdlCpuPicked parts[MOST_PARTS] = { 0 };
  const int64_t details = (int64_t) band->width * band->height * band->planes;
  const int taken = details < LEAST_BAND ? 0 : take_sample (band, sample);

  if (taken < SAMPLE / 2)
    return false;
  const size_t middle = (size_t) taken / 2;
  const uint32_t from = value_of_rank (variant, sample, taken, middle - SAMPLE_REACH);
  const uint32_t to = value_of_rank (variant, sample, taken, middle + SAMPLE_REACH) + 1;
  g_autofree uint32_t *memory = g_try_new (uint32_t, room * band->parts);
  if (memory == NULL)
    return false;
  for (int p = 0; p < band->parts; p++)
    parts[p] = (OdlCpuPicked){ .from = from, .to = to, .picked = memory + room * p };

  ODL_PARALLEL_FOR
  for (int p = 0; p < band->parts; p++)
    pick_part (band, p, &parts[p]);

  size_t picked = 0, below = 0;
  *n = 0;
  for (int p = 0; p < band->parts; p++) {
    memmove (memory + picked, parts[p].picked, parts[p].n_picked * sizeof *memory);
    picked += parts[p].n_picked;
    below += parts[p].below;
    *n += parts[p].count;
  }
  const size_t rank = *n / 2;
  if (rank < below || rank >= below + picked)
    return false;
  const uint32_t bits = value_of_rank (variant, memory, picked, rank - below);
  memcpy (median, &bits, sizeof bits);
  return true;
}

static float
median_of (const Band *band, uint32_t *n)
{
  float median;

  return median_by_sample (band, n, &median) ? median : median_by_digits (band, n);
}

// Of band 1 … 3, or octant 1 … 7, where σ is 1.
static double
gain_of (const OdlCpuWork *work, int octant)
{
  const double *gains = work->step->parameters.gains;

  return work->octants ? odl_octant_gain (gains, octant) : gains[octant - 1];
}

void
odl_cpu_noise_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *parameters = &work->step->parameters;
  const int finest = work->octants ? ODL_OCTANTS - 1 : ODL_DETAIL_BANDS;
  const Band band = band_of (work, finest);
  float *numbers = odl_cpu_row (work->out, channel, 0);
  uint32_t n;
  const double median = median_of (&band, &n);
  const double gain = ODL_MEDIAN_OF_NORMAL * gain_of (work, finest);

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
  OdlCpuMeasured measured;
  uint32_t bins[ODL_BAND_BINS];
  uint32_t shares[ODL_SURE_POINTS + 1]; // of SURE
} Moments;

// Bins that are counted side by side, since one that is counted waits for itself.
#define COUNTERS 8

typedef struct {
  uint32_t counts[COUNTERS][ODL_CPU_MEASURED_BINS + 1];
} Counters;

static void
count_bins (const uint8_t *bins, int width, Counters *counters)
{
  int x = 0;

  G_STATIC_ASSERT (ODL_CPU_MEASURED_BINS == ODL_BAND_BINS && COUNTERS == 8);
  for (; x + COUNTERS <= width; x += COUNTERS) {
    uint64_t eight;
    memcpy (&eight, bins + x, sizeof eight);
    for (int k = 0; k < COUNTERS; k++)
      counters->counts[k][eight >> 8 * k & 0xff]++;
  }
  for (; x < width; x++)
    counters->counts[0][bins[x]]++;
}

// For SURE.
static void
share_row (const Row *row, int width, float scale, Moments *moments)
{
  for (int x = 0; x < width; x++) {
    const float place
        = MIN (fabsf (row->details[x]) * scale * ODL_SURE_SCALE, ODL_SURE_POINTS - 1);
    const int below = (int) place;
    const uint32_t above = (uint32_t) ((place - (float) below) * ODL_SURE_SHARES + 0.5F);
    const bool inside = row->mask[x] > 0.5F;
    moments->shares[below] += inside ? ODL_SURE_SHARES - above : 0;
    moments->shares[below + 1] += inside ? above : 0;
  }
}

static void
measure_part (const Band *band, int part, float scale, Moments *moments)
{
  OdlCpuMeasured *measured = &moments->measured;
  g_autofree uint8_t *bins = g_new (uint8_t, (size_t) band->width + ODL_CPU_SLACK);
  Counters counters = { 0 };
  Row row = start_rows (band);

  *moments = (Moments){ .measured = { .first_bin = FIRST_BIN, .bins = bins } };
  for (int p = 0; p < band->planes; p++)
    for (int y = first_row (band, part); y < first_row (band, part + 1); y++) {
      go_to_row (&row, band, p, y);
      band->work->variant->measure (row.details, row.mask, scale, band->width, measured);
      count_bins (bins, band->width, &counters);
      if (band->work->step->rule == ODL_FIND_SURE)
        share_row (&row, band->width, scale, moments);
    }
  end_rows (&row);
  measured->bins = NULL;
  for (int k = 0; k < COUNTERS; k++)
    for (int i = 0; i < ODL_BAND_BINS; i++)
      moments->bins[i] += counters.counts[k][i];
}

// The band's threshold; `sum` is of all its parts.
static double
threshold_of (const Band *band, const Moments *sum, double mean, double noise)
{
  const int samples = band->work->octants
                          ? ODL_OCTANTS
                          : odl_samples_of_detail (band->work->step->band);
  const double n_samples
      = (double) odl_cpu_row (band->work->in[2], 0, 0)[ODL_NOISE_COUNT] * samples;
  const double signal = mean - noise * noise;

  switch ((OdlFoundThreshold) band->work->step->rule) {
  case ODL_FIND_UNIVERSAL:
    return noise * odl_universal_threshold (n_samples);
  case ODL_FIND_SURE:
    return noise > 0 ? noise
                           * odl_sure_threshold (sum->shares, sum->measured.count,
                                                 mean / (noise * noise))
                     : 0;
  default:
    return signal > 0 ? noise * noise / sqrt (signal) : (double) sum->measured.largest;
  }
}

static void
measure_band (const Band *band, double noise, float *numbers)
{
  const float scale = noise > 0 ? (float) (1 / noise) : 0;
  Moments parts[MOST_PARTS] = { 0 };
  OdlCpuMeasured *all = &parts[0].measured;

  ODL_PARALLEL_FOR
  for (int p = 0; p < band->parts; p++)
    measure_part (band, p, scale, &parts[p]);
  for (int p = 1; p < band->parts; p++) {
    all->sum += parts[p].measured.sum;
    all->largest = MAX (all->largest, parts[p].measured.largest);
    all->count += parts[p].measured.count;
    for (int i = 0; i < ODL_BAND_BINS; i++)
      parts[0].bins[i] += parts[p].bins[i];
    for (int i = 0; i <= ODL_SURE_POINTS; i++)
      parts[0].shares[i] += parts[p].shares[i];
  }
  const double mean = all->count > 0 ? all->sum / all->count : 0;
  numbers[ODL_BAND_THRESHOLD] = (float) threshold_of (band, &parts[0], mean, noise);
  numbers[ODL_BAND_DEVIATION] = (float) sqrt (mean);
  numbers[ODL_BAND_LARGEST] = all->largest;
  numbers[ODL_BAND_COUNT] = (float) all->count;
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
  for (int which = 1; which < (work->octants ? ODL_OCTANTS : ODL_BANDS); which++) {
    if (work->step->band > 0 && work->step->band != which)
      continue;
    const Band band = band_of (work, which);
    measure_band (&band, sigma * gain_of (work, which), numbers);
    numbers += ODL_BAND_NUMBERS;
  }
}
