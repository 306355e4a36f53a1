// SPDX-License-Identifier: MIT
#include "engine/reference/measure.h"

#include <math.h>
#include <stdlib.h>

#include "plan/numbers.h"

// One channel of a slot.
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

static void
mask_level (const Plane *finer, const OdlSlot *out, double *mask)
{
  for (int y = 0; y < out->height; y++)
    for (int x = 0; x < out->width; x++) {
      bool inside = true;
      for (int dy = ODL_MASK_FIRST; dy <= ODL_MASK_LAST; dy++)
        for (int dx = ODL_MASK_FIRST; dx <= ODL_MASK_LAST; dx++) {
          const int fx = 2 * x + dx, fy = 2 * y + dy;
          if (fx >= 0 && fx < finer->width && fy >= 0 && fy < finer->height)
            inside = inside && at (finer, fx, fy) > 0.5;
        }
      *mask++ = inside ? 1 : 0;
    }
}

// Magnitudes of one detail band inside the mask, of all channels. Transfer full.
static double *
details_of (const OdlPlan *plan,
            const OdlStep *step,
            double **slots,
            OdlDetailBand band,
            int *n)
{
  const OdlSlot *bands = &plan->slots[step->reads[0]];
  const int low_x = odl_low_count (bands->width), low_y = odl_low_count (bands->height);
  const OdlSlot *own_mask = &plan->slots[step->reads[1]];
  const bool picture = step->band > 0;
  const bool right = !picture && band != ODL_BAND_LH;
  const bool below = !picture && band != ODL_BAND_HL;
  const int width = picture ? bands->width
                    : right ? odl_high_count (bands->width)
                            : low_x;
  const int height = picture ? bands->height
                     : below ? odl_high_count (bands->height)
                             : low_y;
  const int shift
      = picture ? odl_mask_shift (width, height, own_mask->width, own_mask->height) : 0;
  double *details = g_new (double, (size_t) bands->channels *width *height + 1);

  *n = 0;
  for (int c = 0; c < bands->channels; c++) {
    const Plane from = plane_of (plan, slots, step->reads[0], c);
    const Plane mask = plane_of (plan, slots, step->reads[1], c);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        if (at (&mask, x >> shift, y >> shift) > 0.5)
          details[(*n)++]
              = fabs (at (&from, x + (right ? low_x : 0), y + (below ? low_y : 0)));
  }
  return details;
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
measure_noise (const OdlPlan *plan, const OdlStep *step, double **slots)
{
  double *numbers = slots[step->writes];
  int n;
  g_autofree double *details = details_of (plan, step, slots, ODL_BAND_HH, &n);

  qsort (details, (size_t) n, sizeof *details, compare);
  numbers[ODL_NOISE_COUNT] = n;
  numbers[ODL_NOISE_SIGMA]
      = step->parameters.sigma >= 0 ? step->parameters.sigma
        : n < ODL_FEWEST_DETAILS
            ? 0
            : details[n / 2]
                  / (ODL_MEDIAN_OF_NORMAL * step->parameters.gains[ODL_BAND_HH]);
}

// T of SURE.
static double
find_sure (const double *details, int n, double noise, double mean)
{
  uint32_t shares[ODL_SURE_POINTS + 1] = { 0 }, above;

  if (!(noise > 0))
    return 0;
  for (int i = 0; i < n; i++) {
    const int place = odl_sure_place (details[i] / noise, &above);
    shares[place] += ODL_SURE_SHARES - above;
    shares[place + 1] += above;
  }
  return noise * odl_sure_threshold (shares, n, mean / (noise * noise));
}

// `n_samples`: of the picture, inside the mask.
static void
measure_band (OdlFoundThreshold rule,
              double n_samples,
              const double *details,
              int n,
              double noise,
              double *numbers)
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
  const double mean = n > 0 ? sum / n : 0, signal = mean - noise * noise;
  numbers[ODL_BAND_THRESHOLD]
      = rule == ODL_FIND_UNIVERSAL ? noise * odl_universal_threshold (n_samples)
        : rule == ODL_FIND_SURE    ? find_sure (details, n, noise, mean)
        : signal > 0               ? noise * noise / sqrt (signal)
                                   : largest;
  numbers[ODL_BAND_DEVIATION] = sqrt (mean);
  numbers[ODL_BAND_LARGEST] = largest;
  numbers[ODL_BAND_COUNT] = n;
  numbers[ODL_BAND_NOISE] = noise;
}

static void
measure_bands (const OdlPlan *plan, const OdlStep *step, double **slots)
{
  const double sigma = slots[step->reads[2]][ODL_NOISE_SIGMA];
  const double n_samples
      = slots[step->reads[2]][ODL_NOISE_COUNT] * odl_samples_of_detail (step->band);
  double *numbers = slots[step->writes];

  for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++) {
    int n;
    if (step->band > 0 && step->band != 1 + (int) band)
      continue;
    g_autofree double *details = details_of (plan, step, slots, band, &n);
    measure_band ((OdlFoundThreshold) step->rule, n_samples, details, n,
                  sigma * step->parameters.gains[band], numbers);
    numbers += ODL_BAND_NUMBERS;
  }
}

static void
measure_channel (const OdlPlan *plan, const OdlStep *step, double **slots, int channel)
{
  const OdlSlot *out = &plan->slots[step->writes];
  const Plane from = plane_of (plan, slots, step->reads[0], channel);
  double *to = slots[step->writes] + (size_t) channel * out->width * out->height;

  if (step->kind == ODL_STEP_SIDES)
    for (int side = 0; side < ODL_SIDES; side++)
      to[side] = value_of_side (&from, side);
  else if (step->level == 0)
    mask_picture (&from, slots[step->reads[1]] + (size_t) channel * ODL_SIDES,
                  step->parameters.tolerance, to);
  else
    mask_level (&from, out, to);
}

void
odl_reference_measure (const OdlPlan *plan, const OdlStep *step, double **slots)
{
  if (step->kind == ODL_STEP_NOISE)
    measure_noise (plan, step, slots);
  else if (step->kind == ODL_STEP_BAYES)
    measure_bands (plan, step, slots);
  else
    for (int c = 0; c < plan->slots[step->writes].channels; c++)
      measure_channel (plan, step, slots, c);
}
