// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"

static void
sharpen_line (const float *const rows[3],
              float *restrict out,
              int from,
              int to,
              int left,
              int right,
              float amount,
              float diagonal)
{
  const float *up = rows[0], *mid = rows[1], *down = rows[2];
  float centre = 4.0f + 4.0f * diagonal;

  for (int x = from; x < to; x++) {
    // Summed by pairs so that a flipped picture gives the same sums.
    float straight = (up[x] + down[x]) + (mid[x + left] + mid[x + right]);
    float corners = (up[x + left] + up[x + right]) + (down[x + left] + down[x + right]);
    out[x] = mid[x] - amount * (straight + diagonal * corners - centre * mid[x]);
  }
}

void
odl_cpu_sharpen_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  int width = work->out->width, height = work->out->height;
  float amount = (float) odl_step_value (work->step, "amount");
  float diagonal = odl_step_value (work->step, "neighbours") == 8 ? 1.0f : 0.0f;

  for (int y = from; y < to; y++) {
    const float *rows[3];
    float *out = odl_cpu_row (work->out, channel, y);

    for (int k = -1; k <= 1; k++)
      rows[k + 1] = odl_cpu_row (work->in[0], channel, odl_border_fold (y + k, height));
    if (width == 1) {
      sharpen_line (rows, out, 0, 1, 0, 0, amount, diagonal);
      continue;
    }
    // The sample beyond the border is the neighbour on the other side.
    sharpen_line (rows, out, 0, 1, 1, 1, amount, diagonal);
    sharpen_line (rows, out, 1, width - 1, -1, 1, amount, diagonal);
    sharpen_line (rows, out, width - 1, width, -1, -1, amount, diagonal);
  }
}
