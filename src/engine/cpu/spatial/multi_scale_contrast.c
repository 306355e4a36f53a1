// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/clones.h"
#include "engine/cpu/kernels/power.h"
#include "engine/cpu/steps/work.h"

typedef struct {
  float ample, rest, gate;
} Curve;

ODL_ROW_LOOP
static void
amplify (const Curve *curve, const float *f, const float *g, float *restrict out, int n)
{
  const float ample = curve->ample, faint = ample / 32, rest = curve->rest;
  const float gate = curve->gate * curve->gate;

  for (int x = 0; x < n; x++) {
    const float d = f[x] - g[x], square = d * d, size = fabsf (d);
    const float gain = odl_cpu_power (ample / (size > faint ? size : faint), rest);
    const float all = square + gate;
    const float share = square / (all > 1e-30f ? all : 1e-30f);
    out[x] = g[x] + d * (1 + share * (gain - 1));
  }
}

void
odl_cpu_multi_scale_contrast_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const Curve curve = { (float) odl_step_value (work->step, "ample"),
                        (float) (1 - odl_step_value (work->step, "exponent")),
                        (float) odl_step_value (work->step, "gate") };

  for (int y = from; y < to; y++)
    amplify (&curve, odl_cpu_row (work->in[0], channel, y),
             odl_cpu_row (work->in[1], channel, y), odl_cpu_row (work->out, channel, y),
             work->out->width);
}
