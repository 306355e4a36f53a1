// SPDX-License-Identifier: MIT
// The forward and inverse steps of the reversible wavelet 5/3: integer lifting (JPEG
// 2000, ISO/IEC 15444-1, F.4.8.1) on samples that are whole numbers times `quantum`. The
// border is always the whole-sample one.
#include "engine/cpu/steps/transform/transform.h"

#include <string.h>

#include "wavelet/border.h"
#include "wavelet/transform.h"

typedef enum {
  DETAIL, // d ∓ ⌊(s + s') / 2⌋
  APPROXIMATION, // s ± ⌊(d + d' + 2) / 4⌋
} Lifting;

static OdlCpuWhole
whole_step (const OdlCpuWork *work, Lifting lifting)
{
  const float quantum = (float) work->step->quantum;
  const float scale = (float) (1 / work->step->quantum);
  const bool forward = work->step->kind == ODL_STEP_FORWARD;

  return (OdlCpuWhole){
    .centre_scale = scale,
    .side_scale = scale,
    .out_scale = quantum,
    .bias = lifting == DETAIL ? 0 : 2,
    .share = lifting == DETAIL ? 0.5f : 0.25f,
    .sign = (lifting == DETAIL) == forward ? -1 : 1,
  };
}

static void
lift (const OdlCpuWork *work,
      Lifting lifting,
      const float *centre,
      const float *before,
      const float *after,
      float *out,
      int n)
{
  const OdlCpuWhole step = whole_step (work, lifting);

  work->variant->lift_whole (&step, centre, before, after, out, n);
}

// One pair more than the span at either end, because the second step needs the first
// step's neighbours.
#define FIRST_STEP (ODL_CPU_SPAN + 2)

static void
forward_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const int n_low = odl_low_count (n), n_high = odl_high_count (n);
  float details[FIRST_STEP + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int high = MIN (count, n_high - from);

    odl_cpu_split_samples (&shape, &phases, line, from - 1, from + count + 1);
    lift (work, DETAIL, phases.b, phases.a, phases.a + 1, details, count + 1);
    lift (work, APPROXIMATION, phases.a + 1, details, details + 1, out + from, count);
    memcpy (out + n_low + from, details + 1, high * sizeof *out);
  }
}

static void
inverse_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const int n_low = odl_low_count (n), n_high = odl_high_count (n);
  float even[FIRST_STEP + ODL_CPU_SLACK], odd[ODL_CPU_SPAN + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int pairs = MIN (count, n_high - from);

    odl_cpu_split_coefficients (&shape, &phases, line, from - 1, from + count + 1);
    lift (work, APPROXIMATION, phases.a + 1, phases.b, phases.b + 1, even, count + 1);
    lift (work, DETAIL, phases.b + 1, even, even + 1, odd, pairs);
    work->variant->join (even, odd, out + 2 * from, pairs);
    if (pairs < count)
      out[n - 1] = even[count - 1];
  }
}

static const float *
input_row (const OdlCpuWork *work, int channel, int y, int column)
{
  return odl_cpu_row (work->in[0], channel, odl_border_fold (y, work->out->height))
         + column;
}

static void
detail_row (const OdlCpuWork *work,
            int channel,
            int pair,
            int column,
            float *out,
            int count)
{
  // Folded as a whole: the detail beyond the border is that of the mirrored rows.
  const int y = odl_border_fold (2 * pair + 1, work->out->height);

  lift (work, DETAIL, input_row (work, channel, y, column),
        input_row (work, channel, y - 1, column),
        input_row (work, channel, y + 1, column), out, count);
}

static void
forward_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height, n_low = odl_low_count (height);
  float before[ODL_CPU_SPAN + ODL_CPU_SLACK], after[ODL_CPU_SPAN + ODL_CPU_SLACK];

  detail_row (work, channel, i - 1, column, before, count);
  detail_row (work, channel, i, column, after, count);
  lift (work, APPROXIMATION, input_row (work, channel, 2 * i, column), before, after,
        odl_cpu_row (work->out, channel, i) + column, count);
  if (i < odl_high_count (height))
    memcpy (odl_cpu_row (work->out, channel, n_low + i) + column, after,
            count * sizeof *after);
}

static void
even_row (const OdlCpuWork *work,
          int channel,
          int pair,
          int column,
          float *out,
          int count)
{
  const int height = work->out->height;
  const int y = odl_border_fold (2 * pair, height);

  lift (work, APPROXIMATION, odl_cpu_coefficient_row (work, channel, y, column),
        odl_cpu_coefficient_row (work, channel, odl_border_fold (y - 1, height), column),
        odl_cpu_coefficient_row (work, channel, odl_border_fold (y + 1, height), column),
        out, count);
}

static void
inverse_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  float *even = odl_cpu_row (work->out, channel, 2 * i) + column;
  float next[ODL_CPU_SPAN + ODL_CPU_SLACK];

  even_row (work, channel, i, column, even, count);
  if (2 * i + 1 >= work->out->height)
    return;
  even_row (work, channel, i + 1, column, next, count);
  lift (work, DETAIL, odl_cpu_coefficient_row (work, channel, 2 * i + 1, column), even,
        next, odl_cpu_row (work->out, channel, 2 * i + 1) + column, count);
}

void
odl_cpu_forward_whole (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;

  if (work->step->axis == ODL_AXIS_X)
    for (int y = from; y < to; y++)
      forward_line (work, odl_cpu_row (work->in[0], channel, y),
                    odl_cpu_row (work->out, channel, y), width);
  else
    for (int column = 0; column < width; column += ODL_CPU_SPAN)
      for (int i = from; i < to; i++)
        forward_pair (work, channel, i, column, MIN (width - column, ODL_CPU_SPAN));
}

void
odl_cpu_inverse_whole (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, n_low = odl_low_count (width);

  if (work->step->axis == ODL_AXIS_X) {
    for (int y = from; y < to; y++)
      inverse_line (work, odl_cpu_row (work->in[0], channel, y),
                    odl_cpu_row (work->out, channel, y), width);
    return;
  }
  for (int column = 0; column < width;) {
    const int count = MIN ((column < n_low ? n_low : width) - column, ODL_CPU_SPAN);

    for (int i = from; i < to; i++)
      inverse_pair (work, channel, i, column, count);
    column += count;
  }
}
