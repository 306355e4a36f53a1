// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/bands.h"

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
