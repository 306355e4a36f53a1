// SPDX-License-Identifier: MIT
// Rows of the picture are read where they are. What lies about its left and right end, as
// the border has it, is put together for some columns, and rows of zeros are one row.
#include "engine/cpu/steps/work.h"

// Columns at either end: vectors of the others, with what a kernel reaches, end in the
// row.
#define EDGE 32

typedef struct {
  const OdlCpuPicture *in, *out;
  const OdlStep *step;
  int channel;
  float turned[ODL_PLAN_MAX_KERNEL * ODL_PLAN_MAX_KERNEL];
  float *edge; // room for the lines about an end
  size_t length; // of one of them
} Convolution;

// Samples first … first + n − 1 of a row, which may lie outside of it.
static void
extend (const Convolution *c, const float *row, int first, int n, float *to)
{
  const int width = c->in->width;
  const int from = MAX (first, 0), end = MIN (first + n, width);

  memcpy (to + from - first, row + from, (end - from) * sizeof *to);
  for (int i = 0; i < n; i++)
    if (first + i < from || first + i >= end) {
      const int at = odl_border_index (c->step->border, first + i, width);
      to[i] = at < 0 ? 0 : row[at];
    }
}

// Columns first … end − 1 of some rows; `rows` are those that the kernel meets.
static void
convolve_columns (const Convolution *c,
                  const OdlCpuVariant *variant,
                  const float *const *rows,
                  int y,
                  int n_rows,
                  int first,
                  int end)
{
  const OdlStep *step = c->step;
  const int radius = step->kernel_width / 2;
  const float *lines[ODL_PLAN_MAX_KERNEL + ODL_CPU_CONVOLVE_ROWS - 1];
  float *out[ODL_CPU_CONVOLVE_ROWS];
  const bool inside = first >= EDGE && end <= c->in->width - EDGE;
  const OdlCpuConvolution block
      = { lines, c->turned, step->kernel_width, step->kernel_height,
          out,   n_rows,    end - first };

  for (int i = 0; i < n_rows + step->kernel_height - 1; i++) {
    float *line = c->edge + i * c->length;
    lines[i] = inside ? rows[i] + first - radius : line;
    if (!inside)
      extend (c, rows[i], first - radius, end - first + 2 * radius, line);
  }
  for (int r = 0; r < n_rows; r++)
    out[r] = odl_cpu_row (c->out, c->channel, y + r) + first;
  variant->convolve (&block);
}

void
odl_cpu_convolve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int height = step->kernel_height, width = work->out->width;
  const int n = step->kernel_width * height;
  const bool whole = width <= 4 * EDGE;
  const int most = height + ODL_CPU_CONVOLVE_ROWS - 1;
  const float *rows[ODL_PLAN_MAX_KERNEL + ODL_CPU_CONVOLVE_ROWS - 1];
  g_autofree float *zeros = g_new0 (float, (size_t) width + ODL_CPU_SLACK);
  Convolution c
      = { .in = work->in[0], .out = work->out, .step = step, .channel = channel };

  c.length = (size_t) (whole ? width : EDGE) + step->kernel_width + ODL_CPU_SLACK;
  g_autofree float *edge = c.edge = g_new0 (float, most *c.length);
  for (int k = 0; k < n; k++)
    c.turned[k] = step->parameters.kernel[n - 1 - k];
  for (int y = from; y < to; y += ODL_CPU_CONVOLVE_ROWS) {
    const int n_rows = MIN (to - y, ODL_CPU_CONVOLVE_ROWS);
    for (int i = 0; i < n_rows + height - 1; i++) {
      const int row = odl_border_index (step->border, y + i - height / 2, c.in->height);
      rows[i] = row < 0 ? zeros : odl_cpu_row (c.in, channel, row);
    }
    const int left = whole ? 0 : EDGE, right = whole ? 0 : width - EDGE;
    convolve_columns (&c, work->variant, rows, y, n_rows, 0, whole ? width : left);
    if (whole)
      continue;
    convolve_columns (&c, work->variant, rows, y, n_rows, left, right);
    convolve_columns (&c, work->variant, rows, y, n_rows, right, width);
  }
}
