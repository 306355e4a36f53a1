// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

#include <math.h>

#include "base/clones.h"
#include "wavelet/border.h"
#include "wavelet/transform.h"

// Columns of a row that are worked on at a time, and the most about them.
enum { PART = 256, MOST_RADIUS = 4 };

// A row of a detail band: its columns left … left + width − 1 of the bands of a level.
typedef struct {
  int left, width, top, height;
} Band;

static Band
band_of (const OdlCpuPicture *picture, OdlDetailBand band)
{
  const int across = odl_low_count (picture->width);
  const int down = odl_low_count (picture->height);
  const bool right = band != ODL_BAND_LH, below = band != ODL_BAND_HL;

  return (Band){ right ? across : 0, right ? picture->width - across : across,
                 below ? down : 0, below ? picture->height - down : down };
}

ODL_ROW_LOOP
static void
add_squares (float *restrict sums, const float *row, int n)
{
  for (int i = 0; i < n; i++)
    sums[i] += row[i] * row[i];
}

// What is left of `f`: `squares` are those of the columns about it, from `radius` before
// it on.
ODL_ROW_LOOP
static void
shrink (const float *f,
        const float *squares,
        const float *parents,
        int side,
        float variance,
        float *restrict out,
        int n)
{
  const float share = 1 / (float) (side * side), root = sqrtf (3) * variance;

  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < side; k++)
      sum += squares[i + k];
    const float signal = sum * share - variance;
    const float length = sqrtf (f[i] * f[i] + parents[i] * parents[i]);
    const float rest = length - root / sqrtf (signal > 1e-30f ? signal : 1e-30f);
    const bool some = signal > 0 && rest > 0;
    out[i] = some ? f[i] * (rest / (some ? length : 1)) : 0;
  }
}

// The squares of the columns x … x + count − 1, mirrored where the band has none.
static void
sum_columns (const OdlCpuWork *work,
             int channel,
             const Band *band,
             int y,
             int x,
             int count,
             float *sums)
{
  const int radius = work->step->side / 2;
  const int first = MAX (x, 0), last = MIN (x + count, band->width);
  float line[PART + 2 * MOST_RADIUS];

  memset (sums, 0, (size_t) count * sizeof *sums);
  for (int k = -radius; k <= radius; k++) {
    const float *row
        = odl_cpu_row (work->in[0], channel,
                       band->top + odl_border_fold (y - band->top + k, band->height))
          + band->left;
    if (first == x && last == x + count) {
      add_squares (sums, row + x, count);
      continue;
    }
    for (int i = 0; i < count; i++)
      line[i] = row[odl_border_fold (x + i, band->width)];
    add_squares (sums, line, count);
  }
}

static void
shrink_row (const OdlCpuWork *work, int channel, OdlDetailBand number, int y)
{
  const OdlStepParameters *p = &work->step->parameters;
  const Band own = band_of (work->out, number), next = band_of (work->in[1], number);
  const float sigma = (float) p->thresholds[number], weight = (float) p->gains[number];
  const int radius = work->step->side / 2;
  const bool has_parents = next.width > 0 && next.height > 0;
  const float *above
      = has_parents ? odl_cpu_row (work->in[1], channel,
                                   next.top + MIN ((y - own.top) / 2, next.height - 1))
                          + next.left
                    : NULL;
  const float *row = odl_cpu_row (work->in[0], channel, y) + own.left;
  float *out = odl_cpu_row (work->out, channel, y) + own.left;
  float sums[PART + 2 * MOST_RADIUS], parents[PART] = { 0 };

  for (int x = 0; x < own.width; x += PART) {
    const int count = MIN (PART, own.width - x);
    for (int i = 0; i < count && has_parents; i++)
      parents[i] = weight * above[MIN ((x + i) / 2, next.width - 1)];
    sum_columns (work, channel, &own, y, x - radius, count + 2 * radius, sums);
    shrink (row + x, sums, parents, work->step->side, sigma * sigma, out + x, count);
  }
}

void
odl_cpu_bivariate_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  for (int y = from; y < to; y++) {
    const bool below = y >= odl_low_count (work->out->height);
    if (below)
      shrink_row (work, channel, ODL_BAND_LH, y);
    shrink_row (work, channel, below ? ODL_BAND_HH : ODL_BAND_HL, y);
  }
}
