// SPDX-License-Identifier: MIT
// Code of the user's own that runs in a process of its own (filter/own/run.h).
#include "filter/own/run.h"
#include "engine/cpu/steps/work.h"

static void
put (const void *data, float *samples)
{
  const OdlCpuPicture *in = ((const OdlCpuWork *) data)->in[0];
  const int n = in->channels;

  for (int y = 0; y < in->height; y++)
    for (int c = 0; c < n; c++) {
      const float *from = odl_cpu_row (in, c, y);
      float *restrict to = samples + (size_t) y * (size_t) in->width * (size_t) n + c;
      for (int x = 0; x < in->width; x++)
        to[(size_t) x * (size_t) n] = from[x];
    }
}

static void
take (const void *data, const float *samples)
{
  const OdlCpuPicture *out = ((const OdlCpuWork *) data)->out;
  const int n = out->channels;

  for (int y = 0; y < out->height; y++)
    for (int c = 0; c < n; c++) {
      const float *from = samples + (size_t) y * (size_t) out->width * (size_t) n + c;
      float *restrict to = odl_cpu_row (out, c, y);
      for (int x = 0; x < out->width; x++)
        to[x] = from[(size_t) x * (size_t) n];
    }
}

void
odl_cpu_python_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlOwnRun run = { .code = work->step->code,
                          .values = work->step->parameters.values,
                          .width = work->out->width,
                          .height = work->out->height,
                          .channels = work->out->channels,
                          .progress = work->progress,
                          .put = put,
                          .take = take,
                          .data = work };

  (void) channel, (void) from, (void) to;
  if (work->failure != NULL && *work->failure == NULL)
    odl_own_run (&run, work->failure);
}
