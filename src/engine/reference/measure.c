// SPDX-License-Identifier: MIT
#include "engine/reference/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "plan/numbers.h"

// One channel of a slice of a slot; `channel` counts all of them.
typedef struct {
  const double *samples;
  int width, height;
} Plane;

static Plane
plane_of (const OdlPlan *plan, double **slots, int slot, int channel)
{
  const OdlSlot *s = &plan->slots[slot];

  return (Plane){ slots[slot] + (size_t) channel * s->width * s->height, s->width,
                  s->height };
}

static double
at (const Plane *plane, int x, int y)
{
  return plane->samples[(size_t) y * plane->width + x];
}

static double
value_of_side (const Plane *picture, int side)
{
  const bool vertical = side == ODL_SIDE_LEFT || side == ODL_SIDE_RIGHT;
  const int length = vertical ? picture->height : picture->width;
  const int n = MIN (length, ODL_SIDE_SAMPLES);
  double values[ODL_SIDE_SAMPLES];

  for (int i = 0; i < n; i++) {
    const int along = (int) ((int64_t) i * length / n);
    values[i] = vertical
                    ? at (picture, side == ODL_SIDE_LEFT ? 0 : picture->width - 1, along)
                    : at (picture, along, side == ODL_SIDE_TOP ? 0 : picture->height - 1);
  }
  for (int i = 0; i < n; i++) {
    int equal = 0;
    for (int k = 0; k < n; k++)
      equal += values[k] == values[i];
    if (2 * equal > n)
      return values[i];
  }
  return 0;
}

static bool
is_surrounding (double value, const double sides[ODL_SIDES], double tolerance)
{
  if (fabs (value) <= tolerance)
    return true;
  for (int i = 0; i < ODL_SIDES; i++)
    if (fabs (value - sides[i]) <= tolerance)
      return true;
  return false;
}

static bool
is_block (const Plane *picture,
          const double sides[ODL_SIDES],
          double tolerance,
          int x,
          int y)
{
  if (x < 1 || y < 1 || x + 1 >= picture->width || y + 1 >= picture->height)
    return false;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (!is_surrounding (at (picture, x + dx, y + dy), sides, tolerance))
        return false;
  return true;
}

static void
mask_picture (const Plane *picture,
              const double sides[ODL_SIDES],
              double tolerance,
              double *mask)
{
  for (int y = 0; y < picture->height; y++)
    for (int x = 0; x < picture->width; x++) {
      bool outside = false;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          outside = outside || is_block (picture, sides, tolerance, x + dx, y + dy);
      *mask++ = outside ? 0 : 1;
    }
}

// Whether all that a detail at (x, y) depends on in that plane of the finer mask is
// inside.
static bool
is_inside (const Plane *finer, int x, int y)
{
  for (int dy = ODL_MASK_FIRST; dy <= ODL_MASK_LAST; dy++)
    for (int dx = ODL_MASK_FIRST; dx <= ODL_MASK_LAST; dx++) {
      const int fx = 2 * x + dx, fy = 2 * y + dy;
      if (fx >= 0 && fx < finer->width && fy >= 0 && fy < finer->height
          && at (finer, fx, fy) <= 0.5)
        return false;
    }
  return true;
}

static void
mask_level (const OdlPlan *plan, const OdlStep *step, double **slots, int channel, int z)
{
  const OdlSlot *out = &plan->slots[step->writes], *finer = &plan->slots[step->reads[0]];
  const size_t plane = (size_t) out->width * out->height;
  double *mask = slots[step->writes] + (size_t) (z * out->channels + channel) * plane;

  for (int i = 0; i < (int) plane; i++)
    mask[i] = 1;
  for (int fz = 2 * z + ODL_MASK_FIRST; fz <= 2 * z + ODL_MASK_LAST; fz++) {
    if (fz < 0 || fz >= finer->depth)
      continue;
    const Plane from
        = plane_of (plan, slots, step->reads[0], fz * finer->channels + channel);
    for (int i = 0; i < (int) plane; i++)
      if (!is_inside (&from, i % out->width, i / out->width))
        mask[i] = 0;
  }
}

// Where a band of details lies: which of both halves along each axis, or all.
typedef struct {
  int first[3];
  int size[3];
  int shift; // a sample of the mask stands for 2^shift along x and y
} Region;

static Region
region_of (const OdlPlan *plan, const OdlStep *step, int octant)
{
  const OdlSlot *bands = &plan->slots[step->reads[0]];
  const OdlSlot *mask = &plan->slots[step->reads[1]];
  const int sides[] = { bands->width, bands->height, bands->depth };
  Region region = { { 0 }, { sides[0], sides[1], sides[2] }, 0 };

  if (step->band > 0) {
    region.shift = odl_mask_shift (sides[0], sides[1], mask->width, mask->height);
    return region;
  }
  for (int axis = 0; axis < (bands->kind == ODL_SLOT_OCTANTS ? 3 : 2); axis++) {
    const int low = odl_low_count (sides[axis]);
    const bool high = (octant >> axis & 1) != 0;
    region.first[axis] = high ? low : 0;
    region.size[axis] = high ? sides[axis] - low : low;
  }
  return region;
}

// Magnitudes of one detail band inside the mask, of all channels, or those that SURE
// counts. Transfer full.
static double *
details_of (const OdlPlan *plan,
            const OdlStep *step,
            double **slots,
            int octant,
            bool of_sure,
            int *n)
{
  const int channels = plan->slots[step->reads[0]].channels;
  const Region region = region_of (plan, step, octant);
  const size_t area = (size_t) region.size[0] * (size_t) region.size[1];
  const int every = of_sure ? odl_sure_step (region.size[0], region.size[1]) : 1;
  double *details = g_new (double, (size_t) (channels * region.size[2]) * area + 1);

  *n = 0;
  for (int plane = 0; plane < channels * region.size[2]; plane++) {
    const int before = region.first[2] * channels;
    const Plane from = plane_of (plan, slots, step->reads[0], before + plane);
    const Plane mask = plane_of (plan, slots, step->reads[1], plane);
    for (int y = every / 2; y < region.size[1]; y += every)
      for (int x = 0; x < region.size[0]; x++)
        if (at (&mask, x >> region.shift, y >> region.shift) > 0.5)
          details[(*n)++] = fabs (at (&from, x + region.first[0], y + region.first[1]));
  }
  return details;
}

static bool
is_of_octants (const OdlPlan *plan, const OdlStep *step)
{
  return plan->slots[step->reads[0]].kind == ODL_SLOT_OCTANTS;
}

// Of band 1 … 3, or octant 1 … 7, where σ is 1.
static double
gain_of (const OdlPlan *plan, const OdlStep *step, int octant)
{
  return is_of_octants (plan, step) ? odl_octant_gain (step->parameters.gains, octant)
                                    : step->parameters.gains[octant - 1];
}

static void
measure_noise (const OdlPlan *plan, const OdlStep *step, double **slots)
{
  const int finest = is_of_octants (plan, step) ? ODL_DETAIL_OCTANTS : ODL_DETAIL_BANDS;
  double *numbers = slots[step->writes];
  int n;
  g_autofree double *details = details_of (plan, step, slots, finest, false, &n);

  qsort (details, (size_t) n, sizeof *details, odl_order_doubles);
  numbers[ODL_NOISE_COUNT] = n;
  numbers[ODL_NOISE_SIGMA]
      = step->parameters.sigma >= 0 ? step->parameters.sigma
        : n < ODL_FEWEST_DETAILS
            ? 0
            : details[n / 2] / (ODL_MEDIAN_OF_NORMAL * gain_of (plan, step, finest));
}

// T of SURE, of some of n details.
static double
find_sure (const double *details, int counted, int n, double noise, double mean)
{
  uint32_t shares[ODL_SURE_POINTS + 1] = { 0 }, above;

  if (!(noise > 0))
    return 0;
  for (int i = 0; i < counted; i++) {
    const int place = odl_sure_place (details[i] / noise, &above);
    shares[place] += ODL_SURE_SHARES - above;
    shares[place + 1] += above;
  }
  return noise * odl_sure_threshold (shares, n, mean / (noise * noise));
}

// All but the threshold.
static void
measure_band (const double *details, int n, double noise, double *numbers)
{
  double sum = 0, largest = 0;

  for (int i = 0; i < ODL_BAND_BINS; i++)
    numbers[ODL_BAND_HISTOGRAM + i] = 0;
  for (int i = 0; i < n; i++) {
    const double place = noise > 0 ? odl_band_place (details[i] / noise) : 0;
    numbers[ODL_BAND_HISTOGRAM + (int) CLAMP (place, 0, ODL_BAND_BINS - 1)] += 1;
    sum += details[i] * details[i];
    largest = MAX (largest, details[i]);
  }
  numbers[ODL_BAND_DEVIATION] = n > 0 ? sqrt (sum / n) : 0;
  numbers[ODL_BAND_LARGEST] = largest;
  numbers[ODL_BAND_COUNT] = n;
  numbers[ODL_BAND_NOISE] = noise;
}

// `n_samples`: of the picture, inside the mask.
static double
threshold_of (const OdlPlan *plan,
              const OdlStep *step,
              double **slots,
              int band,
              double n_samples,
              const double *numbers)
{
  const double noise = numbers[ODL_BAND_NOISE];
  const double mean = numbers[ODL_BAND_DEVIATION] * numbers[ODL_BAND_DEVIATION];
  const double signal = mean - noise * noise;

  if (step->rule == ODL_FIND_UNIVERSAL)
    return noise * odl_universal_threshold (n_samples);
  if (step->rule == ODL_FIND_SURE) {
    int counted;
    g_autofree double *some = details_of (plan, step, slots, band, true, &counted);
    return find_sure (some, counted, (int) numbers[ODL_BAND_COUNT], noise, mean);
  }
  return signal > 0 ? noise * noise / sqrt (signal) : numbers[ODL_BAND_LARGEST];
}

static void
measure_bands (const OdlPlan *plan, const OdlStep *step, double **slots)
{
  const bool octants = is_of_octants (plan, step);
  const double sigma = slots[step->reads[2]][ODL_NOISE_SIGMA];
  const double n_samples = slots[step->reads[2]][ODL_NOISE_COUNT]
                           * odl_samples_of_detail (step->band, octants);
  double *numbers = slots[step->writes];

  for (int band = 1; band < (octants ? ODL_OCTANTS : ODL_BANDS); band++) {
    int n;
    if (step->band > 0 && step->band != band)
      continue;
    g_autofree double *details = details_of (plan, step, slots, band, false, &n);
    measure_band (details, n, sigma * gain_of (plan, step, band), numbers);
    numbers[ODL_BAND_THRESHOLD]
        = threshold_of (plan, step, slots, band, n_samples, numbers);
    numbers += ODL_BAND_NUMBERS;
  }
}

// Of a slice.
static void
measure_channel (const OdlPlan *plan,
                 const OdlStep *step,
                 double **slots,
                 int channel,
                 int z)
{
  const OdlSlot *out = &plan->slots[step->writes];
  const int plane = z * out->channels + channel;
  const Plane from = plane_of (plan, slots, step->reads[0], plane);
  double *to = slots[step->writes] + (size_t) plane * out->width * out->height;

  if (step->kind == ODL_STEP_SIDES)
    for (int side = 0; side < ODL_SIDES; side++)
      to[side] = value_of_side (&from, side);
  else if (step->level == 0)
    mask_picture (&from, slots[step->reads[1]] + (size_t) plane * ODL_SIDES,
                  step->parameters.tolerance, to);
  else
    mask_level (plan, step, slots, channel, z);
}

void
odl_reference_measure (const OdlPlan *plan, const OdlStep *step, double **slots, int z)
{
  if (step->kind == ODL_STEP_NOISE)
    measure_noise (plan, step, slots);
  else if (step->kind == ODL_STEP_BAYES)
    measure_bands (plan, step, slots);
  else
    for (int c = 0; c < plan->slots[step->writes].channels; c++)
      measure_channel (plan, step, slots, c, z);
}
