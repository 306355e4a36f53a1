// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/cpu/steps/work.h"
#include "plan/compression.h"

void
odl_cpu_log_compress_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float times = (float) odl_step_value (work->step, "times");
  const float slope = (float) odl_step_value (work->step, "slope");

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++) {
      const float amplitude = MAX (times * f[x], (float) ODL_LEAST_AMPLITUDE);
      const float one = 1 + slope * log2f (amplitude);
      out[x] = CLAMP (one, 0, 1);
    }
  }
}
