// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

// A row with one more sample at either end, and the shares of its samples that flow.
typedef struct {
  float *samples, *shares;
} Row;

static void
make_row (const OdlCpuWork *work,
          int channel,
          int y,
          const OdlCpuSpeckle *speckle,
          const Row *row)
{
  const int width = work->out->width, height = work->out->height;
  const OdlCpuPicture *in = work->in[0];
  const float *rows[3] = {
    odl_cpu_row (in, channel, MAX (y - 1, 0)),
    row->samples,
    odl_cpu_row (in, channel, MIN (y + 1, height - 1)),
  };

  odl_cpu_copy_extended (odl_cpu_row (in, channel, y), width, row->samples);
  work->variant->speckle_shares (speckle, rows, row->shares, width);
  row->shares[width] = row->shares[width - 1];
}

void
odl_cpu_srad_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int width = work->out->width, height = work->out->height;
  const OdlCpuSpeckle speckle = {
    .scale = (float) odl_step_value (work->step, "scale"),
    .floor = (float) odl_step_value (work->step, "floor"),
    .compressed = odl_step_value (work->step, "compressed") != 0,
  };
  const float rate = (float) odl_step_value (work->step, "rate");
  const size_t length = (size_t) width + 2 * ODL_CPU_SLACK;
  g_autofree float *lines = g_new0 (float, 4 * length);
  Row here = { lines + ODL_CPU_SLACK, lines + length + ODL_CPU_SLACK };
  Row below = { here.samples + 2 * length, here.shares + 2 * length };

  make_row (work, channel, from, &speckle, &here);
  for (int y = from; y < to; y++) {
    make_row (work, channel, MIN (y + 1, height - 1), &speckle, &below);
    const float *rows[3] = {
      odl_cpu_row (work->in[0], channel, MAX (y - 1, 0)),
      here.samples,
      below.samples,
    };
    work->variant->flow (rows, here.shares, below.shares, rate,
                         odl_cpu_row (work->out, channel, y), width);
    const Row next = below;
    below = here;
    here = next;
  }
}
