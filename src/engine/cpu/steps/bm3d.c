// SPDX-License-Identifier: MIT
// Blocks that look alike, filtered together, as image/bm3d/bm3d.h and time.h say.
#include "engine/cpu/steps/work.h"

#include "image/bm3d/time.h"
#include "plan/numbers.h"
#include "plan/opponent.h"

// Of the step, or what was measured in this frame.
static double
sigma_of (const OdlCpuWork *work)
{
  const OdlCpuPicture *numbers = work->in[3];

  return numbers != NULL
             ? odl_noise_found ((double) odl_cpu_row (numbers, 0, 0)[ODL_NOISE_SIGMA])
             : work->step->parameters.sigma;
}

#define CHANNELS 3 // with the groups of the first one

void
odl_cpu_opponent_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int first = channel / CHANNELS * CHANNELS;
  float own[CHANNELS];

  for (int c = 0; c < CHANNELS; c++)
    own[c] = (float) odl_opponent (work->step->band == 1, channel - first, c);
  for (int y = from; y < to; y++) {
    const float *r = odl_cpu_row (work->in[0], first, y);
    const float *g = odl_cpu_row (work->in[0], first + 1, y);
    const float *b = odl_cpu_row (work->in[0], first + 2, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = own[0] * r[x] + own[1] * g[x] + own[2] * b[x];
  }
}

static size_t
plane_of (const OdlCpuPicture *picture)
{
  return odl_cpu_planes (picture) > 1
             ? (size_t) (odl_cpu_row (picture, 1, 0) - odl_cpu_row (picture, 0, 0))
             : 0;
}

void
odl_cpu_bm3d_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *in = work->in[0], *guide = work->in[1], *searched = work->in[2];
  const bool together = work->step->band == 1;
  const OdlBm3d bm3d = {
    .width = in->width,
    .height = in->height,
    .samples = odl_cpu_row (in, channel, 0),
    .pitch = in->pitch,
    .guide = guide != NULL ? odl_cpu_row (guide, channel, 0) : NULL,
    .guide_pitch = guide != NULL ? guide->pitch : 0,
    .channels = together ? CHANNELS : 1,
    .plane = plane_of (in),
    .guide_plane = guide != NULL ? plane_of (guide) : 0,
    .result_plane = plane_of (work->out),
    .sigma = sigma_of (work),
    .correlations = work->step->parameters.kernel,
    .searched = searched != NULL ? odl_cpu_row (searched, channel, 0) : NULL,
    .searched_pitch = searched != NULL ? searched->pitch : 0,
    .progress = work->progress,
    .pictures = odl_cpu_planes (work->out) / (together ? CHANNELS : 1),
    .effort = (OdlBm3dEffort) work->step->rule,
    .kernels = work->variant->bm3d,
  };

  (void) from, (void) to;
  if (together && channel % CHANNELS != 0)
    return; // with the first one
  if (!odl_bm3d_run (&bm3d, odl_cpu_row (work->out, channel, 0), work->out->pitch))
    odl_cpu_short_of_memory (work);
}

void
odl_cpu_bm3d_time_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int past = (int) odl_step_value (step, "past");
  const OdlCpuPicture *const *in = work->in + ODL_BM3D_PAST (step->side) - past;
  OdlBm3dTime time = {
    .frames = step->side,
    .width = work->out->width,
    .height = work->out->height,
    .pitch = in[0]->pitch,
    .past = past,
    .ahead = (int) odl_step_value (step, "ahead"),
    .sigma = step->parameters.sigma,
    .correlations = step->parameters.kernel,
    .progress = work->progress,
    .pictures = odl_cpu_planes (work->out),
    .effort = (OdlBm3dEffort) step->rule,
    .kernels = work->variant->bm3d,
  };

  (void) from, (void) to;
  for (int i = 0; i <= past + time.ahead; i++)
    time.samples[i] = odl_cpu_row (in[i], channel, 0);
  if (!odl_bm3d_time_run (&time, work->streams != NULL ? &work->streams[channel] : NULL,
                          odl_cpu_row (work->out, channel, 0), work->out->pitch))
    odl_cpu_short_of_memory (work);
}
