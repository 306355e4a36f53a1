// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/cpu/steps/work.h"
#include "plan/hilbert.h"

// Columns of a row that are made together: the sum of their taps stays in the cache.
#define SPAN 128

typedef struct {
  const OdlCpuWork *work;
  int channel;
  float zero;
  float taps[ODL_HILBERT_MOST / 2 + 1];
} Lines;

static const float *
mirrored_row (const Lines *l, int y)
{
  const OdlCpuPicture *in = l->work->in[0];

  return odl_cpu_row (in, l->channel, odl_border_fold (y, in->height));
}

// Columns from … from + n − 1 of row y.
static void
span (const Lines *l, int y, int from, int n)
{
  const float *f = mirrored_row (l, y) + from;
  float *restrict out = odl_cpu_row (l->work->out, l->channel, y) + from;
  float turned[SPAN] = { 0 };

  for (int k = 1; k <= l->work->step->side / 2; k += 2) {
    const float *before = mirrored_row (l, y - k) + from;
    const float *behind = mirrored_row (l, y + k) + from;
    for (int x = 0; x < n; x++)
      turned[x] += l->taps[k] * (before[x] - behind[x]);
  }
  for (int x = 0; x < n; x++) {
    const float own = f[x] - l->zero;
    out[x] = sqrtf (own * own + turned[x] * turned[x]);
  }
}

void
odl_cpu_envelope_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int length = work->step->side, width = work->out->width;
  Lines lines = { .work = work,
                  .channel = channel,
                  .zero = (float) odl_step_value (work->step, "zero") };

  for (int k = 1; k <= length / 2; k += 2)
    lines.taps[k] = (float) odl_hilbert_tap (length, k);
  for (int y = from; y < to; y++)
    for (int x = 0; x < width; x += SPAN)
      span (&lines, y, x, MIN (SPAN, width - x));
}
