// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/window.h"

void
odl_cpu_lee_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float noise = (float) odl_step_value (work->step, "noise");
  const float speckle = (float) odl_step_value (work->step, "speckle");
  const float variance_share = (float) odl_step_value (work->step, "variance_share");
  const float mean_share = (float) odl_step_value (work->step, "mean_share");
  float mean[ODL_CPU_SPAN], variance[ODL_CPU_SPAN];

  for (int y = from; y < to; y++)
    for (int x = 0; x < work->out->width; x += ODL_CPU_SPAN) {
      const int count = MIN (ODL_CPU_SPAN, work->out->width - x);
      const float *f = odl_cpu_row (work->in[0], channel, y) + x;
      float *restrict out = odl_cpu_row (work->out, channel, y) + x;
      odl_cpu_local_statistics (work, channel, y, x, count, mean, variance);
      for (int i = 0; i < count; i++) {
        const float square = mean[i] * mean[i], v = variance[i];
        const float excess = v - (noise + speckle * square);
        const float k
            = excess > 0 ? excess / (variance_share * v + mean_share * square) : 0;
        out[i] = mean[i] + k * (f[i] - mean[i]);
      }
    }
}
