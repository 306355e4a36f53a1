// SPDX-License-Identifier: MIT
// Lines of samples, extended by what the border says, go round in a ring.
#include "engine/cpu/steps/work.h"

typedef struct {
  const OdlCpuPicture *in;
  const OdlStep *step;
  int channel;
  size_t length; // of a line
} Lines;

// Line `y` of the picture, which may lie outside of it.
static void
fill (const Lines *lines, int y, float *to)
{
  const OdlBorder border = lines->step->border;
  const int width = lines->in->width, radius = lines->step->kernel_width / 2;
  const int row = odl_border_index (border, y, lines->in->height);

  if (row < 0) {
    memset (to, 0, lines->length * sizeof *to);
    return;
  }
  const float *from = odl_cpu_row (lines->in, lines->channel, row);
  memcpy (to + radius, from, width * sizeof *to);
  for (int i = 1; i <= radius; i++) {
    const int before = odl_border_index (border, -i, width);
    const int after = odl_border_index (border, width - 1 + i, width);
    to[radius - i] = before < 0 ? 0 : from[before];
    to[radius + width - 1 + i] = after < 0 ? 0 : from[after];
  }
}

static void
turn (const OdlStep *step, float *turned)
{
  const int n = step->kernel_width * step->kernel_height;

  for (int k = 0; k < n; k++)
    turned[k] = step->parameters.kernel[n - 1 - k];
}

void
odl_cpu_convolve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int height = step->kernel_height, radius = height / 2;
  const int ring = height + ODL_CPU_CONVOLVE_ROWS - 1;
  const Lines lines
      = { work->in[0], step, channel,
          (size_t) work->out->width + step->kernel_width - 1 + ODL_CPU_SLACK };
  const float *at[ODL_PLAN_MAX_KERNEL + ODL_CPU_CONVOLVE_ROWS - 1];
  float *out[ODL_CPU_CONVOLVE_ROWS], turned[ODL_PLAN_MAX_KERNEL * ODL_PLAN_MAX_KERNEL];
  g_autofree float *memory = g_new0 (float, ring *lines.length);
  OdlCpuConvolution block = { at, turned, step->kernel_width, height, out };
  int filled = 0; // lines, of those from `from` − radius on

  turn (step, turned);
  block.n = work->out->width;
  for (int y = from; y < to; y += block.rows) {
    // Rows of one block share what they load; small kernels have too few lines for four.
    block.rows = MIN (to - y, height < ODL_CPU_CONVOLVE_ROWS ? 2 : ODL_CPU_CONVOLVE_ROWS);
    for (; filled < y - from + block.rows + height - 1; filled++)
      fill (&lines, from - radius + filled, memory + filled % ring * lines.length);
    for (int i = 0; i < block.rows + height - 1; i++)
      at[i] = memory + (y - from + i) % ring * lines.length;
    for (int r = 0; r < block.rows; r++)
      out[r] = odl_cpu_row (work->out, channel, y + r);
    work->variant->convolve (&block);
  }
}
