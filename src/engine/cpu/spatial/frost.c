// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/window.h"

// Without damping all weights are 1, as with neither space nor range.
void
odl_cpu_frost_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuWeights weights
      = { .damping = (float) odl_step_value (work->step, "damping") };

  odl_cpu_weigh_rows (work, &weights, channel, from, to);
}
