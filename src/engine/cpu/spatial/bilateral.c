// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/window.h"

void
odl_cpu_bilateral_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuWeights weights = { .space = (float) odl_step_value (work->step, "space"),
                                  .range = (float) odl_step_value (work->step, "range") };

  odl_cpu_weigh_rows (work, &weights, channel, from, to);
}
