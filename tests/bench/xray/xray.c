// SPDX-License-Identifier: MIT
// Times the pipeline for bone on the X-ray phantom: the whole of it, and each step by
// itself, in milliseconds. Answers lines "ENGINE TYPE THREADS RUNS RECIPE" of standard
// input, so that another program can measure something else in between, with lines
// "NAME MEDIAN MEAN LEAST DEVIATION" and an empty one. TYPE is whole (12 bits) or float
// (the same values). “all” is the time from the picture in memory to the result in
// memory, or on the GPU; “steps” without LOAD; the others are steps by their names in
// plans. Arguments: width, height.
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "engine/gl/platform/headless.h"
#include "series.h"
#include "source/phantom/xray.h"

#define MOST_STEPS 64
#define WARM_UP_RUNS 2

typedef struct {
  double ms[MOST_RUNS];
} Series;

// The same values as fractions, which are not known to be whole.
static OdlImage *
as_floats (OdlImage *image, GError **error)
{
  OdlImageInfo info = { .extent = odl_image_info (image)->extent,
                        .channels = 1,
                        .type = ODL_SAMPLE_F32 };
  void *samples = NULL;
  OdlImage *floats = odl_image_alloc (&info, &samples, error);

  for (int y = 0; floats != NULL && y < info.extent.y; y++)
    odl_image_scaled_row (image, 0, y, 0, 0,
                          (float *) samples + (size_t) y * info.extent.x);
  return floats;
}

// One frame; *ms is set to the time of the wall clock.
static bool
run_once (OdlEngine *engine,
          const OdlPlan *plan,
          OdlImage *image,
          double *ms,
          GError **error)
{
  const int64_t start = odl_clock_now_ns ();
  const bool ok = odl_engine_run (engine, plan, image, error);

  if (engine->klass->needs_gl)
    glFinish ();
  *ms = (double) (odl_clock_now_ns () - start) / 1e6;
  return ok;
}

// Times of steps come some frames late from a GPU: those of the last one count.
static bool
run_steps (OdlEngine *engine,
           const OdlPlan *plan,
           OdlImage *image,
           int runs,
           GError **error)
{
  g_autofree Series *steps = g_new0 (Series, MOST_STEPS);
  g_autofree Series *all = g_new0 (Series, 1);
  double ms;

  engine->timing = true;
  for (int i = -WARM_UP_RUNS - 2; i < runs; i++) {
    if (!run_once (engine, plan, image, &ms, error))
      return false;
    for (int s = 0; i >= 0 && s < MIN (plan->n_steps, MOST_STEPS); s++) {
      steps[s].ms[i] = (double) engine->step_ns[s] / 1e6;
      all->ms[i] += plan->steps[s].kind != ODL_STEP_LOAD ? steps[s].ms[i] : 0;
    }
  }
  engine->timing = false;
  print_series ("steps", all->ms, runs);
  for (int s = 0; s < MIN (plan->n_steps, MOST_STEPS); s++)
    print_series (odl_step_row (plan->steps[s].kind)->name, steps[s].ms, runs);
  return true;
}

static bool
measure (OdlEngine *engine,
         const OdlPlan *plan,
         OdlImage *image,
         int runs,
         GError **error)
{
  g_autofree Series *all = g_new0 (Series, 1);
  double ms;

  for (int i = -WARM_UP_RUNS; i < runs; i++) {
    if (!run_once (engine, plan, image, &ms, error))
      return false;
    if (i >= 0)
      all->ms[i] = ms;
  }
  print_series ("all", all->ms, runs);
  return run_steps (engine, plan, image, runs, error);
}

static bool
answer (char **words, OdlImage *const images[2], GError **error)
{
  const OdlEngineClass *klass = odl_engine_find (words[0]);
  OdlImage *image = images[g_str_equal (words[1], "float")];
  const int runs = CLAMP (atoi (words[3]), 1, MOST_RUNS);
  const OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_parallel_set_threads (MAX (atoi (words[2]), 1));
  if (klass == NULL || !odl_recipe_parse (&recipe, words[4], error))
    return false;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL || !odl_engine_can_run (klass, plan, error))
    return false;
  g_autoptr (OdlGlHeadless) headless
      = klass->needs_gl ? odl_gl_headless_new (error) : NULL;
  if (klass->needs_gl && headless == NULL)
    return false;
  OdlEngine *engine = odl_engine_open (klass, error);
  const bool ok = engine != NULL && odl_engine_prepare (engine, plan, error)
                  && measure (engine, plan, image, runs, error);
  odl_engine_close (engine);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autofree char *text = g_strdup_printf (
      "phantom:xray:%sx%s", argc > 1 ? argv[1] : "2920", argc > 2 ? argv[2] : "2320");
  g_autoptr (GError) error = NULL;
  OdlXrayParams params;
  char line[1024];

  if (!odl_xray_parse (text, &params, &error)) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  g_autoptr (OdlImage) whole = odl_xray_image (&params, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) floats = as_floats (whole, &error);
  g_assert_no_error (error);
  OdlImage *const images[2] = { whole, floats };
  while (fgets (line, sizeof line, stdin) != NULL) {
    g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", 5);
    g_clear_error (&error);
    if (g_strv_length (words) != 5 || !answer (words, images, &error))
      printf ("error %s\n", error != NULL ? error->message : "a line has five words");
    printf ("\n");
    fflush (stdout);
  }
  return 0;
}
