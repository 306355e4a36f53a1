// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

// Of `side` rows, sample by sample.
static void
combine (const float *const rows[], int side, bool greatest, float *restrict out, int n)
{
  memcpy (out, rows[0], n * sizeof *out);
  for (int k = 1; k < side; k++) {
    const float *row = rows[k];
    if (greatest)
      for (int x = 0; x < n; x++)
        out[x] = row[x] > out[x] ? row[x] : out[x];
    else
      for (int x = 0; x < n; x++)
        out[x] = row[x] < out[x] ? row[x] : out[x];
  }
}

void
odl_cpu_morphology_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int side = work->step->side, radius = side / 2;
  const int width = work->out->width, height = work->out->height;
  const bool greatest = odl_step_value (work->step, "greatest") != 0;
  const float *rows[ODL_PLAN_MAX_SIDE];
  float line[ODL_CPU_SPAN + ODL_PLAN_MAX_SIDE];

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);
    if (work->step->axis == ODL_AXIS_Y) {
      for (int k = 0; k < side; k++)
        rows[k] = odl_cpu_row (work->in[0], channel,
                               odl_border_fold (y + k - radius, height));
      combine (rows, side, greatest, out, width);
      continue;
    }
    for (int k = 0; k < side; k++)
      rows[k] = line + k;
    for (int x = 0; x < width; x += ODL_CPU_SPAN) {
      const int count = MIN (ODL_CPU_SPAN, width - x);
      odl_cpu_copy_mirrored (odl_cpu_row (work->in[0], channel, y), width, x - radius,
                             x + count + radius, line);
      combine (rows, side, greatest, out + x, count);
    }
  }
}
