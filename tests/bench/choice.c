// SPDX-License-Identifier: MIT
// For a bare machine: what `auto` measures and takes there, size by size, in the second
// that a window gives it, and the load of the processor while 512² is drawn 20 times a
// second.
#include <locale.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/load.h"
#include "engine/choice_measure.h"

static OdlPlan *
plan_for (const OdlImage *image, GError **error)
{
  const OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  return odl_recipe_parse (&recipe, "soft-threshold:levels=3,threshold=0.05", error)
             ? odl_plan_new (&recipe, &geometry, error)
             : NULL;
}

static bool
everything (OdlEngineChoice choice, void *data)
{
  return true;
}

static bool
print_choice (int side, int channels, const char *gpu, GError **error)
{
  g_autoptr (OdlImage) image = odl_bench_texture (side, side, channels, error);
  g_autoptr (OdlPlan) plan = image != NULL ? plan_for (image, error) : NULL;
  g_autoptr (OdlRanking) ranking = odl_ranking_new ("");

  if (plan == NULL)
    return false;
  OdlChoiceMeasure params = { .plan = plan, .image = image, .gpu = gpu };
  int64_t begin_ns = odl_clock_now_ns ();
  odl_choice_measure (ranking, &params);
  int64_t ns = odl_clock_now_ns () - begin_ns;

  g_autofree char *best
      = odl_engine_choice_to_text (odl_choice_pick (ranking, everything, NULL));
  g_print ("%d x %d x %d: %s, measured in %.0f ms\n", side, side, channels, best,
           ns * 1e-6);
  for (int i = 0; i < ranking->n; i++) {
    const OdlCandidate *c = &ranking->candidates[i];
    g_autofree char *name = odl_engine_choice_to_text (c->choice);
    if (c->state == ODL_CANDIDATE_MEASURED)
      g_print ("  %-22s %9.3f ms\n", name, c->ms);
    else
      g_print ("  %-22s %9s    %s\n", name, "-", c->reason != NULL ? c->reason : "");
  }
  return true;
}

static bool
print_load (const OdlEngineClass *klass, OdlGlHeadless *headless, bool timing)
{
  static const OdlBenchLoadParams params = { .fps = 20, .seconds = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_bench_texture (512, 512, 1, &error);
  g_autoptr (OdlPlan) plan = image != NULL ? plan_for (image, &error) : NULL;
  g_autoptr (OdlEngine) engine = plan != NULL ? odl_engine_open (klass, &error) : NULL;
  OdlBenchLoad load;

  if (engine != NULL)
    engine->timing = timing;
  if (engine == NULL
      || !odl_bench_load (engine, headless, plan, image, &params, &load, &error)) {
    g_print ("%s: %s\n", klass->name, error->message);
    return false;
  }
  g_print (
      "512 x 512 at %.1f frames per second, %s%s: %.2f %% of a core, %d of %d late\n",
      load.fps, klass->name, timing ? " with timers" : "", load.percent, load.late,
      load.frames);
  return true;
}

int
main (int argc, char **argv)
{
  static const int sides[] = { 128, 512, 1024, 2048, 4096 };
  g_autoptr (GError) error = NULL;
  g_autofree char *gpu = NULL;

  setlocale (LC_ALL, "");
  OdlGlHeadless *headless = odl_gl_headless_new (&error);
  if (headless == NULL)
    g_print ("%s\n", error->message);
  else
    gpu = g_strdup (odl_gl_headless_gpu (headless));
  g_clear_error (&error);
  g_print ("%s\n", gpu != NULL ? gpu : "no OpenGL");
  for (size_t i = 0; headless != NULL && i < odl_engine_count (); i++)
    if (odl_engine_at (i)->needs_gl) {
      print_load (odl_engine_at (i), headless, false);
      print_load (odl_engine_at (i), headless, true);
    }
  g_clear_pointer (&headless, odl_gl_headless_free);
  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++)
    for (int channels = 1; channels <= 3; channels += 2)
      if (!print_choice (sides[i], channels, gpu, &error)) {
        g_print ("%s\n", error->message);
        return 1;
      }
  return 0;
}
