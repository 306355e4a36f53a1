// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/window.h"

static void
make_gains (const OdlCpuWork *work, int channel, int y)
{
  const float eps = (float) odl_step_value (work->step, "eps");
  float mean[ODL_CPU_SPAN], variance[ODL_CPU_SPAN];

  for (int x = 0; x < work->out->width; x += ODL_CPU_SPAN) {
    const int count = MIN (ODL_CPU_SPAN, work->out->width - x);
    float *restrict out = odl_cpu_row (work->out, channel, y) + x;
    odl_cpu_local_statistics (work, channel, y, x, count, mean, variance);
    for (int i = 0; i < count; i++)
      out[i] = variance[i] > 0 ? variance[i] / (variance[i] + eps) : 0;
  }
}

static void
make_products (const OdlCpuWork *work, int channel, int y)
{
  const bool inverse = odl_step_value (work->step, "inverse") != 0;
  const float *f = odl_cpu_row (work->in[0], channel, y);
  const float *g = odl_cpu_row (work->in[1], channel, y);
  float *restrict out = odl_cpu_row (work->out, channel, y);

  for (int x = 0; x < work->out->width; x++)
    out[x] = 2 * f[x] * (inverse ? 1 - g[x] : g[x]);
}

void
odl_cpu_guided_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  for (int y = from; y < to; y++)
    if (work->step->side > 0)
      make_gains (work, channel, y);
    else
      make_products (work, channel, y);
}
