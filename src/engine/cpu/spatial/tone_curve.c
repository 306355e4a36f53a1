// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"
#include "plan/tone.h"

#define LAST (ODL_TONE_POINTS - 1)

void
odl_cpu_tone_curve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  double slopes[ODL_TONE_POINTS];
  float points[ODL_TONE_POINTS], slope[ODL_TONE_POINTS];

  odl_tone_slopes (work->step->parameters.values, slopes);
  for (int i = 0; i < ODL_TONE_POINTS; i++) {
    points[i] = (float) work->step->parameters.values[i];
    slope[i] = (float) slopes[i];
  }
  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++) {
      const float place = f[x] * LAST;
      const float inside = place > 0 ? MIN (place, LAST) : 0; // of no number 0
      const int i = MIN ((int) inside, LAST - 1);
      const float t = inside - (float) i, rest = 1 - t;
      out[x] = rest * rest * ((1 + 2 * t) * points[i] + t * slope[i])
               + t * t * ((1 + 2 * rest) * points[i + 1] - rest * slope[i + 1])
               + (place - inside) * slope[place < 0 ? 0 : LAST];
    }
  }
}
