// SPDX-License-Identifier: MIT
// The transforms of blocks times those of kernels. The kernels of a bank have those of
// the picture in common.
#include "engine/cpu/steps/fourier.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/steps/fourier_slices.h"

// Columns along z that are gathered at once, in vectors.
#define GATHERED 4

// ---- threads ----

static size_t
scratch_floats (const OdlCpuConvolver *c)
{
  const size_t vector = 2 * (size_t) c->lines;

  return 2 * c->pitch * (size_t) c->lines + ODL_CPU_SLACK
         + (size_t) 2 * GATHERED * c->axis[2].fourier.points * vector;
}

static void
scratch_init (OdlCpuScratch *s, const OdlCpuConvolver *c, float *memory)
{
  s->rows[0] = memory;
  s->rows[1] = s->rows[0] + c->pitch / 2 * (size_t) c->lines;
  s->line = s->rows[1] + c->pitch / 2 * (size_t) c->lines + ODL_CPU_SLACK;
  s->columns = s->line + c->pitch * (size_t) c->lines;
}

// `count` vectors of columns from `from` on, all slices or so many.
static void
gather_columns (const OdlCpuConvolver *c,
                const float *from,
                int count,
                int slices,
                float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + i * column + z * vector, from + z * c->slice + i * vector,
              vector * sizeof (float));
}

static void
scatter_columns (const OdlCpuConvolver *c,
                 const float *from,
                 int count,
                 int slices,
                 float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + z * c->slice + i * vector, from + i * column + z * vector,
              vector * sizeof (float));
}

// Transforms columns along z where they are.
static void
forward_columns (const OdlCpuConvolver *c,
                 const OdlCpuScratch *s,
                 float *points,
                 int count)
{
  const OdlCpuFourier *fourier = &c->axis[2].fourier;
  const size_t vector = 2 * (size_t) c->lines;

  gather_columns (c, points, count, fourier->points, s->columns);
  for (int i = 0; i < count; i++)
    c->variant->fourier (fourier, s->columns + i * fourier->points * vector,
                         (ptrdiff_t) vector, false);
  scatter_columns (c, s->columns, count, fourier->points, points);
}

// `columns`, and those at `to` as well.
static void
add_columns (const OdlCpuConvolver *c,
             const float *to,
             int count,
             float *scratch,
             float *columns)
{
  const int n = c->axis[2].fourier.points;
  const size_t floats = (size_t) count * (size_t) n * 2 * (size_t) c->lines;

  gather_columns (c, to, count, n, scratch);
  for (size_t i = 0; i < floats; i++)
    columns[i] += scratch[i];
}

// What becomes of products along z.
typedef struct {
  bool is_forward; // points are transformed along z already
  bool adds; // to what is there
  bool goes_on; // not back yet
} Sum;

// Along z: forward, times the kernel's, and back.
static void
filter_columns (const OdlCpuConvolver *c,
                const OdlCpuScratch *s,
                const float *from,
                Sum sum,
                const float *kernel,
                int count,
                float *to)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points;
  const size_t column = (size_t) n * vector, bytes = vector * sizeof (float);
  float *own = s->columns, *its = s->columns + GATHERED * column;

  memset (its, 0, count * column * sizeof *its);
  gather_columns (c, from, count, n, own);
  for (int k = 0; k < c->work->step->kernel_depth; k++) {
    const int z = (k - axis->radius + n) % n;
    for (int i = 0; i < count; i++)
      memcpy (its + i * column + z * vector, kernel + k * c->slice + i * vector, bytes);
  }
  for (int i = 0; i < count; i++) {
    float *a = own + i * column, *b = its + i * column;
    if (!sum.is_forward)
      c->variant->fourier (&axis->fourier, a, (ptrdiff_t) vector, false);
    c->variant->fourier (&axis->fourier, b, (ptrdiff_t) vector, false);
    c->variant->multiply (a, b, (ptrdiff_t) vector, n);
  }
  if (sum.adds)
    add_columns (c, to, count, its, own);
  for (int i = 0; i < count && !sum.goes_on; i++)
    c->variant->fourier (&axis->fourier, own + i * column, (ptrdiff_t) vector, true);
  scatter_columns (c, own, count, sum.goes_on ? n : axis->n, to);
}

// Along y, in place.
static void
filter_along_y (const OdlCpuConvolver *c, float *slice)
{
  const OdlCpuFourier *fourier = &c->axis[1].fourier;
  const ptrdiff_t pitch = (ptrdiff_t) c->pitch;

  for (size_t x = 0; x < (size_t) c->axis[0].fourier.points; x += (size_t) c->lines) {
    c->variant->fourier (fourier, slice + 2 * x, pitch, false);
    c->variant->multiply (slice + 2 * x, c->kernel + 2 * x, pitch, fourier->points);
    c->variant->fourier (fourier, slice + 2 * x, pitch, true);
  }
}

// Likewise of points that are transformed along y.
static void
multiply_along_y (const OdlCpuConvolver *c, const float *points, float *slice)
{
  const OdlCpuFourier *fourier = &c->axis[1].fourier;
  const ptrdiff_t pitch = (ptrdiff_t) c->pitch;

  for (size_t x = 0; x < (size_t) c->axis[0].fourier.points; x += (size_t) c->lines) {
    for (int y = 0; y < fourier->points; y++)
      memcpy (slice + 2 * x + y * c->pitch, points + 2 * x + y * c->pitch,
              2 * (size_t) c->lines * sizeof *slice);
    c->variant->multiply (slice + 2 * x, c->kernel + 2 * x, pitch, fourier->points);
    c->variant->fourier (fourier, slice + 2 * x, pitch, true);
  }
}

// What convolves with kernel k of the bank; `work` holds its step.
static OdlCpuConvolver
of_kernel (const OdlCpuConvolver *c, int k, OdlCpuWork *work)
{
  OdlCpuConvolver own = *c;

  *work = *c->work;
  own.work = work;
  if (work->bank > 1) {
    work->step += k;
    work->out = &work->pictures[work->step->writes];
    own.kernel += (size_t) k * c->slice * (size_t) work->step->kernel_depth;
  }
  return own;
}

typedef struct {
  OdlCpuConvolver c;
  int threads;
  OdlCpuScratch *scratch; // of each thread
  float *points; // of a volume's block, or a slice of each thread
  float *products; // of a bank: as many, with one of its kernels
  int kernel; // of the bank, in volumes
  Sum sum;
  double scale;
  OdlCpuBlock blocks[2];
} Job;

typedef void (*Part) (const Job *job, int thread, int index);

static void
kernel_part (const Job *job, int thread, int index)
{
  const int depth = job->c.work->step->kernel_depth;
  OdlCpuWork work;
  const OdlCpuConvolver own = of_kernel (&job->c, index / depth, &work);

  odl_cpu_fourier_kernel (&own, index % depth, job->scale, &job->scratch[thread]);
}

static void
flat_part (const Job *job, int thread, int index)
{
  const OdlCpuConvolver *c = &job->c;
  const OdlCpuBlock blocks[2] = { odl_cpu_fourier_block_at (c, 2 * index),
                                  odl_cpu_fourier_block_at (c, 2 * index + 1) };
  float *slice = job->points + (size_t) thread * c->slice;

  odl_cpu_fourier_read (c, blocks, 0, &job->scratch[thread], slice);
  if (c->kernels == 1) {
    filter_along_y (c, slice);
    odl_cpu_fourier_write (c, blocks, 0, &job->scratch[thread], slice);
    return;
  }
  odl_cpu_fourier_columns (c, slice, false);
  for (int k = 0; k < c->kernels; k++) {
    float *product = job->products + (size_t) thread * c->slice;
    OdlCpuWork work;
    const OdlCpuConvolver own = of_kernel (c, k, &work);
    multiply_along_y (&own, slice, product);
    odl_cpu_fourier_write (&own, blocks, 0, &job->scratch[thread], product);
  }
}

static void
forward_part (const Job *job, int thread, int index)
{
  float *slice = job->points + (size_t) index * job->c.slice;

  odl_cpu_fourier_read (&job->c, job->blocks, index, &job->scratch[thread], slice);
  odl_cpu_fourier_columns (&job->c, slice, false);
}

// Along z, row y of all slices, of what the kernels of a bank have in common.
static void
bank_part (const Job *job, int thread, int y)
{
  const OdlCpuConvolver *c = &job->c;
  const int vectors = odl_cpu_divide_up (c->axis[0].fourier.points, c->lines);

  for (int i = 0; i < vectors; i += GATHERED)
    forward_columns (c, &job->scratch[thread],
                     job->points + (size_t) y * c->pitch + (size_t) i * 2 * c->lines,
                     MIN (GATHERED, vectors - i));
}

static void
z_part (const Job *job, int thread, int y)
{
  OdlCpuWork work;
  const OdlCpuConvolver c = of_kernel (&job->c, job->kernel, &work);
  const int vectors = odl_cpu_divide_up (c.axis[0].fourier.points, c.lines);

  for (int i = 0; i < vectors; i += GATHERED) {
    const size_t at = (size_t) y * c.pitch + (size_t) i * 2 * c.lines;
    filter_columns (&c, &job->scratch[thread], job->points + at, job->sum, c.kernel + at,
                    MIN (GATHERED, vectors - i), job->products + at);
  }
}

static void
inverse_part (const Job *job, int thread, int index)
{
  OdlCpuWork work;
  const OdlCpuConvolver c = of_kernel (&job->c, job->kernel, &work);
  float *slice = job->products + (size_t) index * c.slice;

  odl_cpu_fourier_columns (&c, slice, true);
  odl_cpu_fourier_write (&c, job->blocks, index, &job->scratch[thread], slice);
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
  const OdlCpuConvolver *c = &job->c;

  run_parts (job, kernel_part, c->kernels * c->work->step->kernel_depth);
  if (!c->deep)
    run_parts (job, flat_part, odl_cpu_divide_up (c->n_blocks, 2));
  for (int i = 0; c->deep && i < c->n_blocks; i += 2) {
    job->blocks[0] = odl_cpu_fourier_block_at (c, i);
    job->blocks[1] = odl_cpu_fourier_block_at (c, i + 1);
    run_parts (job, forward_part, c->axis[2].fourier.points);
    if (c->kernels > 1)
      run_parts (job, bank_part, c->axis[1].fourier.points);
    for (job->kernel = 0; job->kernel < c->kernels; job->kernel++) {
      run_parts (job, z_part, c->axis[1].fourier.points);
      run_parts (job, inverse_part, c->axis[2].n);
    }
  }
}

// Frequencies of all terms are added up, and go back once.
static void
run_sum (Job *job, const OdlCpuWork *works, int terms, OdlCpuLoad load, void *data)
{
  OdlCpuConvolver *c = &job->c;

  job->blocks[0] = odl_cpu_fourier_block_at (c, 0);
  job->blocks[1] = odl_cpu_fourier_block_at (c, 1);
  for (int t = 0; t < terms; t++) {
    load (t, data);
    c->work = &works[t];
    job->sum = (Sum){ .adds = t > 0, .goes_on = t < terms - 1 };
    run_parts (job, kernel_part, c->work->step->kernel_depth);
    run_parts (job, forward_part, c->axis[2].fourier.points);
    run_parts (job, z_part, c->axis[1].fourier.points);
  }
  run_parts (job, inverse_part, c->axis[2].n);
}

// `terms` steps whose results are added up in the picture of the last one; or one step.
static bool
convolve (const OdlCpuWork *work, int terms, OdlCpuLoad load, void *data)
{
  Job job = { .threads = odl_parallel_threads (), .scale = 1 };
  OdlCpuConvolver *c = &job.c;

  odl_cpu_fourier_shape (c, work);
  if (terms > 1 && (!c->deep || c->n_blocks > 2))
    return false;
  job.sum.is_forward = c->kernels > 1;
  for (int a = 0; a < 3; a++) {
    OdlCpuFourierAxis *axis = &c->axis[a];
    const bool used = a < 2 || c->deep;
    odl_cpu_fourier_init (&axis->fourier,
                          used ? odl_cpu_fourier_points_of (axis->n, axis->radius) : 1);
    job.scale /= axis->fourier.points;
  }
  const size_t points = odl_cpu_fourier_count (c) * (size_t) (c->deep ? 1 : job.threads);
  const size_t products = c->kernels > 1 || terms > 1 ? points : 0;
  const size_t kernel
      = c->slice * (size_t) work->step->kernel_depth * (size_t) c->kernels;
  const size_t scratch = scratch_floats (c);
  float *memory = odl_aligned_alloc_unset (
      (points + products + kernel + scratch * (size_t) job.threads) * sizeof (float),
      true);
  if (memory != NULL) {
    g_autofree OdlCpuScratch *each = job.scratch = g_new (OdlCpuScratch, job.threads);
    job.points = memory;
    job.products = memory + products;
    c->kernel = memory + points + products;
    for (int i = 0; i < job.threads; i++)
      scratch_init (&each[i], c, c->kernel + kernel + (size_t) i * scratch);
    if (terms > 1)
      run_sum (&job, work, terms, load, data);
    else
      run_job (&job);
  }
  odl_aligned_free (memory);
  for (int a = 0; a < 3; a++)
    odl_cpu_fourier_clear (&c->axis[a].fourier);
  return memory != NULL;
}

bool
odl_cpu_fourier_convolve (const OdlCpuWork *work)
{
  return convolve (work, 1, NULL, NULL);
}

bool
odl_cpu_fourier_sum (const OdlCpuWork *works, int terms, OdlCpuLoad load, void *data)
{
  return convolve (works, terms, load, data);
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
  OdlCpuConvolver c;
  double slice = 1, halvings = 0;

  if (work->variant->lines == 1)
    return false; // plain C is there to be compared with
  odl_cpu_fourier_shape (&c, work);
  for (int a = 0; a < 3; a++) {
    const int points = a == 2 && !c.deep
                           ? 1
                           : odl_cpu_fourier_points_of (c.axis[a].n, c.axis[a].radius);
    slice *= a < 2 ? points : 1;
    halvings += log2 (points);
  }
  const double slices
      = c.deep ? odl_cpu_fourier_points_of (c.axis[2].n, c.axis[2].radius) : 1;
  const double points
      = slice * (slices * odl_cpu_divide_up (c.n_blocks, 2) + step->kernel_depth);
  return samples * area * step->kernel_depth > PRODUCTS * points * halvings;
}
