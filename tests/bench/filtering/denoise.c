// SPDX-License-Identifier: MIT
// What filters in four dimensions cost over a whole data set, the phantom that beats,
// made here: of every volume the plan, the upload of what is new, the work, the
// read-back; and the work alone, with everything on the card. Arguments:
// WIDTHxHEIGHTxSLICESxTIMES, and a recipe; before them --engine=NAME, --way=NAME, a
// variant of it, and --resident, without reading back. Prints a Markdown table of
// milliseconds, and how much noise is left.
#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "engine/gl/compute/compute.h"
#include "engine/gl/platform/headless.h"
#include "engine/registry.h"
#include "engine/sections.h"
#include "image/volume/neighbours.h"
#include "image/volume/volume.h"
#include "plan/plan.h"
#include "source/phantom/volume.h"

#define REPEATS 5
#define RECIPE "adaptive:dimensions=4,noise=0.1,size=7,filter-size=11,smoothing=0"

typedef struct {
  const char *engine, *way, *size, *recipe;
  bool resident;
  double bytes;
} Options;

typedef struct {
  double plan, prepare, run, read, work; // milliseconds
} Times;

typedef struct {
  OdlVolumePhantom phantom;
  OdlImage **volumes;
  OdlRecipe recipe;
  OdlEngine *engine;
  bool on_card;
  bool resident;
  OdlSections sections;
  OdlSection section; // that is being filtered
  OdlImage **parts; // of all volumes
  Times sum;
  double squares; // of errors
  double noise; // likewise of the data
} Job;

static double
milliseconds (int64_t since_ns)
{
  return (double) (odl_clock_now_ns () - since_ns) / 1e6;
}

// ---- data ----

static OdlImage *
make_volume (const OdlVolumePhantom *phantom, int time, GError **error)
{
  const int depth = phantom->size[2];
  g_autofree OdlImage **slices = g_new0 (OdlImage *, depth);
  void *samples;
  bool ok = true;

  ODL_PARALLEL_FOR
  for (int z = 0; z < depth; z++)
    slices[z] = odl_volume_phantom_slice (phantom, time, z, NULL);
  for (int z = 0; z < depth; z++)
    ok = ok && slices[z] != NULL;
  OdlImage *volume = ok ? odl_volume_alloc (slices[0], depth, &samples, error) : NULL;
  for (int z = 0; z < depth; z++) {
    if (volume != NULL)
      odl_volume_put (volume, samples, z, slices[z]);
    g_clear_pointer (&slices[z], odl_image_unref);
  }
  return volume;
}

static bool
make_data (Job *job, GError **error)
{
  job->volumes = g_new0 (OdlImage *, job->phantom.times);
  for (int t = 0; t < job->phantom.times; t++) {
    job->volumes[t] = make_volume (&job->phantom, t, error);
    if (job->volumes[t] == NULL)
      return false;
  }
  return true;
}

// ---- one volume ----

static OdlPlan *
plan_of (const Job *job, OdlImage *const *volumes, int time, GError **error)
{
  OdlNeighbours *neighbours = odl_neighbours_new (time, job->phantom.times);

  for (int t = 0; t < job->phantom.times; t++)
    odl_neighbours_put (neighbours, t, volumes[t]);
  OdlGeometry geometry = odl_geometry_of (volumes[time]);
  geometry.neighbours = neighbours;
  OdlPlan *plan = odl_plan_new (&job->recipe, &geometry, error);
  odl_neighbours_unref (neighbours);
  return plan;
}

static void
wait (const Job *job)
{
  if (job->on_card)
    glFinish ();
}

// The same frame again, with everything there.
static double
measure_work (const Job *job)
{
  GLuint64 least = 0;

  for (int i = 0; i < REPEATS; i++) {
    GLuint64 ns;
    GLuint query;
    glGenQueries (1, &query);
    glBeginQuery (GL_TIME_ELAPSED, query);
    odl_gl_compute_repeat (job->engine, false);
    glEndQuery (GL_TIME_ELAPSED);
    glGetQueryObjectui64v (query, GL_QUERY_RESULT, &ns);
    glDeleteQueries (1, &query);
    least = i == 0 ? ns : MIN (least, ns);
  }
  return (double) least / 1e6;
}

static void
add_errors (Job *job, int time, const OdlImage *result)
{
  OdlVolumePhantom clean = job->phantom;
  clean.clean = true;
  const int z = clean.size[2] / 2;
  if (z < job->section.first || z >= job->section.end)
    return;
  const size_t area = (size_t) clean.size[0] * (size_t) clean.size[1];
  g_autoptr (OdlImage) truth = odl_volume_phantom_slice (&clean, time, z, NULL);
  g_autoptr (OdlImage) noisy = odl_volume_phantom_slice (&job->phantom, time, z, NULL);
  g_return_if_fail (truth != NULL && noisy != NULL);
  const OdlPlane *a = &odl_image_info (truth)->planes[0];
  const OdlPlane *b = &odl_image_info (noisy)->planes[0];
  const OdlPlane *c = &odl_image_info (result)->planes[0];

  for (size_t i = 0; i < area; i++) {
    const size_t y = i / (size_t) clean.size[0], x = i % (size_t) clean.size[0];
    const size_t at_a = y * (size_t) a->row_stride_bytes + 2 * x;
    const size_t at_b = y * (size_t) b->row_stride_bytes + 2 * x;
    const double wanted
        = *(const guint16 *) (const void *) ((const char *) a->data + at_a)
          / (double) ODL_VOLUME_PHANTOM_WHITE;
    const double had = *(const guint16 *) (const void *) ((const char *) b->data + at_b)
                       / (double) ODL_VOLUME_PHANTOM_WHITE;
    const double got = (double) *(
        const float *) (const void *) ((const char *) c->data
                                       + (size_t) (z - job->section.from)
                                             * (size_t) c->slice_stride_bytes
                                       + y * (size_t) c->row_stride_bytes + 4 * x);
    job->squares += (got - wanted) * (got - wanted) / (double) area;
    job->noise += (had - wanted) * (had - wanted) / (double) area;
  }
}

static bool
run_volume (Job *job, int time, GError **error)
{
  int64_t start = odl_clock_now_ns ();
  g_autoptr (OdlPlan) plan = plan_of (job, job->parts, time, error);
  Times times = { .plan = milliseconds (start) };

  if (plan == NULL)
    return false;
  start = odl_clock_now_ns ();
  job->engine->moment = (OdlMoment){ .take = 1, .serial = (int64_t) time };
  if (!odl_engine_prepare (job->engine, plan, error))
    return false;
  wait (job);
  times.prepare = milliseconds (start);
  start = odl_clock_now_ns ();
  if (!odl_engine_run (job->engine, plan, job->parts[time], error))
    return false;
  wait (job);
  times.run = milliseconds (start);
  if (job->resident && job->on_card)
    times.work = measure_work (job);
  start = odl_clock_now_ns ();
  if (!job->resident) {
    g_autoptr (OdlImage) result
        = odl_engine_read_back (job->engine, plan, plan->result, error);
    if (result == NULL)
      return false;
    times.read = milliseconds (start);
    add_errors (job, time, result);
  }
  g_print ("| %d | %.1f | %.1f | %.1f | %.1f | %.2f |\n", time, times.plan, times.prepare,
           times.run, times.read, times.work);
  job->sum.plan += times.plan;
  job->sum.prepare += times.prepare;
  job->sum.run += times.run;
  job->sum.read += times.read;
  job->sum.work += times.work;
  return true;
}

static bool
find_sections (Job *job, const Options *options, GError **error)
{
  const double bytes = options->bytes > 0 ? options->bytes : job->engine->memory;
  const int middle = job->phantom.times / 2;
  g_autoptr (OdlPlan) plan = plan_of (job, job->volumes, middle, error);

  if (plan == NULL)
    return false;
  job->sections = odl_sections_of (plan, bytes, job->engine->block,
                                   job->engine->klass->shares_memory);
  g_autofree char *text = odl_sections_to_text (&job->sections);
  g_print ("%s\n\n", text);
  return true;
}

// All volumes, so that each one is uploaded once.
static bool
run_section (Job *job, int index, GError **error)
{
  const int times = job->phantom.times;
  bool ok = true;

  job->section = odl_sections_at (&job->sections, index);
  job->parts = g_new0 (OdlImage *, times);
  for (int t = 0; t < times; t++)
    job->parts[t]
        = odl_section_of_volume (job->volumes[t], job->section.from, job->sections.depth);
  for (int t = 0; t < times && ok; t++)
    ok = run_volume (job, t, error);
  for (int t = 0; t < times; t++)
    odl_image_unref (job->parts[t]);
  g_clear_pointer (&job->parts, g_free);
  return ok;
}

static bool
run_all (Job *job, const Options *options, GError **error)
{
  g_autoptr (OdlGlHeadless) headless = NULL;
  int64_t start = odl_clock_now_ns ();
  bool ok = true;

  if (!make_data (job, error))
    return false;
  g_print ("the data took %.1f s to make\n\n", milliseconds (start) / 1e3);
  const OdlEngineClass *klass = odl_engine_find (options->engine);
  g_assert (klass != NULL);
  job->on_card = klass->needs_gl;
  if (klass->needs_gl) {
    headless = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, error);
    if (headless == NULL)
      return false;
    g_print ("%s\n\n", odl_gl_headless_renderer (headless));
  }
  job->engine = odl_engine_open (klass, error);
  if (job->engine == NULL
      || (options->way != NULL && !odl_engine_choose (job->engine, options->way, error)))
    return false;
  if (!find_sections (job, options, error))
    return false;
  g_print ("| volume | plan | prepare | run, with the upload | read-back | work alone "
           "|\n| --: "
           "| --: | --: | --: | --: | --: |\n");
  start = odl_clock_now_ns ();
  for (int i = 0; i < job->sections.count && ok; i++)
    ok = run_section (job, i, error);
  if (ok) {
    const double all = milliseconds (start);
    g_print (
        "| all | %.1f | %.1f | %.1f | %.1f | %.2f |\n\n%s:%s, %s, %s: %.2f s in all\n",
        job->sum.plan, job->sum.prepare, job->sum.run, job->sum.read, job->sum.work,
        options->engine, job->engine->variant, options->size, options->recipe, all / 1e3);
    if (!job->resident)
      g_print ("PSNR of the slices in the middle: noisy %.2f dB, filtered %.2f dB\n",
               -10 * log10 (job->noise / job->phantom.times),
               -10 * log10 (job->squares / job->phantom.times));
  }
  odl_engine_close (job->engine);
  return ok;
}

static bool
parse (int argc, char **argv, Options *options)
{
  *options = (Options){ .engine = "gl-compute", .recipe = RECIPE };
  for (int i = 1; i < argc; i++)
    if (g_str_has_prefix (argv[i], "--engine="))
      options->engine = argv[i] + strlen ("--engine=");
    else if (g_str_has_prefix (argv[i], "--way="))
      options->way = argv[i] + strlen ("--way=");
    else if (g_str_has_prefix (argv[i], "--gigabytes="))
      options->bytes = 1e9 * g_ascii_strtod (argv[i] + strlen ("--gigabytes="), NULL);
    else if (g_str_equal (argv[i], "--resident"))
      options->resident = true;
    else if (options->size == NULL)
      options->size = argv[i];
    else
      options->recipe = argv[i];
  return options->size != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Options options;
  Job job = { 0 };

  if (!parse (argc, argv, &options)) {
    g_printerr (
        "usage: odl-denoise [--engine=NAME] [--way=NAME] [--gigabytes=N] [--resident] "
        "WIDTHxHEIGHTxSLICESxTIMES [RECIPE]\n");
    return EXIT_FAILURE;
  }
  g_autofree char *text
      = g_strdup_printf ("phantom:%s,noise=gaussian,sigma=0.1", options.size);
  odl_recipe_init (&job.recipe);
  bool ok = odl_volume_phantom_parse (text, &job.phantom, &error)
            && odl_recipe_parse (&job.recipe, options.recipe, &error);
  if (ok) {
    job.resident = options.resident;
    ok = run_all (&job, &options, &error);
  }
  for (int t = 0; job.volumes != NULL && t < job.phantom.times; t++)
    g_clear_pointer (&job.volumes[t], odl_image_unref);
  g_free (job.volumes);
  if (ok)
    return EXIT_SUCCESS;
  g_printerr ("%s\n", error != NULL ? error->message : "not enough memory");
  return EXIT_FAILURE;
}
