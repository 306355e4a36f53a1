// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

// A second picture of one channel stands for all.
void
odl_cpu_mix_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *second = work->in[1];
  const float weight = (float) work->step->parameters.weight, rest = 1 - weight;

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    const float *g
        = odl_cpu_row (second, odl_cpu_plane_beside (work, second, channel), y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = rest * f[x] + weight * g[x];
  }
}
