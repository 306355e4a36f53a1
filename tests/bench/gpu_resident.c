// SPDX-License-Identifier: MIT
// Times the engine gl-compute on a picture that lies on the GPU already: 3-level CDF 9/7
// analysis, shrinkage, synthesis; and the synthesis alone, as for a moved slider. Frames
// follow each other without a pause, so that the clock of the GPU is up. Prints a
// Markdown table of microseconds.
#include <epoxy/gl.h>
#include <stdlib.h>

#include "engine/bench.h"
#include "engine/gl/compute.h"
#include "engine/gl/headless.h"

#define FRAMES 200

// The clock falls to a fifth while programs are compiled and pictures made, and takes
// that long to rise again (H200).
#define WARM_UP_US 400000

static int
compare (const void *a, const void *b)
{
  const GLuint64 left = *(const GLuint64 *) a, right = *(const GLuint64 *) b;

  return left < right ? -1 : left > right;
}

// Microseconds of one frame: the median in `times`[0], the least in [1].
static void
measure (OdlEngine *engine, bool synthesis_only, double times[2])
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
  times[0] = (double) ns[FRAMES / 2] / 1000;
  times[1] = (double) ns[0] / 1000;
}

static bool
measure_side (OdlEngine *engine, int side, int precision, GError **error)
{
  g_autofree char *text
      = g_strdup_printf ("shrinkage:wavelet=cdf97,levels=3 precision=%d", precision);
  g_autoptr (OdlImage) image = odl_bench_texture (side, side, 1, error);
  OdlRecipe recipe;
  double frame[2], slider[2];

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
  measure (engine, false, frame);
  measure (engine, true, slider);
  g_print ("| %d² | %d | %s | %.1f | %.1f | %.1f | %.1f |\n", side, precision,
           engine->variant, frame[0], frame[1], slider[0], slider[1]);
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
      "%s\n\n| size | bits | way | frame, median | least | slider, median | least |\n"
      "| --- | --: | --- | --: | --: | --: | --: |\n",
      odl_gl_headless_renderer (headless));
  for (int s = 0; s < n_sides && ok; s++)
    for (size_t p = 0; p < G_N_ELEMENTS (precisions) && ok; p++)
      ok = measure_side (engine, sides[s], precisions[p], error);
  odl_engine_close (engine);
  return ok;
}

int
main (void)
{
  static const int sides[] = { 512, 1024, 2048, 4096, 8192 };
  g_autoptr (GError) error = NULL;

  if (measure_all (G_N_ELEMENTS (sides), sides, &error))
    return EXIT_SUCCESS;
  g_printerr ("%s\n", error->message);
  return EXIT_FAILURE;
}
