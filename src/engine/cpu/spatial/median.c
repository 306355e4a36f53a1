// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/median_large.h"

// A piece of each of the window's rows, with its surroundings, in a ring: the next row of
// the result needs one line more. The order of samples does not change the median.
void
odl_cpu_median_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  enum { PIECE = ODL_CPU_SPAN + ODL_PLAN_MAX_SIDE - 1 + ODL_CPU_SLACK };
  G_STATIC_ASSERT (ODL_CPU_SPAN <= ODL_CPU_SQUARES);
  const int side = work->step->side, radius = side / 2;
  const int width = work->out->width, height = work->out->height;
  float lines[ODL_PLAN_MAX_SIDE][PIECE];
  const float *window[ODL_PLAN_MAX_SIDE * ODL_PLAN_MAX_SIDE];
  const float *columns[ODL_PLAN_MAX_SIDE];

  if (odl_cpu_median_is_large (work->step)
      && odl_cpu_median_large_rows (work, channel, from, to))
    return;
  for (int k = 0; k < side; k++)
    columns[k] = lines[k];
  for (int k = 0; k < side * side; k++)
    window[k] = lines[k / side] + k % side;
  for (int x = 0; x < width; x += ODL_CPU_SPAN) {
    const int count = MIN (ODL_CPU_SPAN, width - x);
    for (int y = from - 2 * radius; y < to; y++) { // the result's row, once all are there
      const int ahead = y + radius;
      const int place = (ahead % side + side) % side;
      const float *line
          = odl_cpu_row (work->in[0], channel, odl_border_fold (ahead, height));
      odl_cpu_copy_mirrored (line, width, x - radius, x + count + radius, lines[place]);
      float *out = odl_cpu_row (work->out, channel, y) + x;
      if (y >= from && side <= 5)
        work->variant->median_square (columns, side, out, count);
      else if (y >= from)
        work->variant->median (window, side * side, out, count);
    }
  }
}
