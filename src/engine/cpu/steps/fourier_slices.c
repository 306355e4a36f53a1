// SPDX-License-Identifier: MIT
// The picture is taken apart into blocks, which overlap by what the kernel reaches
// (overlap-save: T. Stockham, "High-speed convolution and correlation", AFIPS 1966). Two
// blocks are transformed as one, since samples are real: the first one is the real part,
// the second one the imaginary part, and a real kernel keeps them apart. Sample x of a
// block is point x of its transform, those before it are the last points, so that a
// kernel about its middle moves nothing.
#include "engine/cpu/steps/fourier_slices.h"

// Samples of a block along x and y at most. Its slices stay in the second cache.
#define MOST_SIDE 288

// Bytes of a block's points at most: volumes go in more slabs instead.
#define MOST_BYTES ((size_t) 512 << 20)

// ---- shape ----

int
odl_cpu_fourier_points_of (int n, int radius)
{
  return odl_cpu_fourier_points (n + 2 * radius);
}

static OdlCpuFourierAxis
make_axis (int whole, int side, int blocks)
{
  return (OdlCpuFourierAxis){ .whole = whole,
                              .blocks = blocks,
                              .n = odl_cpu_divide_up (whole, blocks),
                              .radius = side / 2 };
}

// Floats of a row of points: an odd number of vectors, so that columns do not meet in
// the cache.
static size_t
row_pitch (int points, int lines)
{
  return 2 * (size_t) lines * (odl_cpu_divide_up (points, lines) | 1);
}

static void
find_size (OdlCpuConvolver *c)
{
  c->rows = odl_cpu_divide_up (
                odl_cpu_fourier_points_of (c->axis[1].n, c->axis[1].radius), c->lines)
            * c->lines;
  c->pitch
      = row_pitch (odl_cpu_fourier_points_of (c->axis[0].n, c->axis[0].radius), c->lines);
  c->slice = c->pitch * (size_t) c->rows;
}

size_t
odl_cpu_fourier_count (const OdlCpuConvolver *c)
{
  const OdlCpuFourierAxis *z = &c->axis[2];

  return c->slice * (size_t) (c->deep ? odl_cpu_fourier_points_of (z->n, z->radius) : 1);
}

void
odl_cpu_fourier_shape (OdlCpuConvolver *c, const OdlCpuWork *work)
{
  const OdlStep *step = work->step;
  const OdlCpuPicture *out = work->out;
  const int depth = MAX (out->depth, 1);

  *c = (OdlCpuConvolver){ .work = work,
                          .variant = work->variant,
                          .lines = work->variant->lines,
                          .deep = step->kernel_depth > 1 };
  c->axis[0] = make_axis (out->width, step->kernel_width,
                          odl_cpu_divide_up (out->width, MOST_SIDE));
  c->axis[1] = make_axis (out->height, step->kernel_height,
                          odl_cpu_divide_up (out->height, MOST_SIDE));
  c->axis[2] = make_axis (depth, step->kernel_depth, c->deep ? MIN (2, depth) : depth);
  find_size (c);
  while (c->deep && c->axis[2].n > 1
         && odl_cpu_fourier_count (c) * sizeof (float) > MOST_BYTES)
    c->axis[2] = make_axis (depth, step->kernel_depth, c->axis[2].blocks + 1);
  if (!c->deep && c->axis[0].blocks * c->axis[1].blocks == 1 && out->height > 1
      && odl_cpu_planes (out) % 2 == 1)
    c->axis[1] = make_axis (out->height, step->kernel_height, 2);
  find_size (c);
  c->kernels = MAX (work->bank, 1);
  c->n_blocks = out->channels * c->axis[0].blocks * c->axis[1].blocks * c->axis[2].blocks;
}

OdlCpuBlock
odl_cpu_fourier_block_at (const OdlCpuConvolver *c, int index)
{
  const OdlCpuPicture *out = c->work->out;
  OdlCpuBlock block = { .used = index < c->n_blocks };

  for (int a = 0; a < 3; index /= c->axis[a++].blocks)
    block.first[a] = index % c->axis[a].blocks * c->axis[a].n;
  block.channel = index % out->channels;
  return block;
}

// ---- samples to points ----

// Which sample a point of the axis is, from the block's first one on; false: none.
static bool
sample_of_point (const OdlCpuFourierAxis *axis, int point, int *sample)
{
  const int behind = point - axis->fourier.points;

  if (point < axis->n + axis->radius)
    *sample = point;
  else if (behind >= -axis->radius)
    *sample = behind;
  else
    return false;
  return true;
}

// The row of the picture that point (y, z) is in, as the border has it; NULL: zeros.
static const float *
find_row (const OdlCpuConvolver *c, const OdlCpuBlock *block, int y, int z)
{
  const OdlCpuPicture *in = c->work->in[0];
  const OdlBorder border = c->work->step->border;
  int own_y, own_z = 0;

  if (!block->used || y >= c->axis[1].fourier.points
      || !sample_of_point (&c->axis[1], y, &own_y)
      || (c->deep && !sample_of_point (&c->axis[2], z, &own_z)))
    return NULL;
  const int row = odl_border_index (border, block->first[1] + own_y, in->height);
  const int slice
      = odl_border_index (border, block->first[2] + own_z, MAX (in->depth, 1));
  return row < 0 || slice < 0
             ? NULL
             : odl_cpu_row (in, slice * in->channels + block->channel, row);
}

// Samples first … end − 1, which may lie outside of the row.
static void
copy_samples (const OdlCpuConvolver *c, const float *row, int first, int end, float *to)
{
  const int width = c->work->in[0]->width;
  int x = first;

  while (x < end) {
    const int inside = x >= 0 && x < width ? MIN (end, width) - x : 0;
    const int at = odl_border_index (c->work->step->border, x, width);
    if (inside > 0)
      memcpy (to, row + x, (size_t) inside * sizeof *to);
    else
      *to = at < 0 ? 0 : row[at];
    to += MAX (inside, 1);
    x += MAX (inside, 1);
  }
}

// The points of a row; zeros up to the pitch behind them.
static void
fill_row (const OdlCpuConvolver *c, const OdlCpuBlock *block, const float *row, float *to)
{
  const OdlCpuFourierAxis *axis = &c->axis[0];
  const int points = axis->fourier.points, radius = axis->radius;
  const int first = block->first[0];

  memset (to, 0, c->pitch / 2 * sizeof *to);
  if (row == NULL)
    return;
  copy_samples (c, row, first, first + axis->n + radius, to);
  copy_samples (c, row, first - radius, first, to + points - radius);
}

// Rows of samples to `lines` rows of points, transformed along x.
static void
transform_rows (const OdlCpuConvolver *c, const OdlCpuScratch *s, float *to)
{
  const int lines = c->lines, points = c->axis[0].fourier.points;
  const size_t row = c->pitch / 2;

  for (int part = 0; part < 2; part++)
    for (int x = 0; x < points; x += lines)
      c->variant->turn (s->rows[part] + x, (ptrdiff_t) row,
                        s->line + (2 * x + part) * lines, 2 * lines);
  c->variant->fourier (&c->axis[0].fourier, s->line, 2 * lines, false);
  for (int part = 0; part < 2; part++)
    for (int x = 0; x < points; x += lines)
      c->variant->turn (s->line + (2 * x + part) * lines, 2 * lines,
                        to + (size_t) 2 * x + part * lines, (ptrdiff_t) c->pitch);
}

void
odl_cpu_fourier_columns (const OdlCpuConvolver *c, float *slice, bool inverse)
{
  for (size_t x = 0; x < (size_t) c->axis[0].fourier.points; x += (size_t) c->lines)
    c->variant->fourier (&c->axis[1].fourier, slice + 2 * x, (ptrdiff_t) c->pitch,
                         inverse);
}

void
odl_cpu_fourier_read (const OdlCpuConvolver *c,
                      const OdlCpuBlock blocks[2],
                      int z,
                      const OdlCpuScratch *s,
                      float *slice)
{
  for (int y = 0; y < c->rows; y += c->lines) {
    float *to = slice + (size_t) y * c->pitch;
    bool any = false;
    for (int r = 0; r < c->lines; r++)
      for (int part = 0; part < 2; part++) {
        const float *row = find_row (c, &blocks[part], y + r, z);
        fill_row (c, &blocks[part], row, s->rows[part] + r * (c->pitch / 2));
        any |= row != NULL;
      }
    if (any)
      transform_rows (c, s, to);
    else
      memset (to, 0, c->pitch * (size_t) c->lines * sizeof *to);
  }
}

// ---- points to samples ----

// Rows y … y + lines − 1 of slice z, transformed back along x.
static void
write_rows (const OdlCpuConvolver *c,
            const OdlCpuBlock *block,
            int part,
            int y,
            int z,
            const OdlCpuScratch *s)
{
  const OdlCpuPicture *out = c->work->out;
  const int n = MIN (c->axis[0].n, out->width - block->first[0]);

  for (int r = 0; r < c->lines; r++) {
    const int row = block->first[1] + y + r;
    if (y + r < c->axis[1].n && row < out->height)
      memcpy (
          odl_cpu_row (out, (block->first[2] + z) * out->channels + block->channel, row)
              + block->first[0],
          s->rows[part] + r * (c->pitch / 2), (size_t) n * sizeof (float));
  }
}

static bool
has_slice (const OdlCpuConvolver *c, const OdlCpuBlock *block, int z)
{
  return block->used && block->first[2] + z < c->axis[2].whole
         && block->first[0] < c->axis[0].whole && block->first[1] < c->axis[1].whole;
}

void
odl_cpu_fourier_write (const OdlCpuConvolver *c,
                       const OdlCpuBlock blocks[2],
                       int z,
                       const OdlCpuScratch *s,
                       float *slice)
{
  const int lines = c->lines, points = c->axis[0].fourier.points;

  for (int y = 0; y < c->axis[1].n; y += lines) {
    const float *from = slice + (size_t) y * c->pitch;
    for (int part = 0; part < 2; part++)
      for (int x = 0; x < points; x += lines)
        c->variant->turn (from + (size_t) 2 * x + part * lines, (ptrdiff_t) c->pitch,
                          s->line + (2 * x + part) * lines, 2 * lines);
    c->variant->fourier (&c->axis[0].fourier, s->line, 2 * lines, true);
    for (int part = 0; part < 2; part++) {
      if (!has_slice (c, &blocks[part], z))
        continue;
      for (int x = 0; x < c->axis[0].n; x += lines)
        c->variant->turn (s->line + (2 * x + part) * lines, 2 * lines, s->rows[part] + x,
                          (ptrdiff_t) (c->pitch / 2));
      write_rows (c, &blocks[part], part, y, z, s);
    }
  }
}

// ---- kernel ----

// Rows of the kernel where its points are, scaled as the inverse transforms want it.
static void
fill_kernel_row (const OdlCpuConvolver *c, int y, int z, double scale, float *to)
{
  const OdlStep *step = c->work->step;
  const OdlCpuFourierAxis *axis = &c->axis[0];
  const float *row
      = step->parameters.kernel
        + ((size_t) z * step->kernel_height + y) * (size_t) step->kernel_width;

  for (int x = 0; x < step->kernel_width; x++) {
    const int point = x - axis->radius;
    to[point < 0 ? point + axis->fourier.points : point] = (float) (row[x] * scale);
  }
}

void
odl_cpu_fourier_kernel (const OdlCpuConvolver *c,
                        int z,
                        double scale,
                        const OdlCpuScratch *s)
{
  const OdlStep *step = c->work->step;
  float *slice = c->kernel + (size_t) z * c->slice;
  const size_t half = c->pitch / 2;

  memset (s->rows[1], 0, half * (size_t) c->lines * sizeof (float));
  for (int y = 0; y < c->rows; y += c->lines) {
    bool any = false;
    memset (s->rows[0], 0, half * (size_t) c->lines * sizeof (float));
    for (int r = 0; r < c->lines; r++) {
      const int point = y + r, points = c->axis[1].fourier.points;
      const int row = (point + c->axis[1].radius) % points;
      if (point >= points || row >= step->kernel_height)
        continue;
      fill_kernel_row (c, row, z, scale, s->rows[0] + (size_t) r * half);
      any = true;
    }
    if (any)
      transform_rows (c, s, slice + (size_t) y * c->pitch);
    else
      memset (slice + (size_t) y * c->pitch, 0,
              c->pitch * (size_t) c->lines * sizeof *slice);
  }
  odl_cpu_fourier_columns (c, slice, false);
}
