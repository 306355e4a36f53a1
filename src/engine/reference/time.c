// SPDX-License-Identifier: MIT
// Steps over time of the reference engine.
#include <stdlib.h>
#include <string.h>

#include "engine/reference/context.h"

// The step's history of this slice of the frame `back` frames ago, one channel after the
// other; for the current frame, where to store it.
static double *
kept (const StepContext *c, int back)
{
  const size_t samples = (size_t) c->out->width * c->out->height * c->out->channels;
  const int place = odl_engine_place (&c->engine->base, c->step, back);

  return c->engine->rings[c->step - c->plan->steps]
         + ((size_t) place * c->out->depth + c->z) * samples;
}

// Mean over the neighbourhood of |x − y₋₁|.
static double
local_change (const StepContext *c,
              const double *x,
              const double *before,
              int column,
              int row)
{
  const int r = c->step->parameters.radius;
  double sum = 0;

  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++)
      sum += fabs (fetch (x, c->out, column + dx, row + dy)
                   - fetch (before, c->out, column + dx, row + dy));
  return sum / ((2 * r + 1) * (2 * r + 1));
}

static double
weight_at (const StepContext *c,
           const double *x,
           const double *before,
           int column,
           int row)
{
  const OdlStep *step = c->step;

  if (step->kind == ODL_STEP_RECURSIVE)
    return step->parameters.weight;
  const double change = local_change (c, x, before, column, row);
  return step->parameters.weight
         + (1 - step->parameters.weight)
               * CLAMP (change / step->parameters.threshold - 1, 0, 1);
}

// RECURSIVE and PERSISTENCE keep what they write.
void
odl_reference_recursive (const StepContext *c)
{
  const size_t pixels = (size_t) c->out->width * c->out->height;
  const bool first = odl_engine_earlier (&c->engine->base, c->step) == 0;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *x = slot_channel (c, c->step->reads[0], channel);
    const double *before = first ? x : kept (c, 1) + channel * pixels;
    double *to = slot_channel (c, c->step->writes, channel);
    double *keep = kept (c, 0) + channel * pixels;
    for (int row = 0; row < c->out->height; row++)
      for (int column = 0; column < c->out->width; column++) {
        const size_t i = (size_t) row * c->out->width + column;
        keep[i] = before[i] + weight_at (c, x, before, column, row) * (x[i] - before[i]);
      }
    memcpy (to, keep, pixels * sizeof *to);
  }
}

static double
statistic (const OdlStep *step, double *values, int n)
{
  double sum = 0;

  if (step->kind == ODL_STEP_TEMPORAL_MEDIAN) {
    qsort (values, n, sizeof *values, odl_order_doubles);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
  }
  for (int k = 0; k < n; k++)
    sum += values[k];
  return sum / n;
}

// MEAN and TEMPORAL_MEDIAN keep what they read.
void
odl_reference_window (const StepContext *c)
{
  const size_t samples = (size_t) c->out->width * c->out->height * c->out->channels;
  const int n = 1 + odl_engine_earlier (&c->engine->base, c->step);
  double *to = slot_channel (c, c->step->writes, 0);
  double values[ODL_PLAN_MAX_FRAMES];

  memcpy (kept (c, 0), slot_channel (c, c->step->reads[0], 0), samples * sizeof *to);
  for (size_t i = 0; i < samples; i++) {
    for (int k = 0; k < n; k++)
      values[k] = kept (c, k)[i];
    to[i] = statistic (c->step, values, n);
  }
}
