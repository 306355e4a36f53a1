// SPDX-License-Identifier: MIT
// The forward and inverse steps: by lifting, in whole numbers, or by convolution with the
// taps of the wavelet table, which is here. Both directions of it have one shape: output
// phase p at i is Σ taps[k] z[2i + p + k].
#include "engine/cpu/steps/transform/transform.h"

#include <string.h>

#include "wavelet/border.h"
#include "wavelet/transform.h"

// Zeros, for samples beyond a zero border.
static const float zeros[ODL_CPU_SPAN + ODL_CPU_SLACK];

// ---- along x
// ---------------------------------------------------------------------------

// How far the kernels reach before and after a pair, in pairs.
typedef struct {
  int before, after;
} Reach;

static Reach
reach_of (const OdlCpuTaps taps[2])
{
  Reach reach = { 0, 0 };

  for (int phase = 0; phase < 2; phase++) {
    const int first = taps[phase].first + phase;
    const int last = first + taps[phase].count - 1;

    reach.before = MAX (reach.before, -(first >> 1));
    reach.after = MAX (reach.after, last >> 1);
  }
  return reach;
}

// Output phase `phase`, whose pair 0 is pair `offset` of `phases`.
static void
combine_phase (const OdlCpuWork *work,
               int phase,
               const OdlCpuPhases *phases,
               int offset,
               float *out,
               int count)
{
  const OdlCpuTaps *taps = &work->taps[phase];
  const float *rows[ODL_WAVELET_MAX_TAPS];

  for (int k = 0; k < taps->count; k++) {
    const int at = taps->first + k + phase;

    rows[k] = ((at & 1) != 0 ? phases->b : phases->a) + offset + (at >> 1);
  }
  work->variant->combine (taps, rows, out, count);
}

static void
forward_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const Reach reach = reach_of (work->taps);
  const int n_low = odl_low_count (shape.length), n_high = odl_high_count (shape.length);
  float *high = out + odl_low_count (n);
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);

    odl_cpu_split_samples (&shape, &phases, line, from - reach.before,
                           from + count + reach.after);
    combine_phase (work, 0, &phases, reach.before, out + from, count);
    combine_phase (work, 1, &phases, reach.before, high + from,
                   MIN (count, n_high - from));
  }
  if (shape.length < n)
    out[n / 2] = line[n - 1];
}

static void
inverse_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const Reach reach = reach_of (work->taps);
  const int n_low = odl_low_count (shape.length), n_high = odl_high_count (shape.length);
  float even[ODL_CPU_SPAN + ODL_CPU_SLACK], odd[ODL_CPU_SPAN + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int pairs = MIN (count, n_high - from);

    odl_cpu_split_coefficients (&shape, &phases, line, from - reach.before,
                                from + count + reach.after);
    combine_phase (work, 0, &phases, reach.before, even, count);
    combine_phase (work, 1, &phases, reach.before, odd, pairs);
    work->variant->join (even, odd, out + 2 * from, pairs);
    if (pairs < count)
      out[n - 1] = even[count - 1];
  }
  if (shape.length < n)
    out[n - 1] = line[n / 2];
}

// ---- along y
// ---------------------------------------------------------------------------

static void
forward_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height;
  const int length = odl_border_length (work->step->border, height);
  const float *rows[ODL_WAVELET_MAX_TAPS];

  for (int phase = 0; phase < 2 && 2 * i + phase < height; phase++) {
    const OdlCpuTaps *taps = &work->taps[phase];
    float *out
        = odl_cpu_row (work->out, channel, phase == 0 ? i : odl_low_count (height) + i)
          + column;

    if (2 * i >= length) { // alone
      memcpy (out, odl_cpu_row (work->in[0], channel, 2 * i) + column,
              count * sizeof *out);
      continue;
    }
    for (int k = 0; k < taps->count; k++) {
      const int y = odl_border_index (work->step->border, 2 * i + phase + taps->first + k,
                                      length);
      rows[k] = y < 0 ? zeros : odl_cpu_row (work->in[0], channel, y) + column;
    }
    work->variant->combine (taps, rows, out, count);
  }
}

static void
inverse_row (const OdlCpuWork *work, int channel, int y, int column, int count)
{
  const int length = odl_border_length (work->step->border, work->out->height);
  const OdlCpuTaps *taps = &work->taps[y & 1];
  float *out = odl_cpu_row (work->out, channel, y) + column;
  const float *rows[ODL_WAVELET_MAX_TAPS];

  if (y >= length) { // alone
    memcpy (out, odl_cpu_coefficient_row (work, channel, y, column), count * sizeof *out);
    return;
  }
  for (int k = 0; k < taps->count; k++) {
    const int z = odl_border_index (work->step->border, y + taps->first + k, length);

    rows[k] = z < 0 ? zeros : odl_cpu_coefficient_row (work, channel, z, column);
  }
  work->variant->combine (taps, rows, out, count);
}

// ---- steps
// -----------------------------------------------------------------------------

static void
forward_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;

  for (int column = 0; column < width; column += ODL_CPU_SPAN)
    for (int i = from; i < to; i++)
      forward_pair (work, channel, i, column, MIN (width - column, ODL_CPU_SPAN));
}

static void
inverse_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, height = work->out->height;
  const int n_low = odl_low_count (width);

  for (int column = 0; column < width;) {
    const int count = MIN ((column < n_low ? n_low : width) - column, ODL_CPU_SPAN);

    for (int y = 2 * from; y < MIN (2 * to, height); y++)
      inverse_row (work, channel, y, column, count);
    column += count;
  }
}

static void
forward_taps (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    forward_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      forward_line (work, odl_cpu_row (work->in[0], channel, y),
                    odl_cpu_row (work->out, channel, y), work->out->width);
}

static void
inverse_taps (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    inverse_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      inverse_line (work, odl_cpu_row (work->in[0], channel, y),
                    odl_cpu_row (work->out, channel, y), work->out->width);
}

// A line of one sample is its own low coefficient.
static bool
has_one_sample (const OdlCpuWork *work)
{
  return work->step->axis == ODL_AXIS_Y ? work->out->height == 1 : work->out->width == 1;
}

static void
copy_samples (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;
  const bool inverse_y
      = work->step->kind == ODL_STEP_INVERSE && work->step->axis == ODL_AXIS_Y;
  const int n_low = inverse_y ? odl_low_count (width) : width;

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);

    memcpy (out, odl_cpu_row (work->in[0], channel, y), n_low * sizeof *out);
    if (n_low < width)
      memcpy (out + n_low, odl_cpu_row (work->in[1], channel, y) + n_low,
              (width - n_low) * sizeof *out);
  }
}

static void
forward_lifted (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    odl_cpu_forward_lifted_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      odl_cpu_forward_lifted (work, channel, y);
}

static void
inverse_lifted (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y)
    odl_cpu_inverse_lifted_pairs (work, channel, from, to);
  else
    for (int y = from; y < to; y++)
      odl_cpu_inverse_lifted (work, channel, y);
}

void
odl_cpu_forward_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (has_one_sample (work))
    copy_samples (work, channel, from, to);
  else if (work->step->wavelet->reversible)
    odl_cpu_forward_whole (work, channel, from, to);
  else if (work->lifts)
    forward_lifted (work, channel, from, to);
  else
    forward_taps (work, channel, from, to);
}

void
odl_cpu_inverse_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (has_one_sample (work))
    copy_samples (work, channel, from, to);
  else if (work->step->wavelet->reversible)
    odl_cpu_inverse_whole (work, channel, from, to);
  else if (work->lifts)
    inverse_lifted (work, channel, from, to);
  else
    inverse_taps (work, channel, from, to);
}
