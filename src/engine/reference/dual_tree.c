// SPDX-License-Identifier: MIT
// The dual-tree transform, by its sums.
#include <string.h>

#include "engine/reference/context.h"
#include "plan/numbers.h"

// One line of analysis. `n`: its samples; `count`: those that it becomes.
static void
forward_line (const OdlStep *step,
              const double *x,
              size_t stride,
              int n,
              double *to,
              size_t to_stride,
              int count)
{
  const OdlDualFilter *filter = odl_step_dual_filter (step, 0);
  const int before = odl_dual_before (n, step->level);

  for (int o = 0; o < count; o++) {
    const OdlTaps *taps = &filter->taps[o % filter->phases];
    const int first = filter->step * (o / filter->phases) - before + taps->first;
    double sum = 0;
    for (int k = 0; k < taps->count; k++)
      sum += taps->value[k]
             * x[stride * odl_dual_index (n, step->level, first + k * filter->spacing)];
    to[o * to_stride] = sum;
  }
}

// What `n` samples of the band that is read as reads[r] add to a line of `count`.
static void
add_line (const OdlStep *step,
          int r,
          const double *x,
          size_t stride,
          int n,
          double *to,
          size_t to_stride,
          int count)
{
  const OdlDualFilter *filter = odl_step_dual_filter (step, r);
  const int before = odl_dual_before (count, step->level);

  for (int o = 0; o < count; o++) {
    const OdlTaps *taps = &filter->taps[(o + before) % filter->phases];
    const int first = filter->step * ((o + before) / filter->phases) + taps->first;
    for (int k = 0; k < taps->count; k++)
      to[o * to_stride]
          += taps->value[k]
             * x[stride * odl_dual_index (n, 0, first + k * filter->spacing)];
  }
}

void
odl_reference_dual_forward (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]], *out = c->out;

  for (int channel = 0; channel < out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    if (c->step->axis == ODL_AXIS_X)
      for (int y = 0; y < out->height; y++)
        forward_line (c->step, from + (size_t) y * in->width, 1, in->width,
                      to + (size_t) y * out->width, 1, out->width);
    else
      for (int x = 0; x < out->width; x++)
        forward_line (c->step, from + x, in->width, in->height, to + x, out->width,
                      out->height);
  }
}

void
odl_reference_dual_inverse (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]], *out = c->out;

  for (int channel = 0; channel < out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    memset (to, 0, (size_t) out->width * out->height * sizeof *to);
    for (int r = 0; r < 2; r++) {
      const double *from = slot_channel (c, c->step->reads[r], channel);
      if (c->step->axis == ODL_AXIS_X)
        for (int y = 0; y < out->height; y++)
          add_line (c->step, r, from + (size_t) y * in->width, 1, in->width,
                    to + (size_t) y * out->width, 1, out->width);
      else
        for (int x = 0; x < out->width; x++)
          add_line (c->step, r, from + x, in->width, in->height, to + x, out->width,
                    out->height);
    }
  }
}

// Multiplies the two coefficients of a block by w1 and w2.
static void
scale_block (const double *from, double *to, size_t width, double w1, double w2)
{
  const double re1 = w1 / 2 * (from[0] - from[width + 1]);
  const double im1 = w1 / 2 * (from[1] + from[width]);
  const double re2 = w2 / 2 * (from[0] + from[width + 1]);
  const double im2 = w2 / 2 * (from[1] - from[width]);

  to[0] = re2 + re1;
  to[1] = im1 + im2;
  to[width] = im1 - im2;
  to[width + 1] = re2 - re1;
}

// |z|² of one of the two coefficients of a block.
static double
power_of (const double *block, size_t width, bool second)
{
  const double sign = second ? -1 : 1;
  const double re = block[0] - sign * block[width + 1];
  const double im = block[1] + sign * block[width];

  return (re * re + im * im) / 2;
}

static double
share_left (double power, double threshold, OdlShrinkingRule rule)
{
  const double magnitude = sqrt (power);

  return magnitude > 0 ? odl_shrink (magnitude, threshold, rule) / magnitude : 0;
}

void
odl_reference_dual_shrink (const StepContext *c)
{
  const OdlStepParameters *own = &c->step->parameters;
  const OdlShrinkingRule rule = odl_step_shrinking (c->step);
  const int numbers = c->step->reads[1];
  const double found = numbers == ODL_PLAN_NO_SLOT
                           ? 0
                           : M_SQRT2 * slot_channel (c, numbers, 0)[ODL_BAND_THRESHOLD];
  const size_t width = c->out->width;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y += 2)
      for (size_t x = 0; x < width; x += 2) {
        const double *block = from + y * width + x;
        double shares[2];
        for (int i = 0; i < 2; i++)
          shares[i] = own->gains[i]
                      * share_left (
                          power_of (block, width, i == 1),
                          numbers == ODL_PLAN_NO_SLOT ? own->thresholds[i] : found, rule);
        scale_block (block, to + y * width + x, width, shares[0], shares[1]);
      }
  }
}

// The mean of |z|² about coefficient (x, y).
static double
mean_about (const StepContext *c, const double *from, int x, int y, bool second)
{
  const int side = c->step->side, radius = side / 2;
  const size_t width = c->out->width;
  double sum = 0;

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      const int column = odl_border_fold (x + dx, c->out->width / 2);
      const int row = odl_border_fold (y + dy, c->out->height / 2);
      sum += power_of (from + 2 * row * width + 2 * column, width, second);
    }
  return sum / (side * side);
}

static double
bivariate_share (const StepContext *c,
                 const double *from,
                 const double *parents,
                 int x,
                 int y,
                 bool second)
{
  const OdlStepParameters *own = &c->step->parameters;
  const OdlSlot *next = &c->plan->slots[c->step->reads[1]];
  const int column = odl_dual_parent (c->out->width, c->step->level, x);
  const int row = odl_dual_parent (c->out->height, c->step->level, y);
  const double power
      = power_of (from + 2 * (size_t) y * c->out->width + 2 * x, c->out->width, second);
  const double above = power_of (parents + 2 * (size_t) row * next->width + 2 * column,
                                 next->width, second);
  const double noise = own->sigma * own->sigma;
  const double signal = mean_about (c, from, x, y, second) / 2 - noise;
  const double size = sqrt (power + own->weight * own->weight * above);

  if (signal <= 0 || size <= 0)
    return 0;
  return MAX (size - sqrt (3) * noise / sqrt (signal), 0) / size;
}

void
odl_reference_dual_bivariate (const StepContext *c)
{
  const size_t width = c->out->width;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    const double *parents = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height / 2; y++)
      for (int x = 0; x < c->out->width / 2; x++) {
        const size_t at = 2 * y * width + 2 * x;
        scale_block (from + at, to + at, width,
                     bivariate_share (c, from, parents, x, y, false),
                     bivariate_share (c, from, parents, x, y, true));
      }
  }
}

void
odl_reference_dual_place (const StepContext *c)
{
  const int level = c->step->level, band = c->step->band;
  const OdlSlot *in = &c->plan->slots[c->step->reads[1]];
  const bool alone = (c->step->rule & ODL_PLACE_ALONE) != 0;
  const int right = alone ? 0 : band % 2, below = alone ? 0 : band / 2;
  const int left = right * odl_level_size (c->out->width, level);
  const int top = below * odl_level_size (c->out->height, level);
  const int end = odl_level_size (c->out->width, level - right);
  const int bottom = odl_level_size (c->out->height, level - below);

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *picture = slot_channel (c, c->step->reads[0], channel);
    const double *from = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const size_t at = (size_t) y * c->out->width + x;
        const bool inside = x >= left && x < end && y >= top && y < bottom;
        const double *block = from + (size_t) 2 * (y - top) * in->width + 2 * (x - left);
        to[at]
            = !inside ? picture[at]
              : band == 0
                  ? *block
                  : sqrt (power_of (block, in->width, c->step->rule & ODL_PLACE_FALLING));
      }
  }
}
