// SPDX-License-Identifier: MIT
// Code of the user's own that runs in a process of its own (filter/own/run.h).
#include "filter/own/run.h"
#include "engine/cpu/steps/work.h"

// Slices first … first + count − 1 of all that the step has.
typedef struct {
  const OdlCpuWork *work;
  int first, count;
} Slices;

// Where a row of a slice begins.
static size_t
place_of (const OdlCpuPicture *picture, int z, int y)
{
  const size_t row = (size_t) z * (size_t) picture->height + (size_t) y;

  return row * (size_t) picture->width * (size_t) picture->channels;
}

// A single picture stands for each slice.
static void
put (const void *data, int which, float *samples)
{
  const Slices *slices = data;
  const OdlCpuPicture *in = slices->work->in[which];
  const int n = in->channels;

  for (int z = 0; z < slices->count; z++)
    for (int y = 0; y < in->height; y++)
      for (int c = 0; c < n; c++) {
        const int slice = MIN (slices->first + z, MAX (in->depth, 1) - 1);
        const float *from = odl_cpu_row (in, slice * n + c, y);
        float *restrict to = samples + place_of (in, z, y) + c;
        for (int x = 0; x < in->width; x++)
          to[(size_t) x * (size_t) n] = from[x];
      }
}

static void
take (const void *data, const float *samples)
{
  const Slices *slices = data;
  const OdlCpuPicture *out = slices->work->out;
  const int n = out->channels;

  for (int z = 0; z < slices->count; z++)
    for (int y = 0; y < out->height; y++)
      for (int c = 0; c < n; c++) {
        const float *from = samples + place_of (out, z, y) + c;
        float *restrict to = odl_cpu_row (out, (slices->first + z) * n + c, y);
        for (int x = 0; x < out->width; x++)
          to[x] = odl_own_sample (from[(size_t) x * (size_t) n]);
      }
}

void
odl_cpu_python_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int depth = MAX (work->out->depth, 1);
  const bool whole = work->step->rule == 1;
  Slices slices = { .work = work, .count = whole ? depth : 1 };
  const OdlOwnRun run
      = { .code = work->step->code,
          .values = work->step->parameters.values,
          .width = work->out->width,
          .height = work->out->height,
          .depth = whole ? depth : 0,
          .channels = work->out->channels,
          .other_channels = work->in[1] != NULL ? work->in[1]->channels : 0,
          .progress = work->progress,
          .put = put,
          .take = take,
          .data = &slices };

  (void) channel, (void) from, (void) to;
  for (; slices.first < depth; slices.first += slices.count)
    if (work->failure == NULL || *work->failure != NULL
        || !odl_own_run (&run, work->failure))
      return;
}
