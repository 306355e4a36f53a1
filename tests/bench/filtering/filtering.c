// SPDX-License-Identifier: MIT
// Figures 1.6 to 1.11 of A. Eklund, P. Dufort, "Non-separable 2D, 3D and 4D filtering
// with CUDA", GPU Pro 5 (2014): their ways (published.h) beside the engine's, directly
// and by Fourier transforms, each by its name. Each is compared with the plain reference
// (plain.h) first. Means of ten runs by the GPU's timer, transfers excluded, as
// there; and once with them. What a process has freed slows the next one down, so that
// one size, or one side of the kernel, may be asked for. Prints CSV, for
// tests/bench/tables/filtering.py, and fails if a way makes something else.
#include <gio/gio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/gl/compute/compute.h"
#include "engine/gl/platform/headless.h"
#include "engine/registry.h"
#include "plain.h"
#include "image/volume/neighbours.h"
#include "plan/plan.h"

#define RUNS 10
#define WARM_UP_US 150000
#define LONG_US 200000 // of a run that is made once

// Of results, whose samples are of 0 … 1, from the plain reference and from the engine's
// direct way.
#define MOST_OFF 2e-6

// Ways of the engine, then the published ones.
static const PublishedRow own_ways[] = {
  { "direct", "the engine's: products in registers; in 4D sums of 3D", 2, 4, 17, false,
    false },
  { "fft", "the engine's transforms, padded", 2, 4, 17, false, false },
};

#define N_OWN ((int) G_N_ELEMENTS (own_ways))
#define N_WAYS (N_OWN + PUBLISHED_N_WAYS)

static gboolean small, checks, lists;
static int only; // size in the plots over sizes; 0: all
static int only_side; // of kernels
static int step;
static char **names, **sizes, **figures;
static bool chosen[N_WAYS], differs;

typedef struct {
  int figure; // 0: of none
  PublishedJob job;
  float *data; // of all volumes
  Plain plain;
  float *truth; // what the engine makes directly
  OdlImage **volumes;
  OdlEngine *engine;
  double transfer_us; // up and down
} Case;

static const PublishedRow *
row_of (int way)
{
  return way < N_OWN ? &own_ways[way] : &published_ways[way - N_OWN];
}

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

// How far a way's result is from the engine's direct one, and from the plain reference.
typedef struct {
  double sum, most, plain;
} Off;

// Whether the way has to be right there.
static bool
counts (const PublishedJob *job, const PublishedRow *row, size_t at)
{
  const int margin = row->lacks_border ? job->side / 2 : 0;
  const int x = (int) (at % (size_t) job->width),
            y = (int) (at / (size_t) job->width % (size_t) job->height),
            z = (int) (at / (size_t) job->width / (size_t) job->height);

  return x >= margin && x < job->width - margin && y >= margin && y < job->height - margin
         && (job->depth == 1 || (z >= margin && z < job->depth - margin));
}

// The larger of both; what is no number is infinitely far.
static double
farther (double a, double b)
{
  return isfinite (b) ? MAX (a, b) : (double) INFINITY;
}

static Off
compare (const Case *c, const PublishedRow *row, const float *result)
{
  const PublishedJob *job = &c->job;
  Off off = { 0, 0, 0 };

  for (size_t i = 0; i < c->plain.n; i++) {
    const size_t at = c->plain.at[i];
    const double d = fabs ((double) result[at] - c->plain.value[i]);
    if (counts (job, row, at))
      off.plain = farther (off.plain, d);
  }
  for (size_t at = 0; at < count_samples (job); at++) {
    const double d = fabs ((double) result[at] - (double) c->truth[at]);
    if (!counts (job, row, at))
      continue;
    off.sum += d;
    off.most = farther (off.most, d);
  }
  return off;
}

// Whether the way is right, so that it may be measured; else says what it is.
static bool
check (const Case *c, const PublishedRow *row, const float *result, Off *off)
{
  *off = compare (c, row, result);
  if (off->most <= MOST_OFF && off->plain <= MOST_OFF)
    return true;
  g_printerr ("%s, %d x %d x %d x %d, side %d: off by %g from the plain reference and by "
              "%g from the direct way, %g at most\n",
              row->name, c->job.width, c->job.height, c->job.depth, c->job.times,
              c->job.side, off->plain, off->most, MOST_OFF);
  differs = true;
  return false;
}

// `us`: 0 where nothing is measured.
static void
print_row (const Case *c, const PublishedRow *row, double us, double transfer_us, Off off)
{
  const PublishedJob *job = &c->job;

  g_print ("%d,%d,%d,%d,%d,%d,%d,%s,%.2f,%.2f,%.2f,%.4g,%.3g,%.3g,%" G_GSIZE_FORMAT "\n",
           c->figure, job->dimensions, job->width, job->height, job->depth, job->times,
           job->side, row->name, us, us > 0 ? (double) count_samples (job) / us : 0,
           us + transfer_us, off.sum, off.most, off.plain, c->plain.n);
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
run_engine (Case *c, const OdlPlan *plan, int way, GError **error)
{
  const PublishedRow *row = row_of (way);
  OdlImage *input = c->volumes[c->job.times / 2];
  const size_t n = count_samples (&c->job);
  Off off;

  if (!odl_engine_choose (c->engine, row->name, error)
      || (c->job.times > 1 && !run_before (c, error))
      || !odl_engine_prepare (c->engine, plan, error)
      || !odl_engine_run (c->engine, plan, input, error))
    return false;
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
  if (!check (c, row, samples, &off) || !chosen[way])
    return true;
  const double us = checks ? 0 : measure (c, repeat, NULL);
  print_row (c, row, us, checks ? 0 : all - us, off);
  return true;
}

// ---- the published ways ----

static void
run_published (const Case *c, void *data)
{
  published_run (data, &c->job, c->job.times / 2);
}

// What is printed is one volume's share.
static void
measure_published (const Case *c, int way)
{
  const PublishedRow *row = row_of (way);
  Published *published = published_new ((PublishedWay) (way - N_OWN), &c->job);
  const size_t bytes = count_samples (&c->job) * sizeof (float);
  g_autofree float *result = g_malloc (bytes);
  const float nothing = NAN;
  Off off;

  if (published == NULL)
    return;
  // No way may leave what the one before it made.
  glBindBuffer (GL_COPY_WRITE_BUFFER, c->job.result);
  glClearBufferData (GL_COPY_WRITE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, &nothing);
  run_published (c, published);
  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_COPY_READ_BUFFER, c->job.result);
  glGetBufferSubData (GL_COPY_READ_BUFFER, 0, (GLsizeiptr) bytes, result);
  if (check (c, row, result, &off)) {
    const double us = checks ? 0 : measure (c, run_published, published);
    print_row (c, row, us / (row->all_times ? c->job.times : 1),
               checks ? 0 : c->transfer_us, off);
  }
  published_free (published);
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
  plain_clear (&c->plain);
  glDeleteBuffers (1, &c->job.samples);
  glDeleteBuffers (1, &c->job.result);
}

static bool
measure_case (OdlEngine *engine, int figure, PublishedJob job, GError **error)
{
  Case c = { .figure = figure, .job = job, .engine = engine };
  if (small && figure > 0) {
    c.job.width = c.job.width / 8 + 1;
    c.job.height = c.job.height / 8 + 3;
    c.job.depth = job.depth > 1 ? job.depth / 8 + 2 : 1;
  }
  if (only_side > 0 && job.side != only_side)
    return true;
  bool ok = make_data (&c, error);
  g_autoptr (OdlPlan) plan = ok ? plan_case (&c, job.times / 2, error) : NULL;
  g_autofree float *kernel = plan != NULL ? find_kernel (&c, plan) : NULL;

  ok = plan != NULL;
  c.job.kernel = kernel;
  if (ok)
    plain_make (&c.plain, &c.job, c.data, job.times / 2);
  for (int way = 0; way < N_OWN && ok; way++)
    if (way == 0 || chosen[way]) // the others are compared with the first
      ok = run_engine (&c, plan, way, error);
  for (int way = N_OWN; way < N_WAYS && ok; way++)
    if (chosen[way])
      measure_published (&c, way);
  clear_case (&c);
  return ok;
}

static bool
measure_figure (OdlEngine *engine, int figure, GError **error)
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

// ---- arguments ----

static bool fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static bool
fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                                                format, arguments));
  va_end (arguments);
  return false;
}

static char *
list_ways (void)
{
  GString *text = g_string_new (NULL);

  for (int way = 0; way < N_WAYS; way++) {
    const PublishedRow *row = row_of (way);
    g_string_append_printf (text, "%-17s%dD", row->name, row->least_dimensions);
    if (row->most_dimensions > row->least_dimensions)
      g_string_append_printf (text, " to %dD", row->most_dimensions);
    g_string_append_printf (text, ", sides of 3 to %d: %s\n", row->most_side, row->text);
  }
  return g_string_free (text, FALSE);
}

static bool
choose_ways (GError **error)
{
  g_autofree char *all = list_ways ();

  for (int way = 0; way < N_WAYS; way++)
    chosen[way] = names == NULL;
  for (char **name = names; name != NULL && *name != NULL; name++) {
    bool known = false;
    for (int way = 0; way < N_WAYS; way++)
      if (g_str_equal (*name, row_of (way)->name))
        known = chosen[way] = true;
    if (!known)
      return fail (error, "“%s” is none of the ways:\n%s", *name, all);
  }
  return true;
}

// WIDTHxHEIGHT[xSLICES[xTIMES]], and the side of the kernel.
static bool
parse_size (const char *text, PublishedJob *job, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "x", -1);
  int n[4] = { 1, 1, 1, 1 };
  const guint count = g_strv_length (parts);

  if (count < 2 || count > 4)
    return fail (error, "“%s” is no size: WIDTHxHEIGHT, xSLICES, xTIMES", text);
  for (guint i = 0; i < count; i++) {
    n[i] = atoi (parts[i]);
    if (n[i] < 1 || n[i] > 16384)
      return fail (error, "“%s”: sides are 1 to 16384", text);
  }
  *job = (PublishedJob){ .width = n[0],
                         .height = n[1],
                         .depth = n[2],
                         .times = n[3],
                         .side = only_side,
                         .dimensions = (int) count };
  if (job->side < 3 || job->side > 17 || job->side % 2 == 0)
    return fail (error, "%s: --side=N, odd, 3 to 17, is wanted with --size", text);
  for (int way = 0; way < N_WAYS && names != NULL; way++) {
    const PublishedRow *row = row_of (way);
    if (chosen[way]
        && (job->dimensions < row->least_dimensions
            || job->dimensions > row->most_dimensions || job->side > row->most_side))
      return fail (error,
                   "%s has no kernels of side %d in %d dimensions; --ways lists what "
                   "there is",
                   row->name, job->side, job->dimensions);
  }
  return true;
}

static bool
measure_all (GError **error)
{
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, error);
  OdlEngine *engine
      = headless != NULL ? odl_engine_open (odl_engine_find ("gl-compute"), error) : NULL;
  bool ok = engine != NULL;

  if (ok)
    g_print ("# %s\nfigure,dimensions,width,height,depth,times,side,way,us,"
             "samples_per_us,us_with_transfer,sum_off,most_off,plain_off,plain_samples\n",
             odl_gl_headless_renderer (headless));
  for (char **size = sizes; ok && size != NULL && *size != NULL; size++) {
    PublishedJob job;
    ok = parse_size (*size, &job, error) && measure_case (engine, 0, job, error);
  }
  for (char **figure = figures; ok && figure != NULL && *figure != NULL; figure++) {
    const int number = atoi (*figure);
    ok = number >= 6 && number <= 11
             ? measure_figure (engine, number, error)
             : fail (error, "“%s” is no figure: 6 to 11", *figure);
  }
  odl_engine_close (engine);
  return ok;
}

int
main (int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "ways", 0, 0, G_OPTION_ARG_NONE, &lists, "List the ways", NULL },
    { "way", 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, "Such ways alone", "NAME" },
    { "side", 0, 0, G_OPTION_ARG_INT, &only_side, "Kernels of that side alone", "N" },
    { "size", 0, 0, G_OPTION_ARG_STRING_ARRAY, &sizes,
      "Such data beside figures, with --side", "WIDTHxHEIGHT[xSLICES[xTIMES]]" },
    { "check", 0, 0, G_OPTION_ARG_NONE, &checks, "Measure nothing", NULL },
    { "step", 0, 0, G_OPTION_ARG_INT, &step, "Distance in plots over sizes", "N" },
    { "only", 0, 0, G_OPTION_ARG_INT, &only, "One size of these", "N" },
    { "small", 0, 0, G_OPTION_ARG_NONE, &small, "An eighth of each side", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &figures, NULL, "FIGURE…" },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *ways = list_ways ();

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_summary (context, "Measures ways of convolution; figures are 6 to "
                                         "11.");
  g_option_context_set_description (context, ways);
  bool ok
      = g_option_context_parse (context, &argc, &argv, &error) && choose_ways (&error);
  if (ok && lists)
    g_print ("%s", ways);
  else if (ok)
    ok = measure_all (&error);
  g_strfreev (names);
  g_strfreev (sizes);
  g_strfreev (figures);
  if (ok)
    return differs ? EXIT_FAILURE : EXIT_SUCCESS;
  g_printerr ("%s\n", error != NULL ? error->message : "not enough memory");
  return EXIT_FAILURE;
}
