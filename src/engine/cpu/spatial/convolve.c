// SPDX-License-Identifier: MIT
// Rows of the picture are read where they are. What lies about its left and right end, as
// the border has it, is put together for some columns, and rows of zeros are one row.
#include "engine/cpu/steps/work.h"

// Columns at either end: vectors of the others, with what a kernel reaches, end in the
// row.
#define EDGE 32

// Rows up to that width are copied, which is cheaper than ends apart: 1.6 times as fast
// with 3³ coefficients at 128³, 15 % slower at 2048².
#define MOST_WHOLE 256

// Lines that a block of rows needs of all slices, at most.
#define MOST_LINES \
  (ODL_PLAN_MAX_KERNEL * (ODL_PLAN_MAX_KERNEL + ODL_CPU_CONVOLVE_ROWS - 1))

typedef struct {
  const OdlCpuWork *work;
  const OdlCpuPicture *in;
  const OdlStep *step; // the first of a bank
  int n_kernels;
  int coefficients; // of each
  int channel;
  float *turned; // the kernels
  float *zeros; // a row
  float *edge; // room for the lines about an end
  size_t length; // of one of them
  const float *rows[MOST_LINES]; // those that the kernel meets
} Convolution;

// Samples first … end − 1 of a row that lie outside of it.
static void
extend (const Convolution *c, const float *row, int first, int end, float *to)
{
  for (int x = first; x < end; x++) {
    const int at = odl_border_index (c->step->border, x, c->in->width);
    to[x - first] = at < 0 ? 0 : row[at];
  }
}

// Samples first … end − 1 of a row, which may lie outside of it.
static void
copy_row (const Convolution *c, const float *row, int first, int end, float *to)
{
  const int from = MAX (first, 0), inside = MIN (end, c->in->width);

  extend (c, row, first, from, to);
  memcpy (to + from - first, row + from, (inside - from) * sizeof *to);
  extend (c, row, inside, end, to + inside - first);
}

static const OdlCpuPicture *
result_of (const Convolution *c, int kernel)
{
  return kernel == 0 ? c->work->out : &c->work->pictures[c->step[kernel].writes];
}

// Columns first … end − 1 of some rows.
static void
convolve_columns (const Convolution *c,
                  const OdlCpuVariant *variant,
                  int y,
                  int n_rows,
                  int first,
                  int end)
{
  const OdlStep *step = c->step;
  const int radius = step->kernel_width / 2;
  const int n_lines = step->kernel_depth * (n_rows + step->kernel_height - 1);
  const float *lines[MOST_LINES];
  float *out[ODL_CPU_CONVOLVE_ROWS];
  const bool inside = first >= EDGE && end <= c->in->width - EDGE;
  OdlCpuConvolution block = {
    .lines = lines,
    .width = step->kernel_width,
    .height = step->kernel_height,
    .depth = step->kernel_depth,
    .out = out,
    .rows = n_rows,
    .n = end - first,
  };

  for (int i = 0; i < n_lines; i++) {
    float *line = c->edge + i * c->length;
    lines[i] = inside ? c->rows[i] + first - radius : line;
    if (!inside)
      copy_row (c, c->rows[i], first - radius, end + radius, line);
  }
  for (int k = 0; k < c->n_kernels; k++) {
    block.kernel = c->turned + (size_t) k * c->coefficients;
    for (int r = 0; r < n_rows; r++)
      out[r] = odl_cpu_row (result_of (c, k), c->channel, y + r) + first;
    variant->convolve (&block);
  }
}

// The rows that the kernel meets about rows y … y + n_rows − 1, slice by slice.
static void
find_rows (Convolution *c, int y, int n_rows)
{
  const OdlStep *step = c->step;
  const int channels = c->in->channels, height = n_rows + step->kernel_height - 1;
  const int depth = MAX (c->in->depth, 1);

  for (int k = 0; k < step->kernel_depth; k++) {
    const int z = odl_border_index (
        step->border, c->channel / channels + k - step->kernel_depth / 2, depth);
    for (int i = 0; i < height; i++) {
      const int row = odl_border_index (step->border, y + i - step->kernel_height / 2,
                                        c->in->height);
      c->rows[k * height + i]
          = z < 0 || row < 0
                ? c->zeros
                : odl_cpu_row (c->in, z * channels + c->channel % channels, row);
    }
  }
}

void
odl_cpu_convolve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStep *step = work->step;
  const int width = work->out->width;
  const int n = step->kernel_width * step->kernel_height * step->kernel_depth;
  const int n_kernels = MAX (work->bank, 1);
  const bool whole = width <= MOST_WHOLE;
  const int most = step->kernel_depth * (step->kernel_height + ODL_CPU_CONVOLVE_ROWS - 1);
  g_autofree float *zeros = g_new0 (float, (size_t) width + ODL_CPU_SLACK);
  g_autofree float *turned = g_new (float, (size_t) n_kernels *n);
  Convolution c = { .work = work,
                    .in = work->in[0],
                    .step = step,
                    .n_kernels = n_kernels,
                    .coefficients = n,
                    .channel = channel,
                    .turned = turned,
                    .zeros = zeros };

  c.length = (size_t) (whole ? width : EDGE) + step->kernel_width + ODL_CPU_SLACK;
  g_autofree float *edge = c.edge = g_new0 (float, most *c.length);
  for (int k = 0; k < n_kernels; k++)
    for (int i = 0; i < n; i++)
      turned[k * n + i] = step[k].parameters.kernel[n - 1 - i];
  for (int y = from; y < to; y += ODL_CPU_CONVOLVE_ROWS) {
    const int n_rows = MIN (to - y, ODL_CPU_CONVOLVE_ROWS);
    const int left = whole ? 0 : EDGE, right = whole ? 0 : width - EDGE;
    find_rows (&c, y, n_rows);
    convolve_columns (&c, work->variant, y, n_rows, 0, whole ? width : left);
    if (whole)
      continue;
    convolve_columns (&c, work->variant, y, n_rows, left, right);
    convolve_columns (&c, work->variant, y, n_rows, right, width);
  }
}
