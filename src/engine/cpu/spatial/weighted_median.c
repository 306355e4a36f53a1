// SPDX-License-Identifier: MIT
// A piece of each of the window's rows, with its surroundings.
#include "engine/cpu/steps/work.h"

void
odl_cpu_weighted_median_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  enum { MOST = ODL_PLAN_MAX_KERNEL, PIECE = ODL_CPU_SPAN + MOST - 1 + ODL_CPU_SLACK };
  const OdlStep *step = work->step;
  const int width = work->out->width, height = work->out->height;
  const int across = step->kernel_width / 2, down = step->kernel_height / 2;
  const float half = (float) odl_step_value (step, "half");
  float lines[MOST][PIECE] = { 0 };
  const float *window[MOST * MOST];
  const int n = step->kernel_width * step->kernel_height;

  for (int k = 0; k < n; k++)
    window[k] = lines[k / step->kernel_width] + k % step->kernel_width;
  for (int y = from; y < to; y++)
    for (int x = 0; x < width; x += ODL_CPU_SPAN) {
      const int count = MIN (ODL_CPU_SPAN, width - x);
      for (int k = 0; k < step->kernel_height; k++)
        odl_cpu_copy_mirrored (
            odl_cpu_row (work->in[0], channel, odl_border_fold (y + k - down, height)),
            width, x - across, x + count + across, lines[k]);
      work->variant->weighted_median (window, step->parameters.kernel, n, half,
                                      odl_cpu_row (work->out, channel, y) + x, count);
    }
}
