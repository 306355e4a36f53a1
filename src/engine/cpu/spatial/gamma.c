// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/cpu/steps/work.h"

void
odl_cpu_gamma_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float gamma = (float) odl_step_value (work->step, "gamma");

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = copysignf (powf (fabsf (f[x]), gamma), f[x]);
  }
}
