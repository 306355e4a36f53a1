// SPDX-License-Identifier: MIT
// The stationary transform, by its sums.
#include "engine/reference/context.h"
#include "plan/numbers.h"

// Σ taps[k] f (n + k · spacing) along the step's axis, of what it reads as reads[r].
static double
spaced_sum (const StepContext *c, const double *from, int r, int x, int y)
{
  const OdlStep *step = c->step;
  const OdlTaps *taps = odl_step_taps (step, r);
  const bool along_x = step->axis == ODL_AXIS_X;
  const int n = along_x ? c->out->width : c->out->height;
  const size_t stride = along_x ? 1 : c->out->width;
  const double *line = from + (along_x ? (size_t) y * c->out->width : (size_t) x);
  double sum = 0;

  for (int k = 0; k < taps->count; k++) {
    const int at = (along_x ? x : y) + (taps->first + k) * odl_step_spacing (step);
    sum += taps->value[k] * line[stride * odl_border_index (step->border, at, n)];
  }
  return sum;
}

void
odl_reference_stationary_forward (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++)
        *to++ = odl_shrink (spaced_sum (c, from, 0, x, y), c->step->parameters.threshold,
                            odl_step_shrinking (c->step));
  }
}

void
odl_reference_stationary_inverse (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *low = slot_channel (c, c->step->reads[0], channel);
    const double *high = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++)
        *to++ = spaced_sum (c, low, 0, x, y) + spaced_sum (c, high, 1, x, y);
  }
}

// Of the squares about (x, y).
static double
sum_about (const StepContext *c, const double *from, int x, int y)
{
  const int half = c->step->side / 2;
  double sum = 0;

  for (int dy = -half; dy <= half; dy++)
    for (int dx = -half; dx <= half; dx++) {
      const double f = fetch (from, c->out, x + dx * (1 << c->step->level),
                              y + dy * (1 << c->step->level));
      sum += f * f;
    }
  return sum;
}

static void
shrink_by_neighbours (const StepContext *c, double threshold)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const size_t i = (size_t) y * c->out->width + x;
        const double sum = sum_about (c, from, x, y), square = threshold * threshold;
        to[i] = sum > square ? from[i] * (1 - square / sum) : 0;
      }
  }
}

void
odl_reference_shrink (const StepContext *c)
{
  const bool found = c->step->reads[1] != ODL_PLAN_NO_SLOT;
  const double threshold
      = found ? slot_channel (c, c->step->reads[1], 0)[ODL_BAND_THRESHOLD]
              : c->step->parameters.threshold;

  if (c->step->side > 0) {
    shrink_by_neighbours (c, threshold);
    return;
  }
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = odl_shrink (from[i], threshold, odl_step_shrinking (c->step));
  }
}

// The band of a level at (x, y) of the Mallat picture: 0 LL, 1 HL, 2 LH, 3 HH; −1
// outside.
static int
band_at (const OdlSlot *slot, int level, int x, int y)
{
  if (x >= odl_level_size (slot->width, level - 1)
      || y >= odl_level_size (slot->height, level - 1))
    return -1;
  return (x >= odl_level_size (slot->width, level))
         + 2 * (y >= odl_level_size (slot->height, level));
}

void
odl_reference_place (const StepContext *c)
{
  const int level = c->step->level, band = c->step->band;
  const int right = band % 2, below = band / 2;
  const int left = right * odl_level_size (c->out->width, level);
  const int top = below * odl_level_size (c->out->height, level);

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *picture = slot_channel (c, c->step->reads[0], channel);
    const double *coefficients = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++, picture++)
        *to++
            = band_at (c->out, level, x, y) != band
                  ? *picture
                  : fetch (coefficients, c->out, (2 * (x - left) + right) << (level - 1),
                           (2 * (y - top) + below) << (level - 1));
  }
}
