// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/cpu/steps/work.h"

void
odl_cpu_multi_scale_contrast_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float ample = (float) odl_step_value (work->step, "ample"), faint = ample / 32;
  const float rest = (float) (1 - odl_step_value (work->step, "exponent"));
  const float gate = (float) odl_step_value (work->step, "gate");

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g = odl_cpu_row (work->in[1], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++) {
      const float d = f[x] - g[x], square = d * d;
      const float gain = powf (ample / fmaxf (fabsf (d), faint), rest);
      const float share = square / fmaxf (square + gate * gate, 1e-30f);
      out[x] = g[x] + d * (1 + share * (gain - 1));
    }
  }
}
