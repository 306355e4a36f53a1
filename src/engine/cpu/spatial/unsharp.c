// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

void
odl_cpu_unsharp_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float amount = (float) odl_step_value (work->step, "amount");
  const float threshold = (float) odl_step_value (work->step, "threshold");

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g = odl_cpu_row (work->in[1], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++) {
      const float d = f[x] - g[x];
      out[x] = f[x] + amount * (d - CLAMP (d, -threshold, threshold));
    }
  }
}
