// SPDX-License-Identifier: MIT
// The picture is taken apart into blocks, which overlap by what the kernel reaches
// (overlap-save: T. Stockham, "High-speed convolution and correlation", AFIPS 1966). Two
// blocks are transformed as one, since samples are real: the first one is the real part,
// the second one the imaginary part, and a real kernel keeps them apart. Sample x of a
// block is point x of its transform, those before it are the last points, so that a
// kernel about its middle moves nothing.
#include "engine/cpu/steps/fourier.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"

// Samples of a block along x and y at most. Its slices stay in the second cache.
#define MOST_SIDE 288

// Bytes of a block's points at most: volumes go in more slabs instead.
#define MOST_BYTES ((size_t) 512 << 20)

// Columns along z that are gathered at once, in vectors.
#define GATHERED 4

typedef struct {
  int whole; // samples of the picture
  int blocks;
  int n; // samples that a block makes; the last one may have less
  int radius;
  OdlCpuFourier fourier;
} Axis;

typedef struct {
  const OdlCpuWork *work;
  const OdlCpuVariant *variant;
  Axis axis[3];
  int lines;
  int rows; // of a slice of points, those of the last vector of rows included
  size_t pitch; // floats from one row of points to the next
  size_t slice; // likewise of slices
  bool deep; // the last axis is z
  int n_blocks; // of all planes together
  float *kernel; // transformed along x and y; a slice for each of its own
} Convolver;

// One of the two blocks that are transformed together.
typedef struct {
  int channel;
  int first[3]; // sample of the picture
  bool used; // an odd number of blocks leaves one alone
} Block;

// What one thread needs beside the points.
typedef struct {
  float *rows[2]; // `lines` rows of samples, of either block
  float *line; // points of `lines` lines
  float *columns; // along z: of GATHERED vectors, those of the kernel behind them
} Scratch;

// ---- shape ----

static int
points_of (int n, int radius)
{
  return odl_cpu_fourier_points (n + 2 * radius);
}

static int
divide_up (int a, int b)
{
  return (a + b - 1) / b;
}

static Axis
make_axis (int whole, int side, int blocks)
{
  return (Axis){
    .whole = whole, .blocks = blocks, .n = divide_up (whole, blocks), .radius = side / 2
  };
}

// Floats of a row of points: an odd number of vectors, so that columns do not meet in
// the cache.
static size_t
row_pitch (int points, int lines)
{
  return 2 * (size_t) lines * (divide_up (points, lines) | 1);
}

static void
find_size (Convolver *c)
{
  c->rows = divide_up (points_of (c->axis[1].n, c->axis[1].radius), c->lines) * c->lines;
  c->pitch = row_pitch (points_of (c->axis[0].n, c->axis[0].radius), c->lines);
  c->slice = c->pitch * (size_t) c->rows;
}

static size_t
count_points (const Convolver *c)
{
  const Axis *z = &c->axis[2];

  return c->slice * (size_t) (c->deep ? points_of (z->n, z->radius) : 1);
}

// Blocks of similar size; two slabs of a volume, and more where memory is short.
static void
find_shape (Convolver *c, const OdlCpuWork *work)
{
  const OdlStep *step = work->step;
  const OdlCpuPicture *out = work->out;
  const int depth = MAX (out->depth, 1);

  *c = (Convolver){ .work = work,
                    .variant = work->variant,
                    .lines = work->variant->lines,
                    .deep = step->kernel_depth > 1 };
  c->axis[0]
      = make_axis (out->width, step->kernel_width, divide_up (out->width, MOST_SIDE));
  c->axis[1]
      = make_axis (out->height, step->kernel_height, divide_up (out->height, MOST_SIDE));
  c->axis[2] = make_axis (depth, step->kernel_depth, c->deep ? MIN (2, depth) : depth);
  find_size (c);
  while (c->deep && c->axis[2].n > 1 && count_points (c) * sizeof (float) > MOST_BYTES)
    c->axis[2] = make_axis (depth, step->kernel_depth, c->axis[2].blocks + 1);
  if (!c->deep && c->axis[0].blocks * c->axis[1].blocks == 1 && out->height > 1
      && odl_cpu_planes (out) % 2 == 1)
    c->axis[1] = make_axis (out->height, step->kernel_height, 2);
  find_size (c);
  c->n_blocks = out->channels * c->axis[0].blocks * c->axis[1].blocks * c->axis[2].blocks;
}

static Block
block_at (const Convolver *c, int index)
{
  const OdlCpuPicture *out = c->work->out;
  Block block = { .used = index < c->n_blocks };

  for (int a = 0; a < 3; index /= c->axis[a++].blocks)
    block.first[a] = index % c->axis[a].blocks * c->axis[a].n;
  block.channel = index % out->channels;
  return block;
}

// ---- samples to points ----

// Which sample a point of the axis is, from the block's first one on; false: none.
static bool
sample_of_point (const Axis *axis, int point, int *sample)
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
find_row (const Convolver *c, const Block *block, int y, int z)
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
copy_samples (const Convolver *c, const float *row, int first, int end, float *to)
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
fill_row (const Convolver *c, const Block *block, const float *row, float *to)
{
  const Axis *axis = &c->axis[0];
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
transform_rows (const Convolver *c, const Scratch *s, float *to)
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

static void
transform_columns (const Convolver *c, float *slice, bool inverse)
{
  for (size_t x = 0; x < (size_t) c->axis[0].fourier.points; x += (size_t) c->lines)
    c->variant->fourier (&c->axis[1].fourier, slice + 2 * x, (ptrdiff_t) c->pitch,
                         inverse);
}

// Slice z of the points, transformed along x.
static void
read_slice (const Convolver *c,
            const Block blocks[2],
            int z,
            const Scratch *s,
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
write_rows (const Convolver *c,
            const Block *block,
            int part,
            int y,
            int z,
            const Scratch *s)
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
has_slice (const Convolver *c, const Block *block, int z)
{
  return block->used && block->first[2] + z < c->axis[2].whole
         && block->first[0] < c->axis[0].whole && block->first[1] < c->axis[1].whole;
}

static void
write_slice (const Convolver *c,
             const Block blocks[2],
             int z,
             const Scratch *s,
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
fill_kernel_row (const Convolver *c, int y, int z, double scale, float *to)
{
  const OdlStep *step = c->work->step;
  const Axis *axis = &c->axis[0];
  const float *row
      = step->parameters.kernel
        + ((size_t) z * step->kernel_height + y) * (size_t) step->kernel_width;

  for (int x = 0; x < step->kernel_width; x++) {
    const int point = x - axis->radius;
    to[point < 0 ? point + axis->fourier.points : point] = (float) (row[x] * scale);
  }
}

static void
transform_kernel_slice (const Convolver *c, int z, double scale, const Scratch *s)
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
  transform_columns (c, slice, false);
}

// ---- threads ----

static size_t
scratch_floats (const Convolver *c)
{
  const size_t vector = 2 * (size_t) c->lines;

  return 2 * c->pitch * (size_t) c->lines + ODL_CPU_SLACK
         + (size_t) 2 * GATHERED * c->axis[2].fourier.points * vector;
}

static void
scratch_init (Scratch *s, const Convolver *c, float *memory)
{
  s->rows[0] = memory;
  s->rows[1] = s->rows[0] + c->pitch / 2 * (size_t) c->lines;
  s->line = s->rows[1] + c->pitch / 2 * (size_t) c->lines + ODL_CPU_SLACK;
  s->columns = s->line + c->pitch * (size_t) c->lines;
}

// Along z, `count` vectors of columns from `at` on: forward, times the kernel's, and
// back.
static void
filter_columns (const Convolver *c,
                const Scratch *s,
                float *points,
                const float *kernel,
                int count)
{
  const Axis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points;
  const size_t column = (size_t) n * vector, bytes = vector * sizeof (float);
  float *own = s->columns, *its = s->columns + GATHERED * column;

  memset (its, 0, count * column * sizeof *its);
  for (int z = 0; z < n; z++)
    for (int i = 0; i < count; i++)
      memcpy (own + i * column + z * vector, points + z * c->slice + i * vector, bytes);
  for (int k = 0; k < c->work->step->kernel_depth; k++) {
    const int z = (k - axis->radius + n) % n;
    for (int i = 0; i < count; i++)
      memcpy (its + i * column + z * vector, kernel + k * c->slice + i * vector, bytes);
  }
  for (int i = 0; i < count; i++) {
    float *a = own + i * column, *b = its + i * column;
    c->variant->fourier (&axis->fourier, a, (ptrdiff_t) vector, false);
    c->variant->fourier (&axis->fourier, b, (ptrdiff_t) vector, false);
    c->variant->multiply (a, b, (ptrdiff_t) vector, n);
    c->variant->fourier (&axis->fourier, a, (ptrdiff_t) vector, true);
  }
  for (int z = 0; z < axis->n; z++)
    for (int i = 0; i < count; i++)
      memcpy (points + z * c->slice + i * vector, own + i * column + z * vector, bytes);
}

// Row y of all slices.
static void
filter_along_z (const Convolver *c, const Scratch *s, float *points, int y)
{
  const size_t vector = 2 * (size_t) c->lines;
  const int vectors = divide_up (c->axis[0].fourier.points, c->lines);

  for (int i = 0; i < vectors; i += GATHERED) {
    const size_t at = (size_t) y * c->pitch + i * vector;
    filter_columns (c, s, points + at, c->kernel + at, MIN (GATHERED, vectors - i));
  }
}

// Along y, in place.
static void
filter_along_y (const Convolver *c, float *slice)
{
  const OdlCpuFourier *fourier = &c->axis[1].fourier;
  const ptrdiff_t pitch = (ptrdiff_t) c->pitch;

  for (size_t x = 0; x < (size_t) c->axis[0].fourier.points; x += (size_t) c->lines) {
    c->variant->fourier (fourier, slice + 2 * x, pitch, false);
    c->variant->multiply (slice + 2 * x, c->kernel + 2 * x, pitch, fourier->points);
    c->variant->fourier (fourier, slice + 2 * x, pitch, true);
  }
}

typedef struct {
  Convolver c;
  int threads;
  Scratch *scratch; // of each thread
  float *points; // of a volume's block, or a slice of each thread
  double scale;
  Block blocks[2];
} Job;

typedef void (*Part) (const Job *job, int thread, int index);

static void
kernel_part (const Job *job, int thread, int index)
{
  transform_kernel_slice (&job->c, index, job->scale, &job->scratch[thread]);
}

static void
flat_part (const Job *job, int thread, int index)
{
  const Convolver *c = &job->c;
  const Block blocks[2] = { block_at (c, 2 * index), block_at (c, 2 * index + 1) };
  float *slice = job->points + (size_t) thread * c->slice;

  read_slice (c, blocks, 0, &job->scratch[thread], slice);
  filter_along_y (c, slice);
  write_slice (c, blocks, 0, &job->scratch[thread], slice);
}

static void
forward_part (const Job *job, int thread, int index)
{
  float *slice = job->points + (size_t) index * job->c.slice;

  read_slice (&job->c, job->blocks, index, &job->scratch[thread], slice);
  transform_columns (&job->c, slice, false);
}

static void
z_part (const Job *job, int thread, int index)
{
  filter_along_z (&job->c, &job->scratch[thread], job->points, index);
}

static void
inverse_part (const Job *job, int thread, int index)
{
  float *slice = job->points + (size_t) index * job->c.slice;

  transform_columns (&job->c, slice, true);
  write_slice (&job->c, job->blocks, index, &job->scratch[thread], slice);
}

static void
run_parts (const Job *job, Part part, int count)
{
  ODL_PARALLEL_FOR
  for (int thread = 0; thread < job->threads; thread++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    for (int i = thread; i < count; i += job->threads)
      part (job, thread, i);
    odl_cpu_float_mode_leave (mode);
  }
}

static void
run_job (Job *job)
{
  const Convolver *c = &job->c;

  run_parts (job, kernel_part, c->work->step->kernel_depth);
  if (!c->deep)
    run_parts (job, flat_part, divide_up (c->n_blocks, 2));
  for (int i = 0; c->deep && i < c->n_blocks; i += 2) {
    job->blocks[0] = block_at (c, i);
    job->blocks[1] = block_at (c, i + 1);
    run_parts (job, forward_part, c->axis[2].fourier.points);
    run_parts (job, z_part, c->axis[1].fourier.points);
    run_parts (job, inverse_part, c->axis[2].n);
  }
}

bool
odl_cpu_fourier_convolve (const OdlCpuWork *work)
{
  Job job = { .threads = odl_parallel_threads (), .scale = 1 };
  Convolver *c = &job.c;

  find_shape (c, work);
  for (int a = 0; a < 3; a++) {
    Axis *axis = &c->axis[a];
    const bool used = a < 2 || c->deep;
    odl_cpu_fourier_init (&axis->fourier, used ? points_of (axis->n, axis->radius) : 1);
    job.scale /= axis->fourier.points;
  }
  const size_t points = count_points (c) * (size_t) (c->deep ? 1 : job.threads);
  const size_t kernel = c->slice * (size_t) work->step->kernel_depth;
  const size_t scratch = scratch_floats (c);
  float *memory = odl_aligned_alloc_unset (
      (points + kernel + scratch * (size_t) job.threads) * sizeof (float), true);
  if (memory != NULL) {
    g_autofree Scratch *each = job.scratch = g_new (Scratch, job.threads);
    job.points = memory;
    c->kernel = memory + points;
    for (int i = 0; i < job.threads; i++)
      scratch_init (&each[i], c, c->kernel + kernel + (size_t) i * scratch);
    run_job (&job);
  }
  odl_aligned_free (memory);
  for (int a = 0; a < 3; a++)
    odl_cpu_fourier_clear (&c->axis[a].fourier);
  return memory != NULL;
}

// ---- choice ----

// Products that take as long as what one point costs for each halving of their number:
// the transforms pay from 13² and 7³ coefficients on
// (tests/bench/results/2026-11-25-two-core-fourier.md).
#define PRODUCTS 14

bool
odl_cpu_fourier_is_faster (const OdlCpuWork *work)
{
  const OdlStep *step = work->step;
  const int area = step->kernel_width * step->kernel_height;
  const double samples
      = (double) work->out->width * work->out->height * odl_cpu_planes (work->out);
  Convolver c;
  double slice = 1, halvings = 0;

  if (work->variant->lines == 1)
    return false; // plain C is there to be compared with
  find_shape (&c, work);
  for (int a = 0; a < 3; a++) {
    const int points = a == 2 && !c.deep ? 1 : points_of (c.axis[a].n, c.axis[a].radius);
    slice *= a < 2 ? points : 1;
    halvings += log2 (points);
  }
  const double slices = c.deep ? points_of (c.axis[2].n, c.axis[2].radius) : 1;
  const double points = slice * (slices * divide_up (c.n_blocks, 2) + step->kernel_depth);
  return samples * area * step->kernel_depth > PRODUCTS * points * halvings;
}
