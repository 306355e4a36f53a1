// SPDX-License-Identifier: MIT
// Times the engine gl-compute on a picture that lies on the GPU already: 3-level CDF 9/7
// analysis, shrinkage, synthesis; and the synthesis alone, as for a moved slider. Frames
// follow each other without a pause, so that the clock of the GPU is up. A query per
// frame makes the GPU wait at both its ends; a series of frames within one does not.
// Prints a Markdown table of microseconds. Arguments: sides.
#include <epoxy/gl.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "engine/gl/compute/compute.h"
#include "engine/gl/platform/headless.h"

#define FRAMES 200
#define MOST_SIDES 16

// The clock falls to a fifth while programs are compiled and pictures made, and takes
// that long to rise again (H200).
#define WARM_UP_US 400000

static int
compare (const void *a, const void *b)
{
  const GLuint64 left = *(const GLuint64 *) a, right = *(const GLuint64 *) b;

  return left < right ? -1 : left > right;
}

// Microseconds of one frame.
typedef struct {
  double median, least; // with a query for each
  double series; // by one query around all
} Times;

static double
measure_series (OdlEngine *engine, bool synthesis_only)
{
  GLuint64 ns = 0;
  GLuint query;

  glGenQueries (1, &query);
  glBeginQuery (GL_TIME_ELAPSED, query);
  for (int i = 0; i < FRAMES; i++)
    odl_gl_compute_repeat (engine, synthesis_only);
  glEndQuery (GL_TIME_ELAPSED);
  glGetQueryObjectui64v (query, GL_QUERY_RESULT, &ns);
  glDeleteQueries (1, &query);
  return (double) ns / 1000 / FRAMES;
}

static Times
measure (OdlEngine *engine, bool synthesis_only)
{
  GLuint queries[FRAMES];
  GLuint64 ns[FRAMES];

  glGenQueries (FRAMES, queries);
  const int64_t end = g_get_monotonic_time () + WARM_UP_US;
  do {
    for (int i = 0; i < FRAMES; i++)
      odl_gl_compute_repeat (engine, synthesis_only);
    glFinish ();
  } while (g_get_monotonic_time () < end);
  for (int i = 0; i < FRAMES; i++) {
    glBeginQuery (GL_TIME_ELAPSED, queries[i]);
    odl_gl_compute_repeat (engine, synthesis_only);
    glEndQuery (GL_TIME_ELAPSED);
  }
  for (int i = 0; i < FRAMES; i++)
    glGetQueryObjectui64v (queries[i], GL_QUERY_RESULT, &ns[i]);
  glDeleteQueries (FRAMES, queries);
  qsort (ns, FRAMES, sizeof ns[0], compare);
  return (Times){ (double) ns[FRAMES / 2] / 1000, (double) ns[0] / 1000,
                  measure_series (engine, synthesis_only) };
}

static bool
measure_side (OdlEngine *engine, int side, int precision, GError **error)
{
  g_autofree char *text
      = g_strdup_printf ("shrinkage:wavelet=cdf97,levels=3 precision=%d", precision);
  g_autoptr (OdlImage) image = odl_bench_texture (side, side, 1, error);
  OdlRecipe recipe;

  if (image == NULL)
    return false;
  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, text, error))
    return false;
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL || !odl_engine_prepare (engine, plan, error)
      || !odl_engine_run (engine, plan, image, error))
    return false;
  const Times frame = measure (engine, false), slider = measure (engine, true);
  g_print ("| %d² | %d | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", side,
           precision, engine->variant, frame.median, frame.least, frame.series,
           slider.median, slider.least, slider.series);
  return true;
}

static bool
measure_all (int n_sides, const int *sides, GError **error)
{
  static const int precisions[] = { 32, 16 };
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, error);
  bool ok = true;

  if (headless == NULL)
    return false;
  OdlEngine *engine = odl_engine_open (odl_engine_find ("gl-compute"), error);
  if (engine == NULL)
    return false;
  g_print (
      "%s\n\n| size | bits | way | frame, median | least | of a series | slider, median "
      "| "
      "least | of a series |\n| --- | --: | --- | --: | --: | --: | --: | --: | --: |\n",
      odl_gl_headless_renderer (headless));
  for (int s = 0; s < n_sides && ok; s++)
    for (size_t p = 0; p < G_N_ELEMENTS (precisions) && ok; p++)
      ok = measure_side (engine, sides[s], precisions[p], error);
  odl_engine_close (engine);
  return ok;
}

int
main (int argc, char **argv)
{
  int sides[MOST_SIDES] = { 512, 1024, 2048, 4096, 8192 };
  int n = 5;
  g_autoptr (GError) error = NULL;

  if (argc > 1)
    for (n = 0; n < MIN (argc - 1, MOST_SIDES); n++)
      sides[n] = atoi (argv[n + 1]);
  if (measure_all (n, sides, &error))
    return EXIT_SUCCESS;
  g_printerr ("%s\n", error->message);
  return EXIT_FAILURE;
}
