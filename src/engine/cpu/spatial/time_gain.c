// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"
#include "plan/depth_gain.h"

void
odl_cpu_time_gain_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double share = odl_step_value (work->step, "share");

  for (int y = from; y < to; y++) {
    const double gain
        = odl_depth_gain (work->step->parameters.values, y, work->out->height);
    const float more = (float) (gain * share);
    const float times = share == 0 ? (float) pow (10, gain / 20) : 1;
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = times * f[x] + more * CLAMP (f[x] * (float) (1 / ODL_DEPTH_FOOT), 0, 1);
  }
}
