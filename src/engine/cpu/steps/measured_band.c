// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/measured_band.h"

#include <string.h>

#include "plan/numbers.h"
#include "wavelet/border.h"

// Of all samples along an axis those that are high, or low.
static void
take_half (int n, bool high, int *first, int *count)
{
  const int low = odl_low_count (n);

  *first = high ? low : 0;
  *count = high ? n - low : low;
}

OdlCpuBand
odl_cpu_band (const OdlCpuWork *work, int octant)
{
  const OdlCpuPicture *bands = work->in[0];
  OdlCpuBand band = { .work = work,
                      .width = bands->width,
                      .height = bands->height,
                      .planes = odl_cpu_planes (bands) };

  if (work->step->band > 0) {
    band.shift = odl_mask_shift (bands->width, bands->height, work->in[1]->width,
                                 work->in[1]->height);
  } else {
    take_half (bands->width, (octant & 1) != 0, &band.left, &band.width);
    take_half (bands->height, (octant & 2) != 0, &band.top, &band.height);
  }
  if (work->octants) {
    take_half (bands->depth, (octant & 4) != 0, &band.front, &band.planes);
    band.front *= bands->channels;
    band.planes *= bands->channels;
  }
  band.parts = CLAMP (band.height / 16, 1, ODL_CPU_BAND_PARTS);
  return band;
}

OdlCpuBandRow
odl_cpu_band_start (const OdlCpuBand *band)
{
  const size_t length = (size_t) band->width + ODL_CPU_SLACK;

  return (OdlCpuBandRow){ .wide = band->shift > 0 ? g_new0 (float, length) : NULL,
                          .y = -1 };
}

void
odl_cpu_band_end (OdlCpuBandRow *row)
{
  g_free (row->wide);
}

void
odl_cpu_band_go (OdlCpuBandRow *row, const OdlCpuBand *band, int plane, int y)
{
  const int mask_y = y >> band->shift;

  row->details
      = odl_cpu_row (band->work->in[0], band->front + plane, band->top + y) + band->left;
  if (band->work->in[1] == NULL)
    return;
  row->mask = odl_cpu_row (band->work->in[1], plane, mask_y);
  if (row->wide == NULL)
    return;
  if (row->plane != plane || row->y != mask_y)
    for (int x = 0; x < band->width; x++)
      row->wide[x] = row->mask[x >> band->shift];
  row->plane = plane;
  row->y = mask_y;
  row->mask = row->wide;
}

int
odl_cpu_band_first (const OdlCpuBand *band, int part)
{
  return band->height * part / band->parts;
}

// Sums of the squares of the rows about one of a band, in a window of `side` along y and
// z; samples are those of the band, mirrored `radius` beyond its ends.
static void
sum_rows (const OdlCpuBand *band, int plane, int y, int radius, float *sums)
{
  const int channels = band->work->in[0]->channels, depth = band->planes / channels;
  const int z = plane / channels, channel = plane % channels;

  memset (sums, 0, (size_t) (band->width + 2 * radius) * sizeof *sums);
  for (int dz = -radius; dz <= radius; dz++)
    for (int dy = -radius; dy <= radius; dy++) {
      const int from = odl_border_fold (z + dz, depth) * channels + channel;
      const float *row = odl_cpu_row (band->work->in[0], band->front + from,
                                      band->top + odl_border_fold (y + dy, band->height))
                         + band->left;
      for (int x = 0; x < band->width; x++)
        sums[radius + x] += row[x] * row[x];
    }
  for (int k = 1; k <= radius; k++) {
    sums[radius - k] = sums[radius + odl_border_fold (-k, band->width)];
    sums[radius + band->width - 1 + k]
        = sums[radius + odl_border_fold (band->width - 1 + k, band->width)];
  }
}

static void
shrink_row (const OdlCpuBand *band, int plane, int y, float threshold, float *sums)
{
  const int radius = band->work->step->side / 2;
  const float limit = threshold * threshold * (float) band->work->step->side;
  const float *in
      = odl_cpu_row (band->work->in[0], band->front + plane, band->top + y) + band->left;
  float *out
      = odl_cpu_row (band->work->out, band->front + plane, band->top + y) + band->left;

  sum_rows (band, plane, y, radius, sums);
  for (int x = 0; x < band->width; x++) {
    float squares = 0;
    for (int k = 0; k <= 2 * radius; k++)
      squares += sums[x + k];
    out[x] = squares > limit ? in[x] * (1 - limit / squares) : 0;
  }
}

void
odl_cpu_neighbour_rows (const OdlCpuWork *work, int plane, int from, int to)
{
  const OdlCpuPicture *bands = work->in[0];
  const int low_planes = odl_low_count (bands->depth) * bands->channels;
  const int deep = plane >= low_planes ? ODL_OCTANT_HIGH : 0;
  const float *numbers = odl_cpu_row (work->in[1], 0, 0);
  g_autofree float *sums = g_new (float, (size_t) bands->width + 2 * work->step->side);

  for (int o = 0; o < ODL_OCTANT_HIGH; o++) {
    const OdlCpuBand band = odl_cpu_band (work, deep + o);
    const int first = MAX (from - band.top, 0), last = MIN (to - band.top, band.height);
    for (int y = first; y < last && deep + o > 0 && band.width > 0; y++)
      shrink_row (&band, plane - band.front, y,
                  numbers[(deep + o - 1) * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD], sums);
  }
}
