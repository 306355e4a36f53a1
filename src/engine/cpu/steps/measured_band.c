// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/measured_band.h"

#include "plan/numbers.h"

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
