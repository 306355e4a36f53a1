// SPDX-License-Identifier: MIT
// The stationary transform, row by row. Every filter is one weighted sum of lines
// (OdlCpuVariant.combine): along y of rows of the picture, along x of one row that begins
// at several places.
#include "engine/cpu/steps/transform/transform.h"

#include <string.h>

#include "plan/numbers.h"
#include "wavelet/border.h"
#include "wavelet/transform.h"

// Columns that are summed and shrunk at once, in the fastest cache.
#define SPAN 1024

static int
n_reads (const OdlStep *step)
{
  return step->kind == ODL_STEP_STATIONARY_INVERSE ? 2 : 1;
}

OdlCpuTaps
odl_cpu_stationary_taps (const OdlStep *step)
{
  OdlCpuTaps all = odl_cpu_taps_of_wavelet (odl_step_taps (step, 0));

  for (int r = 1; r < n_reads (step); r++) {
    const OdlTaps *more = odl_step_taps (step, r);
    g_assert (all.count + more->count <= ODL_CPU_MAX_TAPS);
    for (int k = 0; k < more->count; k++)
      all.value[all.count++] = (float) more->value[k];
    all.symmetric = false;
  }
  return all;
}

// The sum of `rows`, shrunk.
static void
combine_row (const OdlCpuWork *work, const float *const *rows, float *out)
{
  const OdlStepParameters *own = &work->step->parameters;
  const OdlCpuTaps *taps = &work->taps[0];
  const int n = work->out->width;
  float sums[SPAN + ODL_CPU_SLACK];
  const float *here[ODL_CPU_MAX_TAPS];

  if (own->threshold <= 0) {
    work->variant->combine (taps, rows, out, n);
    return;
  }
  for (int x = 0; x < n; x += SPAN) {
    const int count = MIN (SPAN, n - x);
    for (int k = 0; k < taps->count; k++)
      here[k] = rows[k] + x;
    work->variant->combine (taps, here, sums, count);
    work->variant->shrink (sums, out + x, count, (float) own->threshold,
                           odl_step_shrinking (work->step));
  }
}

static void
stationary_rows_y (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int height = work->out->height;
  const float *rows[ODL_CPU_MAX_TAPS];

  for (int y = from; y < to; y++) {
    int n = 0;
    for (int r = 0; r < n_reads (step); r++) {
      const OdlTaps *taps = odl_step_taps (step, r);
      for (int k = 0; k < taps->count; k++) {
        const int at = y + (taps->first + k) * odl_step_spacing (step);
        rows[n++] = odl_cpu_row (work->in[r], channel,
                                 odl_border_index (step->border, at, height));
      }
    }
    combine_row (work, rows, odl_cpu_row (work->out, channel, y));
  }
}

// Writes samples −reach … n − 1 + reach of a line of n.
static void
extend (const float *line, int n, OdlBorder border, int reach, float *out)
{
  for (int i = 1; i <= reach; i++) {
    out[reach - i] = line[odl_border_index (border, -i, n)];
    out[reach + n - 1 + i] = line[odl_border_index (border, n - 1 + i, n)];
  }
  memcpy (out + reach, line, n * sizeof *out);
}

static void
stationary_rows_x (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int n = work->out->width, reach = odl_step_reach (step);
  const size_t length = (size_t) n + 2 * reach + ODL_CPU_SLACK;
  g_autofree float *lines = g_new0 (float, 2 * length);
  const float *rows[ODL_CPU_MAX_TAPS];
  int n_rows = 0;

  for (int r = 0; r < n_reads (step); r++)
    for (int k = 0; k < odl_step_taps (step, r)->count; k++)
      rows[n_rows++] = lines + r * length + reach
                       + (odl_step_taps (step, r)->first + k) * odl_step_spacing (step);
  for (int y = from; y < to; y++) {
    for (int r = 0; r < n_reads (step); r++)
      extend (odl_cpu_row (work->in[r], channel, y), n, step->border, reach,
              lines + r * length);
    combine_row (work, rows, odl_cpu_row (work->out, channel, y));
  }
}

void
odl_cpu_stationary_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_X)
    stationary_rows_x (work, channel, from, to);
  else
    stationary_rows_y (work, channel, from, to);
}

// Of `n` blocks in two rows of a band of the dual tree (wavelet/dual_tree.h).
static void
place_magnitudes (const float *upper,
                  const float *lower,
                  bool falling,
                  int n,
                  float *restrict out)
{
  const float sign = falling ? 1 : -1;

  for (int i = 0; i < n; i++) {
    const float re = upper[2 * i] + sign * lower[2 * i + 1];
    const float im = upper[2 * i + 1] - sign * lower[2 * i];
    out[i] = sqrtf ((re * re + im * im) / 2);
  }
}

void
odl_cpu_place_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int level = work->step->level;
  // A band of the dual tree has a block of two samples a side for each that is shown; one
  // of full size has 2^level, and shows what a decimated transform keeps.
  const bool dual = work->step->kind == ODL_STEP_DUAL_PLACE;
  const int shift = dual ? 0 : level - 1;
  const bool alone = dual && (work->step->rule & ODL_PLACE_ALONE) != 0;
  const int right = alone ? 0 : work->step->band % 2;
  const int below = alone ? 0 : work->step->band / 2;
  const int width = work->out->width, height = work->out->height;
  const int left = right * odl_level_size (width, level);
  const int top = below * odl_level_size (height, level);
  const int end = odl_level_size (width, level - right);
  const int bottom = odl_level_size (height, level - below);

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);

    memcpy (out, odl_cpu_row (work->in[0], channel, y), width * sizeof *out);
    if (y < top || y >= bottom)
      continue;
    const int row = (2 * (y - top) + (dual ? 0 : below)) << shift;
    const float *band = odl_cpu_row (work->in[1], channel, row);
    if (dual && work->step->band > 0)
      place_magnitudes (band, odl_cpu_row (work->in[1], channel, row + 1),
                        (work->step->rule & ODL_PLACE_FALLING) != 0, end - left,
                        out + left);
    else
      for (int x = left; x < end; x++)
        out[x] = band[(2 * (x - left) + (dual ? 0 : right)) << shift];
  }
}

// sums[i + reach], for i = −reach … n − 1 + reach: of the squares of a column of
// neighbours, mirrored at the borders.
static void
sum_columns (const OdlCpuWork *work, int channel, int y, int reach, float *sums)
{
  const int n = work->out->width, height = work->out->height;
  const int half = work->step->side / 2, spacing = 1 << work->step->level;

  memset (sums + reach, 0, n * sizeof *sums);
  for (int k = -half; k <= half; k++) {
    const float *row
        = odl_cpu_row (work->in[0], channel, odl_border_fold (y + k * spacing, height));
    for (int x = 0; x < n; x++)
      sums[reach + x] += row[x] * row[x];
  }
  for (int i = 1; i <= reach; i++) {
    sums[reach - i] = sums[reach + odl_border_fold (-i, n)];
    sums[reach + n - 1 + i] = sums[reach + odl_border_fold (n - 1 + i, n)];
  }
}

static void
shrink_by_neighbours (const OdlCpuWork *work,
                      int channel,
                      int from,
                      int to,
                      float threshold)
{
  const int n = work->out->width, reach = odl_step_reach (work->step);
  const int spacing = 1 << work->step->level;
  const float square = threshold * threshold;
  g_autofree float *sums = g_new (float, (size_t) n + 2 * reach);
  g_autofree float *around = g_new (float, n);

  for (int y = from; y < to; y++) {
    const float *in = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);
    sum_columns (work, channel, y, reach, sums);
    memcpy (around, sums, n * sizeof *around);
    for (int k = 1; k < work->step->side; k++)
      for (int x = 0; x < n; x++)
        around[x] += sums[x + k * spacing];
    for (int x = 0; x < n; x++)
      out[x] = around[x] > square ? in[x] * (1 - square / around[x]) : 0;
  }
}

void
odl_cpu_shrink_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float threshold = work->in[1] != NULL
                              ? odl_cpu_row (work->in[1], 0, 0)[ODL_BAND_THRESHOLD]
                              : (float) work->step->parameters.threshold;

  if (work->step->side > 0) {
    shrink_by_neighbours (work, channel, from, to, threshold);
    return;
  }

  for (int y = from; y < to; y++)
    work->variant->shrink (odl_cpu_row (work->in[0], channel, y),
                           odl_cpu_row (work->out, channel, y), work->out->width,
                           threshold, odl_step_shrinking (work->step));
}
