// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

void
odl_cpu_diffusion_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, height = work->out->height;
  const OdlCpuDiffusion diffusion = {
    .rate = (float) odl_step_value (work->step, "rate"),
    .sharpness = (float) odl_step_value (work->step, "sharpness"),
    .rational = odl_step_value (work->step, "rational") != 0,
  };
  g_autofree float *line = g_new0 (float, (size_t) width + 2 * ODL_CPU_SLACK);
  float *middle = line + ODL_CPU_SLACK;

  for (int y = from; y < to; y++) {
    const float *rows[3];
    for (int k = -1; k <= 1; k++)
      rows[k + 1] = odl_cpu_row (work->in[0], channel, CLAMP (y + k, 0, height - 1));
    odl_cpu_copy_extended (rows[1], width, middle);
    rows[1] = middle;
    work->variant->diffuse (&diffusion, rows, odl_cpu_row (work->out, channel, y), width);
  }
}
