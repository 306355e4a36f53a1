// SPDX-License-Identifier: MIT
// The transforms of blocks times those of kernels. The kernels of a bank have those of
// the picture in common.
#include "engine/cpu/steps/fourier.h"

#include <math.h>

#include "base/debug.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"

#include "engine/cpu/steps/fourier_slices.h"

// CONVOLVE by Fourier transforms: columns along z, some vectors of them at a time.
// Private to fourier.c.

// Vectors that are gathered at once.
#define ODL_CPU_GATHERED 4

// What odl_cpu_fourier_filter_along_z reads and leaves.
typedef struct {
  bool is_forward; // it reads what is transformed along z already
  bool adds; // it adds the products to what `to` holds
  bool goes_on; // more is to be added: the sum stays transformed along z
} OdlCpuProducts;

// All of these take `count` vectors, at most ODL_CPU_GATHERED, of all slices; pointers
// lead to the first vector in the first slice.

// `count` vectors of so many slices become columns, one after the other.
static void
gather (const OdlCpuConvolver *c, const float *from, int count, int slices, float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + i * column + z * vector, from + z * c->slice + i * vector,
              vector * sizeof *to);
}

// Columns go back among the points.
static void
scatter (const OdlCpuConvolver *c, const float *from, int count, int slices, float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + z * c->slice + i * vector, from + i * column + z * vector,
              vector * sizeof *to);
}

static void
transform (const OdlCpuConvolver *c, float *columns, int count, bool inverse)
{
  const OdlCpuFourier *fourier = &c->axis[2].fourier;
  const size_t vector = 2 * (size_t) c->lines;

  for (int i = 0; i < count; i++)
    c->variant->fourier (fourier, columns + i * fourier->points * vector,
                         (ptrdiff_t) vector, inverse);
}

// Transforms them along z, in place; `inverse`: back, with the slices of samples alone.
static void
odl_cpu_fourier_along_z (const OdlCpuConvolver *c,
                         const OdlCpuScratch *s,
                         float *points,
                         int count,
                         bool inverse)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];

  gather (c, points, count, axis->fourier.points, s->columns);
  transform (c, s->columns, count, inverse);
  scatter (c, s->columns, count, inverse ? axis->n : axis->fourier.points, points);
}

// The kernel's columns, transformed. Its middle slice is the first one, and those before
// it are the last ones.
static void
transform_kernel (const OdlCpuConvolver *c,
                  const float *kernel,
                  int count,
                  float *columns)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points, before = axis->radius;

  memset (columns, 0, count * (size_t) n * vector * sizeof *columns);
  gather (c, kernel + (size_t) before * c->slice, count,
          c->work->step->kernel_depth - before, columns);
  gather (c, kernel, count, before, columns + (size_t) (n - before) * vector);
  transform (c, columns, count, false);
}

// The frequencies along z of a kernel whose slices are transformed along x and y.
static void
odl_cpu_fourier_kernel_along_z (const OdlCpuConvolver *c,
                                const OdlCpuScratch *s,
                                const float *kernel,
                                int count,
                                float *to)
{
  transform_kernel (c, kernel, count, s->columns);
  scatter (c, s->columns, count, c->axis[2].fourier.points, to);
}

// Adds the columns of the points at `to`.
static void
add_columns (const OdlCpuConvolver *c,
             const float *to,
             int count,
             float *scratch,
             float *columns)
{
  const int n = c->axis[2].fourier.points;
  const size_t floats = (size_t) count * (size_t) n * 2 * (size_t) c->lines;

  gather (c, to, count, n, scratch);
  for (size_t i = 0; i < floats; i++)
    columns[i] += scratch[i];
}

// Transforms them, multiplies them by the kernel's frequencies, and transforms them back.
// `whole`: the kernel's frequencies along all axes; NULL: they are made of `kernel`, its
// slices.
static void
odl_cpu_fourier_filter_along_z (const OdlCpuConvolver *c,
                                const OdlCpuScratch *s,
                                const float *from,
                                OdlCpuProducts sum,
                                const float *kernel,
                                const float *whole,
                                int count,
                                float *to)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points;
  const size_t column = (size_t) n * vector;
  float *own = s->columns, *its = s->columns + ODL_CPU_GATHERED * column;

  gather (c, from, count, n, own);
  if (whole != NULL)
    gather (c, whole, count, n, its);
  else
    transform_kernel (c, kernel, count, its);
  if (!sum.is_forward)
    transform (c, own, count, false);
  for (int i = 0; i < count; i++)
    c->variant->multiply (own + i * column, its + i * column, (ptrdiff_t) vector, n);
  if (sum.adds)
    add_columns (c, to, count, its, own);
  if (!sum.goes_on)
    transform (c, own, count, true);
  scatter (c, own, count, sum.goes_on ? n : axis->n, to);
}

// ---- threads ----

static size_t
scratch_floats (const OdlCpuConvolver *c)
{
  const size_t vector = 2 * (size_t) c->lines;

  return 2 * c->pitch * (size_t) c->lines + ODL_CPU_SLACK
         + (size_t) 2 * ODL_CPU_GATHERED * c->axis[2].fourier.points * vector;
}

static void
scratch_init (OdlCpuScratch *s, const OdlCpuConvolver *c, float *memory)
{
  s->rows[0] = memory;
  s->rows[1] = s->rows[0] + c->pitch / 2 * (size_t) c->lines;
  s->line = s->rows[1] + c->pitch / 2 * (size_t) c->lines + ODL_CPU_SLACK;
  s->columns = s->line + c->pitch * (size_t) c->lines;
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

// Frequencies of a volume and of its kernel.
typedef struct {
  const float *volume, *kernel;
} Pair;

typedef struct Job Job;

// Of `count` columns along z, `at` floats from the beginning of the points.
typedef void (*Columns) (const Job *job, const OdlCpuScratch *s, size_t at, int count);

struct Job {
  OdlCpuConvolver c;
  int threads;
  OdlCpuScratch *scratch; // of each thread
  float *points; // of a volume's block, or a slice of each thread
  float *products; // of a bank: as many, with one of its kernels
  int kernel; // of the bank, in volumes
  const Pair *pairs; // of a sum whose frequencies are all at hand
  int n_pairs;
  float **wholes; // frequencies of each of them that are kept; NULL: of slices alone
  OdlCpuProducts sum;
  double scale;
  OdlCpuBlock blocks[2];
  Columns columns; // of columns_part
};

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

// Along z, of what the kernels of a bank have in common.
static void
forward_columns (const Job *job, const OdlCpuScratch *s, size_t at, int count)
{
  odl_cpu_fourier_along_z (&job->c, s, job->points + at, count, false);
}

// The kernel's frequencies along all axes, of those of its slices.
static void
kernel_columns (const Job *job, const OdlCpuScratch *s, size_t at, int count)
{
  OdlCpuWork work;
  const OdlCpuConvolver c = of_kernel (&job->c, job->kernel, &work);

  odl_cpu_fourier_kernel_along_z (&c, s, c.kernel + at, count,
                                  job->wholes[job->kernel] + at);
}

static void
product_columns (const Job *job, const OdlCpuScratch *s, size_t at, int count)
{
  OdlCpuWork work;
  const OdlCpuConvolver c = of_kernel (&job->c, job->kernel, &work);
  const float *whole = job->wholes[job->kernel];

  odl_cpu_fourier_filter_along_z (&c, s, job->points + at, job->sum, c.kernel + at,
                                  whole != NULL ? whole + at : NULL, count,
                                  job->products + at);
}

static void
inverse_columns (const Job *job, const OdlCpuScratch *s, size_t at, int count)
{
  odl_cpu_fourier_along_z (&job->c, s, job->products + at, count, true);
}

// Row y of all slices, some vectors at a time.
static void
columns_part (const Job *job, int thread, int y)
{
  const OdlCpuConvolver *c = &job->c;
  const int vectors = odl_cpu_divide_up (c->axis[0].fourier.points, c->lines);

  for (int i = 0; i < vectors; i += ODL_CPU_GATHERED)
    job->columns (job, &job->scratch[thread],
                  (size_t) y * c->pitch + (size_t) i * 2 * c->lines,
                  MIN (ODL_CPU_GATHERED, vectors - i));
}

// Slice z of the sum of all products.
static void
pairs_part (const Job *job, int thread, int z)
{
  const OdlCpuConvolver *c = &job->c;
  const size_t vector = 2 * (size_t) c->lines;
  const int vectors = odl_cpu_divide_up (c->axis[0].fourier.points, c->lines);
  const size_t floats = (size_t) vectors * vector;
  float *product = job->scratch[thread].line;

  for (int y = 0; y < c->axis[1].fourier.points; y++) {
    const size_t at = (size_t) z * c->slice + (size_t) y * c->pitch;
    float *sum = job->products + at;
    for (int t = 0; t < job->n_pairs; t++) {
      memcpy (product, job->pairs[t].volume + at, floats * sizeof *product);
      c->variant->multiply (product, job->pairs[t].kernel + at, (ptrdiff_t) vector,
                            vectors);
      for (size_t i = 0; i < floats; i++)
        sum[i] = t > 0 ? product[i] + sum[i] : product[i];
    }
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
run_columns (Job *job, Columns columns)
{
  job->columns = columns;
  run_parts (job, columns_part, job->c.axis[1].fourier.points);
}

static void
set_shape (const OdlCpuConvolver *c, OdlCpuSpectrumKey *key)
{
  int n = 0;

  for (int a = 0; a < 3; a++) {
    const OdlCpuFourierAxis *axis = &c->axis[a];
    const int numbers[]
        = { axis->whole, axis->blocks, axis->n, axis->radius, axis->fourier.points };
    memcpy (key->shape + n, numbers, sizeof numbers);
    n += (int) G_N_ELEMENTS (numbers);
  }
  key->shape[n++] = (int) c->work->step->border;
  key->shape[n] = c->lines;
}

// The frequencies of the bank's kernels: of all axes where there is room to keep them,
// else of their slices. In volumes.
static void
find_kernels (Job *job)
{
  const OdlCpuConvolver *c = &job->c;
  const int depth = c->work->step->kernel_depth;
  g_autofree bool *known = g_new0 (bool, c->kernels);
  bool all = true;

  for (int k = 0; k < c->kernels; k++) {
    const OdlStep *step = c->work->step + k;
    OdlCpuSpectrumKey key = { .kernel = step->parameters.kernel,
                              .count = (size_t) step->kernel_width
                                       * (size_t) step->kernel_height * (size_t) depth };
    set_shape (c, &key);
    job->wholes[k] = odl_cpu_spectra_take (c->work->spectra, &key,
                                           odl_cpu_fourier_count (c), &known[k]);
    all = all && known[k];
  }
  if (all)
    return;
  run_parts (job, kernel_part, c->kernels * depth);
  for (job->kernel = 0; job->kernel < c->kernels; job->kernel++)
    if (job->wholes[job->kernel] != NULL && !known[job->kernel])
      run_columns (job, kernel_columns);
  job->kernel = 0;
}

static void
run_job (Job *job)
{
  const OdlCpuConvolver *c = &job->c;

  if (!c->deep) {
    run_parts (job, kernel_part, c->kernels * c->work->step->kernel_depth);
    run_parts (job, flat_part, odl_cpu_divide_up (c->n_blocks, 2));
    return;
  }
  find_kernels (job);
  for (int i = 0; i < c->n_blocks; i += 2) {
    job->blocks[0] = odl_cpu_fourier_block_at (c, i);
    job->blocks[1] = odl_cpu_fourier_block_at (c, i + 1);
    run_parts (job, forward_part, c->axis[2].fourier.points);
    if (c->kernels > 1)
      run_columns (job, forward_columns);
    for (job->kernel = 0; job->kernel < c->kernels; job->kernel++) {
      run_columns (job, product_columns);
      run_parts (job, inverse_part, c->axis[2].n);
    }
  }
}

// ---- sums ----

// The frequencies of a term.
typedef struct {
  float *at; // NULL: they are made when they are needed
  bool known; // by an earlier frame
  bool own; // freed with the sum
} Term;

// False: there is no room for all of them, which several kernels need.
static bool
find_terms (const OdlCpuConvolver *c, const OdlCpuFourierSum *sum, Term *terms)
{
  const size_t floats = odl_cpu_fourier_count (c);
  OdlCpuSpectra *spectra = c->work->spectra;

  for (int t = 0; t < sum->terms; t++) {
    OdlCpuSpectrumKey key = { .volume = sum->volumes[t] };
    set_shape (c, &key);
    if (key.volume.image != NULL)
      terms[t].at = odl_cpu_spectra_take (spectra, &key, floats, &terms[t].known);
    if (terms[t].at == NULL && sum->count > 1) {
      terms[t].own = odl_cpu_spectra_have_room (spectra, floats * (size_t) sum->terms);
      if (terms[t].own)
        terms[t].at = odl_aligned_alloc_unset (floats * sizeof (float), true);
      if (terms[t].at == NULL)
        return false;
    }
  }
  return true;
}

static void
read_term (Job *job, const OdlCpuFourierSum *sum, int t, const Term *term)
{
  sum->load (t, term->known, sum->data);
  if (term->known)
    return;
  run_parts (job, forward_part, job->c.axis[2].fourier.points);
  if (term->at != NULL)
    run_columns (job, forward_columns);
}

// Kernel k of each term is at hand along all axes. Leaves them in `pairs`.
static bool
find_pairs (Job *job, const OdlCpuFourierSum *sum, const Term *terms, int k, Pair *pairs)
{
  for (int t = 0; t < sum->terms; t++) {
    OdlCpuWork work = sum->works[t];
    work.step += k;
    job->c.work = &work;
    find_kernels (job);
    pairs[t] = (Pair){ terms[t].at, job->wholes[0] };
    if (pairs[t].kernel == NULL)
      return false;
  }
  job->pairs = pairs;
  job->n_pairs = sum->terms;
  return true;
}

static void
add_term (Job *job, const Term *term, bool first, bool last)
{
  job->points = term->at != NULL ? term->at : job->points;
  job->sum = (OdlCpuProducts){ .is_forward = term->at != NULL,
                               .adds = !first,
                               .goes_on = !last };
  find_kernels (job);
  run_columns (job, product_columns);
}

// Frequencies of all terms are added up, and go back once for each kernel.
static void
run_sum (Job *job, const OdlCpuFourierSum *sum, const Term *terms)
{
  OdlCpuConvolver *c = &job->c;
  float *points = job->points;
  Pair pairs[ODL_PLAN_MAX_KERNEL];
  bool all = true;

  job->blocks[0] = odl_cpu_fourier_block_at (c, 0);
  job->blocks[1] = odl_cpu_fourier_block_at (c, 1);
  for (int t = 0; t < sum->terms; t++)
    all = all && terms[t].at != NULL;
  for (int t = 0; t < sum->terms && all; t++) {
    c->work = &sum->works[t];
    job->points = terms[t].at;
    read_term (job, sum, t, &terms[t]);
  }
  for (int k = 0; k < sum->count; k++) {
    OdlCpuWork work = sum->works[0];
    if (all && find_pairs (job, sum, terms, k, pairs)) {
      run_parts (job, pairs_part, c->axis[2].fourier.points);
      run_columns (job, inverse_columns);
    } else {
      for (int t = 0; t < sum->terms; t++) {
        work = sum->works[t];
        work.step += k;
        c->work = &work;
        job->points = points;
        if (!all && terms[t].at != NULL)
          job->points = terms[t].at;
        if (!all)
          read_term (job, sum, t, &terms[t]);
        add_term (job, &terms[t], t == 0, t == sum->terms - 1);
      }
    }
    work.out = sum->outs[k];
    c->work = &work;
    run_parts (job, inverse_part, c->axis[2].n);
  }
}

// One step, a bank, or a sum.
static bool
convolve (const OdlCpuWork *work, const OdlCpuFourierSum *sum)
{
  Job job = { .threads = odl_parallel_threads (), .scale = 1 };
  OdlCpuConvolver *c = &job.c;
  Term terms[ODL_PLAN_MAX_KERNEL] = { 0 };

  odl_cpu_fourier_shape (c, work);
  if (sum != NULL && (!c->deep || c->n_blocks > 2))
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
  const size_t products = c->kernels > 1 || sum != NULL ? points : 0;
  const size_t kernel
      = c->slice * (size_t) work->step->kernel_depth * (size_t) c->kernels;
  const size_t scratch = scratch_floats (c);
  float *memory = NULL;
  if (sum == NULL || find_terms (c, sum, terms))
    memory = odl_aligned_alloc_unset (
        (points + products + kernel + scratch * (size_t) job.threads) * sizeof (float),
        true);
  if (memory != NULL) {
    g_autofree OdlCpuScratch *each = job.scratch = g_new (OdlCpuScratch, job.threads);
    g_autofree float **wholes = job.wholes = g_new0 (float *, c->kernels);
    job.points = memory;
    job.products = memory + products;
    c->kernel = memory + points + products;
    for (int i = 0; i < job.threads; i++)
      scratch_init (&each[i], c, c->kernel + kernel + (size_t) i * scratch);
    if (sum != NULL)
      run_sum (&job, sum, terms);
    else
      run_job (&job);
  }
  odl_aligned_free (memory);
  for (int t = 0; t < ODL_PLAN_MAX_KERNEL; t++)
    if (terms[t].own)
      odl_aligned_free (terms[t].at);
  for (int a = 0; a < 3; a++)
    odl_cpu_fourier_clear (&c->axis[a].fourier);
  return memory != NULL;
}

bool
odl_cpu_fourier_convolve (const OdlCpuWork *work)
{
  return convolve (work, NULL);
}

bool
odl_cpu_fourier_sum (const OdlCpuFourierSum *sum)
{
  return convolve (&sum->works[0], sum);
}

// ---- choice ----

// Products that take as long as what one point costs for each halving of their number:
// with vectors of 16, and with shorter ones
// (tests/bench/results/2026-11-26-two-core-convolve-volumes.md).
#define PRODUCTS_LONG 11
#define PRODUCTS_SHORT 6.6

// Of a kernel's slice beside one of the samples: it goes one way, and is mostly zeros.
#define KERNEL_SHARE 0.25

static bool
is_faster (const OdlCpuWork *work)
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
  const double points = slice
                        * (slices * odl_cpu_divide_up (c.n_blocks, 2)
                           + KERNEL_SHARE * step->kernel_depth);
  const double each = work->variant->lines >= 16 ? PRODUCTS_LONG : PRODUCTS_SHORT;
  return samples * area * step->kernel_depth > each * points * halvings;
}

bool
odl_cpu_goes_by_fourier (const OdlCpuWork *work, const OdlCpuMethod *method)
{
  const OdlStep *step = work->step;
  const bool goes
      = method->convolving == ODL_CPU_CONVOLVING_FOURIER
        || (method->convolving == ODL_CPU_CONVOLVING_FASTEST && is_faster (work));

  odl_debug (ODL_DEBUG_PLAN, "convolve %d×%d×%d by %s", step->kernel_width,
             step->kernel_height, step->kernel_depth,
             goes ? "Fourier transforms" : "products");
  return goes;
}
