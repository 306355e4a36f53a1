// SPDX-License-Identifier: MIT
// When the pictures of a series were taken: what order they have at one place.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "source/dicom/series_slice.h"

// Volumes may come so much too late or too early (fraction of the time between them).
#define SAME_INTERVAL 0.1
#define DAY_S 86400

static double
number_of (const OdlSource *source, const char *key)
{
  double number;

  return odl_number_from_text (odl_source_detail (source, key), &number) ? number : NAN;
}

// Of DICOM: HHMMSS and a fraction, which may be missing.
static double
seconds_of (const char *time)
{
  double number;

  if (!odl_number_from_text (time, &number) || strcspn (time, ".") != 6 || number < 0)
    return NAN;
  return fmod (number, 100) + 60 * fmod (floor (number / 100), 100)
         + 3600 * floor (number / 10000);
}

void
odl_series_read_time (OdlSeriesSlice *slice, const OdlSource *source)
{
  slice->number = number_of (source, "instance-number");
  slice->position = number_of (source, "temporal-position");
  slice->taken_s = number_of (source, "trigger-time") / 1000;
  if (isnan (slice->taken_s))
    slice->taken_s = seconds_of (odl_source_detail (source, "acquisition-time"));
}

void
odl_series_keep_common_times (GPtrArray *stack)
{
  bool positions = true, times = true;
  double least = INFINITY, most = -INFINITY;

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    positions = positions && !isnan (slice->position);
    times = times && !isnan (slice->taken_s);
    least = fmin (least, slice->taken_s);
    most = fmax (most, slice->taken_s);
  }
  for (guint i = 0; i < stack->len; i++) {
    OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    slice->position = positions ? slice->position : NAN;
    slice->taken_s = times ? slice->taken_s : NAN;
    // Past midnight.
    if (most - least > DAY_S / 2 && slice->taken_s < DAY_S / 2)
      slice->taken_s += DAY_S;
  }
}

// Of volumes, whose first slices tell: whether what `at` them rises, and evenly. The
// step, on average; 0: it does not rise.
static double
find_step (const GPtrArray *stack, int volumes, gsize at, bool *even)
{
  const guint n = stack->len / (guint) volumes;
  g_autofree double *values = g_new (double, volumes);

  for (int i = 0; i < volumes; i++)
    values[i] = G_STRUCT_MEMBER (double, g_ptr_array_index (stack, (guint) i * n), at);
  const double step = (values[volumes - 1] - values[0]) / (volumes - 1);
  *even = true;
  for (int i = 1; i < volumes; i++) {
    const double here = values[i] - values[i - 1];
    if (!(here > 0))
      return 0;
    *even = *even && fabs (here - step) <= SAME_INTERVAL * step;
  }
  return step;
}

void
odl_series_find_times (OdlSeriesSpace *space, const GPtrArray *stack)
{
  bool even_positions, even_times;

  if (space->volumes < 2)
    return;
  const double step = find_step (
      stack, space->volumes, G_STRUCT_OFFSET (OdlSeriesSlice, position), &even_positions);
  const double seconds = find_step (
      stack, space->volumes, G_STRUCT_OFFSET (OdlSeriesSlice, taken_s), &even_times);
  space->in_time = step > 0 || seconds > 0;
  space->uneven_times = (step > 0 && !even_positions) || (seconds > 0 && !even_times);
  if (seconds > 0 && even_times)
    space->interval_s = seconds;
}
