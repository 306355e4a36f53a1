// SPDX-License-Identifier: MIT
// Figures 1.6 to 1.11 of A. Eklund, P. Dufort, "Non-separable 2D, 3D and 4D filtering
// with CUDA", GPU Pro 5 (2014): their ways (published.h) beside the engine's, directly
// and by Fourier transforms. Means of ten runs by the GPU's timer, transfers excluded, as
// there; and once with them. Arguments: numbers of figures (6 … 11), --step=N, the
// distance of sizes in the plots over sizes, --only=N, one size of these (what a process
// has freed slows the next one down), --side=N, one side of the kernel,
// --ours, without their ways, --small, an eighth of
// each side. Prints CSV, for tests/bench/tables/filtering.py, and fails if a way makes
// something else.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/gl/compute/compute.h"
#include "engine/gl/platform/headless.h"
#include "engine/registry.h"
#include "published.h"
#include "published_fourier.h"
#include "image/volume/neighbours.h"
#include "plan/plan.h"

#define RUNS 10
#define WARM_UP_US 150000
#define LONG_US 200000 // of a run that is made once

// Of results, whose samples are of 0 … 1, from the engine's direct way.
#define MOST_OFF 2e-6

static bool small, ours, differs;
static int only; // size in the plots over sizes; 0: all
static int only_side; // of kernels

typedef struct {
  int figure;
  PublishedJob job;
  float *data; // of all volumes
  float *truth; // what the engine makes directly
  OdlImage **volumes;
  OdlEngine *engine;
  double transfer_us; // up and down
} Case;

static size_t
count_samples (const PublishedJob *job)
{
  return (size_t) job->width * (size_t) job->height * (size_t) job->depth;
}

// ---- timing ----

typedef void (*RunFunction) (const Case *c, void *data);

static double
time_once (const Case *c, RunFunction run, void *data, int runs)
{
  GLuint64 ns = 0;
  GLuint query;

  glGenQueries (1, &query);
  glBeginQuery (GL_TIME_ELAPSED, query);
  for (int i = 0; i < runs; i++)
    run (c, data);
  glEndQuery (GL_TIME_ELAPSED);
  glGetQueryObjectui64v (query, GL_QUERY_RESULT, &ns);
  glDeleteQueries (1, &query);
  return (double) ns / 1000 / runs;
}

static double
measure (const Case *c, RunFunction run, void *data)
{
  const int64_t end = g_get_monotonic_time () + WARM_UP_US;
  double once = 0;

  do
    once = time_once (c, run, data, 1);
  while (g_get_monotonic_time () < end && once < LONG_US);
  return once < LONG_US ? time_once (c, run, data, RUNS) : once;
}

// Up and down through ordinary memory.
static double
measure_transfer (const Case *c)
{
  const GLsizeiptr bytes = (GLsizeiptr) (count_samples (&c->job) * sizeof (float));
  g_autofree float *back = g_malloc0 ((gsize) bytes);

  glFinish ();
  const int64_t start = odl_clock_now_ns ();
  glBindBuffer (GL_COPY_WRITE_BUFFER, c->job.samples);
  glBufferSubData (GL_COPY_WRITE_BUFFER, 0, bytes, c->data);
  glBindBuffer (GL_COPY_READ_BUFFER, c->job.result);
  glGetBufferSubData (GL_COPY_READ_BUFFER, 0, bytes, back);
  return (double) (odl_clock_now_ns () - start) / 1000;
}

// ---- results ----

static void
print_row (const Case *c,
           const char *way,
           double us,
           double transfer_us,
           const float *result,
           int margin)
{
  const PublishedJob *job = &c->job;
  double sum = 0, most = 0;

  for (int z = 0; z < job->depth; z++)
    for (int y = margin; y < job->height - margin; y++)
      for (int x = margin; x < job->width - margin; x++) {
        const bool skipped
            = margin > 0 && job->depth > 1 && (z < margin || z >= job->depth - margin);
        const size_t at
            = ((size_t) z * (size_t) job->height + (size_t) y) * (size_t) job->width
              + (size_t) x;
        const double off
            = skipped ? 0 : fabs ((double) result[at] - (double) c->truth[at]);
        sum += off;
        most = off <= most ? most : off;
      }
  if (!(most <= MOST_OFF)) {
    g_printerr ("%s is off by %g, %g at most\n", way, most, MOST_OFF);
    differs = true;
  }
  g_print ("%d,%d,%d,%d,%d,%d,%d,%s,%.2f,%.2f,%.2f,%.4g,%.3g\n", c->figure,
           job->dimensions, job->width, job->height, job->depth, job->times, job->side,
           way, us, (double) count_samples (job) / us, us + transfer_us, sum, most);
}

// ---- the engine ----

static void
repeat (const Case *c, void *data)
{
  (void) data;
  odl_gl_compute_repeat (c->engine, false);
}

static OdlPlan *
plan_case (const Case *c, int time, GError **error)
{
  const PublishedJob *job = &c->job;
  g_autofree char *deep
      = job->dimensions < 3 ? g_strdup ("")
        : job->dimensions < 4
            ? g_strdup (",elevation=20,dimensions=3")
            : g_strdup_printf (",elevation=20,tempo=10,duration=%d,dimensions=4",
                               job->side);
  g_autofree char *text = g_strdup_printf (
      "convolve:shape=quadrature,direction=30,size=%d%s", job->side, deep);
  OdlNeighbours *neighbours = odl_neighbours_new (time, job->times);
  OdlGeometry geometry = odl_geometry_of (c->volumes[time]);
  OdlRecipe recipe;

  for (int t = 0; t < job->times; t++)
    odl_neighbours_put (neighbours, t, c->volumes[t]);
  if (job->dimensions > 3)
    geometry.neighbours = neighbours;
  odl_recipe_init (&recipe);
  OdlPlan *plan = odl_recipe_parse (&recipe, text, error)
                      ? odl_plan_new (&recipe, &geometry, error)
                      : NULL;
  odl_neighbours_unref (neighbours);
  return plan;
}

// The coefficients of all convolutions of the plan, time step by time step.
static float *
find_kernel (const Case *c, const OdlPlan *plan)
{
  const int side = c->job.side;
  const size_t each = (size_t) side * side * (c->job.dimensions > 2 ? side : 1);
  float *kernel = g_new (float, each *(c->job.dimensions > 3 ? side : 1));
  int n = 0;

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_CONVOLVE)
      memcpy (kernel + (size_t) n++ * each, plan->steps[i].parameters.kernel,
              each * sizeof *kernel);
  return kernel;
}

// The volume before, so that the engine has what a sequence leaves it.
static bool
run_before (const Case *c, GError **error)
{
  const int time = c->job.times / 2 - 1;
  g_autoptr (OdlPlan) plan = plan_case (c, time, error);

  return plan != NULL && odl_engine_prepare (c->engine, plan, error)
         && odl_engine_run (c->engine, plan, c->volumes[time], error);
}

static bool
run_engine (Case *c, const OdlPlan *plan, const char *way, GError **error)
{
  OdlImage *input = c->volumes[c->job.times / 2];
  const size_t n = count_samples (&c->job);

  if (!odl_engine_choose (c->engine, way, error)
      || (c->job.times > 1 && !run_before (c, error))
      || !odl_engine_prepare (c->engine, plan, error)
      || !odl_engine_run (c->engine, plan, input, error))
    return false;
  const double us = measure (c, repeat, NULL);
  glFinish ();
  const int64_t start = odl_clock_now_ns ();
  if (!odl_engine_run (c->engine, plan, input, error))
    return false;
  g_autoptr (OdlImage) result
      = odl_engine_read_back (c->engine, plan, plan->result, error);
  if (result == NULL)
    return false;
  const double all = (double) (odl_clock_now_ns () - start) / 1000;
  const float *samples = odl_image_info (result)->planes[0].data;
  if (c->truth == NULL)
    c->truth = g_memdup2 (samples, n * sizeof *samples);
  print_row (c, g_str_equal (way, "fft") ? "ours FFT" : "ours", us, all - us, samples, 0);
  return true;
}

// ---- the published ways ----

static void
run_published (const Case *c, void *data)
{
  published_run (data, &c->job, c->job.times / 2);
}

static void
measure_published (const Case *c, PublishedWay way)
{
  Published *published = published_new (way, &c->job);
  const bool texture = way == PUBLISHED_TEXTURE || way == PUBLISHED_TEXTURE_UNROLLED;
  const size_t bytes = count_samples (&c->job) * sizeof (float);
  g_autofree float *result = g_malloc (bytes);

  if (published == NULL)
    return;
  const double us = measure (c, run_published, published);
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_COPY_READ_BUFFER, c->job.result);
  glGetBufferSubData (GL_COPY_READ_BUFFER, 0, (GLsizeiptr) bytes, result);
  print_row (c, published_names[way], us, c->transfer_us, result,
             texture ? c->job.side / 2 : 0);
  published_free (published);
}

static void
run_fourier (const Case *c, void *data)
{
  published_fourier_run (data, &c->job, c->job.times / 2);
}

// All volumes at once; what is printed is one's share.
static void
measure_fourier (const Case *c)
{
  PublishedFourier *fourier = published_fourier_new (&c->job);
  const size_t bytes = count_samples (&c->job) * sizeof (float);
  g_autofree float *result = g_malloc (bytes);

  if (fourier == NULL)
    return;
  const double us = measure (c, run_fourier, fourier) / c->job.times;
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_COPY_READ_BUFFER, c->job.result);
  glGetBufferSubData (GL_COPY_READ_BUFFER, 0, (GLsizeiptr) bytes, result);
  print_row (c, "FFT as published", us, c->transfer_us, result, 0);
  published_fourier_free (fourier);
}

// ---- cases ----

static GLuint
new_buffer (size_t bytes, const void *data)
{
  GLuint buffer;

  glGenBuffers (1, &buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) bytes, data, GL_DYNAMIC_COPY);
  return buffer;
}

static bool
make_data (Case *c, GError **error)
{
  const PublishedJob *job = &c->job;
  const size_t n = count_samples (job), all = n * (size_t) job->times;
  guint32 state = 1;

  c->data = g_new (float, all);
  for (size_t i = 0; i < all; i++) {
    state = state * 1664525u + 1013904223u;
    c->data[i] = (float) (state >> 8) / 16777216.0f;
  }
  c->volumes = g_new0 (OdlImage *, job->times);
  for (int t = 0; t < job->times; t++) {
    const OdlImageInfo info = { .extent = { job->width, job->height, job->depth, 1 },
                                .channels = 1,
                                .type = ODL_SAMPLE_F32,
                                .stored_max = 1 };
    void *samples;
    c->volumes[t] = odl_image_alloc (&info, &samples, error);
    if (c->volumes[t] == NULL)
      return false;
    memcpy (samples, c->data + (size_t) t * n, n * sizeof (float));
  }
  c->job.samples = new_buffer (all * sizeof (float), c->data);
  c->job.result = new_buffer (n * sizeof (float), NULL);
  c->transfer_us = measure_transfer (c);
  return true;
}

static void
clear_case (Case *c)
{
  for (int t = 0; c->volumes != NULL && t < c->job.times; t++)
    g_clear_pointer (&c->volumes[t], odl_image_unref);
  g_free (c->volumes);
  g_free (c->data);
  g_free (c->truth);
  glDeleteBuffers (1, &c->job.samples);
  glDeleteBuffers (1, &c->job.result);
}

static bool
measure_case (OdlEngine *engine, int figure, PublishedJob job, GError **error)
{
  Case c = { .figure = figure, .job = job, .engine = engine };
  if (small) {
    c.job.width = c.job.width / 8 + 1;
    c.job.height = c.job.height / 8 + 3;
    c.job.depth = job.depth > 1 ? job.depth / 8 + 2 : 1;
  }
  if (only_side > 0 && job.side != only_side)
    return true;
  bool ok = make_data (&c, error);
  g_autoptr (OdlPlan) plan = ok ? plan_case (&c, job.times / 2, error) : NULL;

  ok = plan != NULL && run_engine (&c, plan, "direct", error)
       && run_engine (&c, plan, "fft", error);
  if (ok) {
    g_autofree float *kernel = find_kernel (&c, plan);
    c.job.kernel = kernel;
    for (int way = ours ? PUBLISHED_N_WAYS : 0; way < PUBLISHED_N_WAYS; way++)
      measure_published (&c, (PublishedWay) way);
    if (!ours)
      measure_fourier (&c);
  }
  clear_case (&c);
  return ok;
}

static bool
measure_figure (OdlEngine *engine, int figure, int step, GError **error)
{
  static const PublishedJob sides[]
      = { { .width = 2048, .height = 2048, .depth = 1, .times = 1, .dimensions = 2 },
          { .width = 256, .height = 256, .depth = 256, .times = 1, .dimensions = 3 },
          { .width = 128, .height = 128, .depth = 128, .times = 19, .dimensions = 4 } };
  bool ok = true;

  if (figure % 2 == 0) { // over the side of the kernel
    PublishedJob job = sides[figure / 2 - 3];
    for (job.side = 3; job.side <= 17 && ok; job.side += 2)
      ok = measure_case (engine, figure, job, error);
    return ok;
  }
  const int kernels[3][2] = { { 9, 17 }, { 7, 13 }, { 7, 11 } };
  const int least[] = { 128, 64, 16 }, most[] = { 4096, 512, 128 };
  const int kind = figure / 2 - 3;
  for (int k = 0; k < 2; k++)
    for (int n = least[kind]; n <= most[kind] && ok; n += step > 0 ? step : least[kind]) {
      PublishedJob job = sides[kind];
      if (only > 0 && n != only)
        continue;
      job.side = kernels[kind][k];
      if (kind < 2)
        job.width = job.height = n;
      if (kind == 1)
        job.depth = n;
      if (kind == 2)
        job.depth = 64, job.times = n;
      ok = measure_case (engine, figure, job, error);
    }
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, &error);
  OdlEngine *engine = headless != NULL
                          ? odl_engine_open (odl_engine_find ("gl-compute"), &error)
                          : NULL;
  bool ok = engine != NULL;
  int step = 0;

  if (ok)
    g_print ("# %s\nfigure,dimensions,width,height,depth,times,side,way,us,"
             "samples_per_us,us_with_transfer,sum_off,most_off\n",
             odl_gl_headless_renderer (headless));
  for (int i = 1; i < argc; i++)
    if (g_str_has_prefix (argv[i], "--step="))
      step = atoi (argv[i] + strlen ("--step="));
    else if (g_str_equal (argv[i], "--small"))
      small = true;
    else if (g_str_equal (argv[i], "--ours"))
      ours = true;
    else if (g_str_has_prefix (argv[i], "--only="))
      only = atoi (argv[i] + strlen ("--only="));
    else if (g_str_has_prefix (argv[i], "--side="))
      only_side = atoi (argv[i] + strlen ("--side="));
  for (int i = 1; i < argc && ok; i++)
    if (atoi (argv[i]) >= 6 && atoi (argv[i]) <= 11)
      ok = measure_figure (engine, atoi (argv[i]), step, &error);
  odl_engine_close (engine);
  if (ok)
    return differs ? EXIT_FAILURE : EXIT_SUCCESS;
  g_printerr ("%s\n", error != NULL ? error->message : "not enough memory");
  return EXIT_FAILURE;
}
