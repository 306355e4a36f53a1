// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/cpu/steps/work.h"
#include "plan/detail_curve.h"

// As a sum of bends: from each point on another slope.
void
odl_cpu_detail_curve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double *values = work->step->parameters.values;
  const float threshold = (float) values[0];
  float bends[ODL_CURVE_POINTS], at[ODL_CURVE_POINTS], slope = 0;

  for (int i = 0; i < ODL_CURVE_POINTS; i++) {
    const double before = i == 0 ? 0 : values[i];
    const float next
        = i + 1 < ODL_CURVE_POINTS
              ? (float) ((values[i + 1] - before)
                         / (odl_detail_curve_at[i + 1] - odl_detail_curve_at[i]))
              : 1;
    bends[i] = next - slope;
    at[i] = (float) odl_detail_curve_at[i] * threshold;
    slope = next;
  }
  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    if (!(threshold > 0)) {
      memcpy (out, f, work->out->width * sizeof *out);
      continue;
    }
    for (int x = 0; x < work->out->width; x++) {
      const float size = fabsf (f[x]);
      float sum = 0;
      for (int i = 0; i < ODL_CURVE_POINTS; i++)
        sum += bends[i] * (size > at[i] ? size - at[i] : 0);
      out[x] = copysignf (sum, f[x]);
    }
  }
}
