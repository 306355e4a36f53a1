// SPDX-License-Identifier: MIT
// Blocks that look alike, filtered together, as image/bm3d/bm3d.h says.
#include "engine/cpu/steps/work.h"

#include "image/bm3d/bm3d.h"

void
odl_cpu_bm3d_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *in = work->in[0], *guide = work->in[1];
  const OdlBm3d bm3d = {
    .width = in->width,
    .height = in->height,
    .samples = odl_cpu_row (in, channel, 0),
    .pitch = in->pitch,
    .guide = guide != NULL ? odl_cpu_row (guide, channel, 0) : NULL,
    .guide_pitch = guide != NULL ? guide->pitch : 0,
    .sigma = work->step->parameters.sigma,
    .progress = work->progress,
    .pictures = odl_cpu_planes (work->out),
    .effort = (OdlBm3dEffort) work->step->rule,
    .kernels = work->variant->bm3d,
  };

  (void) from, (void) to;
  if (!odl_bm3d_run (&bm3d, odl_cpu_row (work->out, channel, 0), work->out->pitch))
    odl_cpu_short_of_memory (work);
}
