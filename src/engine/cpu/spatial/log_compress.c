// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/parallel.h"
#include "engine/cpu/steps/work.h"
#include "plan/compression.h"
#include "plan/numbers.h"

static float
peak_of (const OdlCpuPicture *in, int plane, int from, int to)
{
  float peak = 0;

  for (int c = plane * in->channels; c < (plane + 1) * in->channels; c++)
    for (int y = from; y < to; y++) {
      const float *f = odl_cpu_row (in, c, y);
      for (int x = 0; x < in->width; x++)
        peak = f[x] > peak ? f[x] : peak;
    }
  return peak;
}

// `slice`: numbers have one channel.
void
odl_cpu_peak_rows (const OdlCpuWork *work, int slice, int from, int to)
{
  const OdlCpuPicture *in = work->in[0];
  float *peaks = odl_cpu_row (work->out, slice, 0);

  (void) from, (void) to;
  ODL_PARALLEL_FOR
  for (int part = 0; part < ODL_PEAK_PARTS; part++)
    peaks[part] = peak_of (in, slice, odl_peak_row (part, in->height),
                           odl_peak_row (part + 1, in->height));
}

void
odl_cpu_log_compress_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float slope = (float) odl_step_value (work->step, "slope");
  float times = (float) odl_step_value (work->step, "times");

  if (work->in[1] != NULL)
    times /= odl_compression_reference (
        odl_cpu_row (work->in[1], channel / work->out->channels, 0));
  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++) {
      const float amplitude = MAX (times * f[x], (float) ODL_LEAST_AMPLITUDE);
      const float one = 1 + slope * log2f (amplitude);
      out[x] = CLAMP (one, 0, 1);
    }
  }
}
