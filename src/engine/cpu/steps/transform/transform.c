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

// ---- both phases ---------------------------------------------------------------------

// Samples that one phase or the other meets, from 2i + first on.
typedef struct {
  int first, count;
  int start[2]; // of either phase
} Window;

// How far the window reaches before and after a pair, in pairs.
typedef struct {
  int before, after;
} Reach;

#define MOST_ROWS (2 * (ODL_WAVELET_MAX_TAPS + 1))

static Window
window_of (const OdlCpuTaps taps[2])
{
  const int firsts[2] = { taps[0].first, taps[1].first + 1 };
  const int first = MIN (firsts[0], firsts[1]);
  const int end = MAX (firsts[0] + taps[0].count, firsts[1] + taps[1].count);

  return (Window){ first, end - first, { firsts[0] - first, firsts[1] - first } };
}

static Reach
reach_of (const Window *window)
{
  return (Reach){ MAX (0, -(window->first >> 1)),
                  MAX (0, (window->first + window->count - 1) >> 1) };
}

// counts[1] is counts[0] or less.
static void
combine_phases (const OdlCpuWork *work,
                const Window *window,
                const float *const *rows,
                float *const outs[2],
                const int counts[2])
{
  const OdlCpuTaps *taps = work->taps;
  const OdlCpuPairRows pair
      = { rows, window->count, { window->start[0], window->start[1] } };

  if (counts[0] == counts[1] && !taps[0].symmetric && !taps[1].symmetric) {
    work->variant->combine_two (taps, &pair, outs, counts[0]);
    return;
  }
  for (int phase = 0; phase < 2; phase++)
    work->variant->combine (&taps[phase], rows + window->start[phase], outs[phase],
                            counts[phase]);
}

// ---- along x -------------------------------------------------------------------------

// Pair 0 of what comes out is pair `offset` of `phases`.
static void
combine_pieces (const OdlCpuWork *work,
                const Window *window,
                const OdlCpuPhases *phases,
                int offset,
                float *const outs[2],
                const int counts[2])
{
  const float *rows[MOST_ROWS];

  for (int k = 0; k < window->count; k++) {
    const int at = window->first + k;

    rows[k] = ((at & 1) != 0 ? phases->b : phases->a) + offset + (at >> 1);
  }
  combine_phases (work, window, rows, outs, counts);
}

static void
forward_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const Window window = window_of (work->taps);
  const Reach reach = reach_of (&window);
  const int n_low = odl_low_count (shape.length), n_high = odl_high_count (shape.length);
  float *high = out + odl_low_count (n);
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);

    odl_cpu_split_samples (&shape, &phases, line, from - reach.before,
                           from + count + reach.after);
    combine_pieces (work, &window, &phases, reach.before,
                    (float *[]){ out + from, high + from },
                    (int[]){ count, MIN (count, n_high - from) });
  }
  if (shape.length < n)
    out[n / 2] = line[n - 1];
}

static void
inverse_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuShape shape = odl_cpu_shape (work, n);
  const Window window = window_of (work->taps);
  const Reach reach = reach_of (&window);
  const int n_low = odl_low_count (shape.length), n_high = odl_high_count (shape.length);
  float even[ODL_CPU_SPAN + ODL_CPU_SLACK], odd[ODL_CPU_SPAN + ODL_CPU_SLACK];
  OdlCpuPhases phases;

  for (int from = 0; from < n_low; from += ODL_CPU_SPAN) {
    const int count = MIN (n_low - from, ODL_CPU_SPAN);
    const int pairs = MIN (count, n_high - from);

    odl_cpu_split_coefficients (&shape, &phases, line, from - reach.before,
                                from + count + reach.after);
    combine_pieces (work, &window, &phases, reach.before, (float *[]){ even, odd },
                    (int[]){ count, pairs });
    work->variant->join (even, odd, out + 2 * from, pairs);
    if (pairs < count)
      out[n - 1] = even[count - 1];
  }
  if (shape.length < n)
    out[n - 1] = line[n / 2];
}

// ---- along y -------------------------------------------------------------------------

static void
forward_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height;
  const int length = odl_border_length (work->step->border, height);
  const Window window = window_of (work->taps);
  float *low = odl_cpu_row (work->out, channel, i) + column;
  const float *rows[MOST_ROWS];

  if (2 * i >= length) { // alone
    memcpy (low, odl_cpu_row (work->in[0], channel, 2 * i) + column, count * sizeof *low);
    return;
  }
  const bool both = 2 * i + 1 < height;
  float *high
      = both ? odl_cpu_row (work->out, channel, odl_low_count (height) + i) + column
             : low;
  for (int k = 0; k < window.count; k++) {
    const int y = odl_border_index (work->step->border, 2 * i + window.first + k, length);
    rows[k] = y < 0 ? zeros : odl_cpu_row (work->in[0], channel, y) + column;
  }
  combine_phases (work, &window, rows, (float *[]){ low, high },
                  (int[]){ count, both ? count : 0 });
}

static void
inverse_pair (const OdlCpuWork *work, int channel, int i, int column, int count)
{
  const int height = work->out->height;
  const int length = odl_border_length (work->step->border, height);
  const Window window = window_of (work->taps);
  float *even = odl_cpu_row (work->out, channel, 2 * i) + column;
  const float *rows[MOST_ROWS];

  if (2 * i >= length) { // alone
    memcpy (even, odl_cpu_coefficient_row (work, channel, 2 * i, column),
            count * sizeof *even);
    return;
  }
  const bool both = 2 * i + 1 < height;
  float *odd = both ? odl_cpu_row (work->out, channel, 2 * i + 1) + column : even;
  for (int k = 0; k < window.count; k++) {
    const int z = odl_border_index (work->step->border, 2 * i + window.first + k, length);
    rows[k] = z < 0 ? zeros : odl_cpu_coefficient_row (work, channel, z, column);
  }
  combine_phases (work, &window, rows, (float *[]){ even, odd },
                  (int[]){ count, both ? count : 0 });
}

// ---- steps ---------------------------------------------------------------------------

// Columns from `column` on that are worked on together: pieces up to `end` are alike.
static int
piece_of (int column, int end)
{
  const int pieces = (end - column + ODL_CPU_SPAN - 1) / ODL_CPU_SPAN;
  const int each = ((end - column) / pieces + 15) / 16 * 16;

  return pieces == 1 ? end - column : each;
}

static void
forward_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;

  for (int column = 0, count; column < width; column += count) {
    count = piece_of (column, width);
    for (int i = from; i < to; i++)
      forward_pair (work, channel, i, column, count);
  }
}

static void
inverse_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width;
  const int n_low = odl_low_count (width);

  for (int column = 0, count; column < width; column += count) {
    count = piece_of (column, column < n_low ? n_low : width);
    for (int i = from; i < to; i++)
      inverse_pair (work, channel, i, column, count);
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
