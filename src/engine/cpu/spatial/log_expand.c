// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/cpu/steps/work.h"

void
odl_cpu_log_expand_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float times = (float) odl_step_value (work->step, "times");
  const float slope = (float) odl_step_value (work->step, "slope");

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = times * exp2f (slope * (f[x] - 1));
  }
}
