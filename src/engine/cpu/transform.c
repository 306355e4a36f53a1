// SPDX-License-Identifier: MIT
// The forward and inverse steps: convolution with the taps of the wavelet table.
//
// Both directions have one shape. A signal in two phases a and b (even and odd samples,
// or low and high coefficients) is the interleaved z[2i] = a[i], z[2i + 1] = b[i]; output
// phase p at i is Σ taps[k] z[2i + p + k]. Whole-sample folding keeps the parity of an
// index, so each phase can be extended by itself.
#include "engine/cpu/work.h"

#include <string.h>

#include "wavelet/border.h"
#include "wavelet/transform.h"

// Pairs of samples of one pass along x, and columns of one pass along y: a kernel's lines
// stay in the first cache.
#define SPAN 512
#define REACH (ODL_WAVELET_MAX_TAPS + 1)

// A piece of the two phases with its surroundings.
typedef struct {
  float a[SPAN + 2 * REACH];
  float b[SPAN + 2 * REACH];
} Phases;

// How far the kernels reach before and after a pair, in pairs.
typedef struct {
  int before, after;
} Reach;

static Reach
reach_of (const OdlCpuTaps taps[2])
{
  Reach reach = { 0, 0 };

  for (int phase = 0; phase < 2; phase++) {
    int first = taps[phase].first + phase;
    int last = first + taps[phase].count - 1;

    reach.before = MAX (reach.before, -(first >> 1));
    reach.after = MAX (reach.after, last >> 1);
  }
  return reach;
}

// The lines that phase `phase` at pair `offset` of `phases` combines.
static void
point_rows (const OdlCpuTaps *taps,
            int phase,
            const Phases *phases,
            int offset,
            const float *rows[])
{
  for (int k = 0; k < taps->count; k++) {
    int at = taps->first + k + phase;

    rows[k] = ((at & 1) != 0 ? phases->b : phases->a) + offset + (at >> 1);
  }
}

// How a line holds the interleaved signal.
typedef float (*LineSample) (const float *line, int index, int n);

// Extends by folding what lies outside of the line: pairs first … end − 1 of n samples.
static void
fold_outside (Phases *phases,
              int first,
              int end,
              int n,
              LineSample sample,
              const float *line)
{
  for (int i = first; i < 0; i++) {
    phases->a[i - first] = sample (line, odl_border_fold (2 * i, n), n);
    phases->b[i - first] = sample (line, odl_border_fold (2 * i + 1, n), n);
  }
  for (int i = MAX (first, n / 2); i < end; i++) {
    phases->a[i - first] = sample (line, odl_border_fold (2 * i, n), n);
    phases->b[i - first] = sample (line, odl_border_fold (2 * i + 1, n), n);
  }
}

static float
sample_at (const float *line, int index, int n)
{
  return line[index];
}

static float
coefficient_at (const float *line, int index, int n)
{
  return line[(index & 1) != 0 ? odl_low_count (n) + (index >> 1) : index >> 1];
}

static void
split_samples (Phases *phases, const float *line, int first, int end, int n)
{
  int from = MAX (first, 0);
  int pairs = MIN (end, odl_high_count (n)) - from;

  if (pairs > 0)
    odl_cpu_split (line + 2 * from, phases->a + from - first, phases->b + from - first,
                   pairs);
  fold_outside (phases, first, end, n, sample_at, line);
}

static void
split_coefficients (Phases *phases, const float *line, int first, int end, int n)
{
  int from = MAX (first, 0);
  int low_end = MIN (end, odl_low_count (n)), high_end = MIN (end, odl_high_count (n));

  memcpy (phases->a + from - first, line + from, (low_end - from) * sizeof *line);
  if (high_end > from)
    memcpy (phases->b + from - first, line + odl_low_count (n) + from,
            (high_end - from) * sizeof *line);
  fold_outside (phases, first, end, n, coefficient_at, line);
}

static void
forward_line (const OdlCpuTaps taps[2], const float *line, float *out, int n)
{
  const float *rows[ODL_WAVELET_MAX_TAPS];
  Reach reach = reach_of (taps);
  Phases phases;
  int n_low = odl_low_count (n), n_high = odl_high_count (n);

  for (int from = 0; from < n_low; from += SPAN) {
    int count = MIN (n_low - from, SPAN);

    split_samples (&phases, line, from - reach.before, from + count + reach.after, n);
    point_rows (&taps[0], 0, &phases, reach.before, rows);
    odl_cpu_combine (&taps[0], rows, out + from, count);
    point_rows (&taps[1], 1, &phases, reach.before, rows);
    odl_cpu_combine (&taps[1], rows, out + n_low + from, MIN (count, n_high - from));
  }
}

static void
inverse_line (const OdlCpuTaps taps[2], const float *line, float *out, int n)
{
  const float *rows[ODL_WAVELET_MAX_TAPS];
  float even[SPAN], odd[SPAN];
  Reach reach = reach_of (taps);
  Phases phases;
  int n_low = odl_low_count (n), n_high = odl_high_count (n);

  for (int from = 0; from < n_low; from += SPAN) {
    int count = MIN (n_low - from, SPAN);
    int pairs = MIN (count, n_high - from);

    split_coefficients (&phases, line, from - reach.before, from + count + reach.after,
                        n);
    point_rows (&taps[0], 0, &phases, reach.before, rows);
    odl_cpu_combine (&taps[0], rows, even, count);
    point_rows (&taps[1], 1, &phases, reach.before, rows);
    odl_cpu_combine (&taps[1], rows, odd, pairs);
    odl_cpu_join (even, odd, out + 2 * from, pairs);
    if (pairs < count)
      out[n - 1] = even[count - 1];
  }
}

// Adds `columns` to the lines and combines them.
static void
combine_at (const OdlCpuTaps *taps,
            const float *const *rows,
            int column,
            float *out,
            int count)
{
  const float *moved[ODL_WAVELET_MAX_TAPS];

  for (int k = 0; k < taps->count; k++)
    moved[k] = rows[k] + column;
  odl_cpu_combine (taps, moved, out + column, count);
}

static void
forward_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  const float *rows[ODL_WAVELET_MAX_TAPS];
  int width = work->out->width, height = work->out->height;

  for (int column = 0; column < width; column += SPAN)
    for (int i = from; i < to; i++)
      for (int phase = 0; phase < 2; phase++) {
        const OdlCpuTaps *taps = &work->taps[phase];

        if (2 * i + phase >= height)
          continue;
        for (int k = 0; k < taps->count; k++)
          rows[k]
              = odl_cpu_row (work->in[0], channel,
                             odl_border_fold (2 * i + phase + taps->first + k, height));
        combine_at (
            taps, rows, column,
            odl_cpu_row (work->out, channel, phase == 0 ? i : odl_low_count (height) + i),
            MIN (width - column, SPAN));
      }
}

// The columns column … column + count − 1, whose low rows come from `approximation`.
static void
inverse_columns (const OdlCpuWork *work,
                 const OdlCpuPicture *approximation,
                 int channel,
                 int y,
                 int column,
                 int count)
{
  const OdlCpuTaps *taps = &work->taps[y & 1];
  const float *rows[ODL_WAVELET_MAX_TAPS];
  int height = work->out->height;

  for (int k = 0; k < taps->count; k++) {
    int z = odl_border_fold (y + taps->first + k, height);

    rows[k] = (z & 1) != 0
                  ? odl_cpu_row (work->in[1], channel, odl_low_count (height) + (z >> 1))
                  : odl_cpu_row (approximation, channel, z >> 1);
  }
  combine_at (taps, rows, column, odl_cpu_row (work->out, channel, y), count);
}

static void
inverse_pairs (const OdlCpuWork *work, int channel, int from, int to)
{
  int width = work->out->width, height = work->out->height;
  int n_low = odl_low_count (width);

  for (int column = 0; column < width;) {
    bool low = column < n_low;
    int count = MIN ((low ? n_low : width) - column, SPAN);

    for (int y = 2 * from; y < MIN (2 * to, height); y++)
      inverse_columns (work, low ? work->in[0] : work->in[1], channel, y, column, count);
    column += count;
  }
}

static void
copy_line (const float *line, float *out, int n)
{
  memcpy (out, line, n * sizeof *out);
}

void
odl_cpu_forward_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  int width = work->out->width;

  if (work->step->axis == ODL_AXIS_Y) {
    if (work->out->height > 1)
      forward_pairs (work, channel, from, to);
    else
      copy_line (odl_cpu_row (work->in[0], channel, 0),
                 odl_cpu_row (work->out, channel, 0), width);
    return;
  }
  for (int y = from; y < to; y++) {
    const float *line = odl_cpu_row (work->in[0], channel, y);
    float *out = odl_cpu_row (work->out, channel, y);

    if (width > 1)
      forward_line (work->taps, line, out, width);
    else
      copy_line (line, out, 1);
  }
}

// A single row: low and high along x stand beside each other already.
static void
inverse_single (const OdlCpuWork *work, int channel)
{
  int width = work->out->width, n_low = odl_low_count (width);
  float *out = odl_cpu_row (work->out, channel, 0);

  copy_line (odl_cpu_row (work->in[0], channel, 0), out, n_low);
  copy_line (odl_cpu_row (work->in[1], channel, 0) + n_low, out + n_low, width - n_low);
}

void
odl_cpu_inverse_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  int width = work->out->width;

  if (work->step->axis == ODL_AXIS_Y) {
    if (work->out->height > 1)
      inverse_pairs (work, channel, from, to);
    else
      inverse_single (work, channel);
    return;
  }
  for (int y = from; y < to; y++) {
    const float *line = odl_cpu_row (work->in[0], channel, y);
    float *out = odl_cpu_row (work->out, channel, y);

    if (width > 1)
      inverse_line (work->taps, line, out, width);
    else
      copy_line (line, out, 1);
  }
}
