// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

// Where a row of a band lies in a row of all.
static int
column_of (const OdlCpuPicture *bands, int band)
{
  return band % 2 == 1 ? odl_low_count (bands->width) : 0;
}

void
odl_cpu_band_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *bands = work->in[0], *out = work->out;
  const int top = work->step->band / 2 == 1 ? odl_low_count (bands->height) : 0;

  for (int y = from; y < to; y++)
    memcpy (odl_cpu_row (out, channel, y),
            odl_cpu_row (bands, channel, top + y) + column_of (bands, work->step->band),
            out->width * sizeof (float));
}

void
odl_cpu_join_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *out = work->out;
  const int n_low = odl_low_count (out->height);

  for (int y = from; y < to; y++)
    for (int right = 0; right < 2; right++) {
      const int band = right + (y >= n_low ? 2 : 0);
      const OdlCpuPicture *in = work->in[band];
      if (in != NULL)
        memcpy (odl_cpu_row (out, channel, y) + column_of (out, band),
                odl_cpu_row (in, channel, y >= n_low ? y - n_low : y),
                in->width * sizeof (float));
    }
}

// Where the sample at `at` of a line comes from; −1: it is 0.
static int
source_of (OdlBorder border, int at, int by, int n)
{
  const int length = odl_border_length (border, n);

  if (border == ODL_BORDER_PERIODIC && at >= length)
    return at;
  return odl_border_index (border, at - by, border == ODL_BORDER_PERIODIC ? length : n);
}

// The columns between `first` and `end` come from as many side by side.
void
odl_cpu_shift_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const OdlCpuPicture *in = work->in[0], *sum = work->in[1];
  const int dx = (int) step->parameters.values[0], dy = (int) step->parameters.values[1];
  const float weight = (float) step->parameters.weight;
  const int width = work->out->width;
  const int first = CLAMP (dx, 0, width), end = CLAMP (in->width + dx, first, width);
  const bool adds = sum != NULL || weight != 1;
  g_autofree float *room = adds ? g_new (float, width) : NULL;

  for (int y = from; y < to; y++) {
    const int sy = source_of (step->border, y, dy, in->height);
    float *restrict out = odl_cpu_row (work->out, channel, y);
    float *moved = adds ? room : out;
    if (sy < 0) {
      memset (moved, 0, width * sizeof *moved);
    } else {
      const float *row = odl_cpu_row (in, channel, sy);
      const int stop = step->border == ODL_BORDER_PERIODIC ? first : end;
      for (int x = 0; x < width; x++) {
        if (x == first && stop > first) {
          memcpy (moved + first, row + first - dx, (stop - first) * sizeof *moved);
          x = stop - 1;
          continue;
        }
        const int sx = source_of (step->border, x, dx, in->width);
        moved[x] = sx < 0 ? 0 : row[sx];
      }
    }
    const float *before = sum != NULL ? odl_cpu_row (sum, channel, y) : NULL;
    for (int x = 0; adds && x < width; x++)
      out[x] = (before != NULL ? before[x] : 0) + weight * moved[x];
  }
}
