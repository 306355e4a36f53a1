// SPDX-License-Identifier: MIT
// Each number of each filter is moved over its range, on every engine: where that changes
// parameters alone, nothing is allocated or compiled after the first frame, and where it
// changes the plan, no program is compiled that was there before.
#include "bench/bench.h"
#include "engine/gl/platform/headless.h"

#include "../helpers/plans.h"

#define WIDTH 36
#define HEIGHT 28
#define VALUES 4
#define SETTLED 2 // frames until there is all that is kept

// Numbers that say how many steps or samples there are; all others are values.
static const char *const of_the_plan[]
    = { "levels", "shifts", "steps", "rounds", "radius", "smoothing", NULL };

typedef struct {
  OdlEngine *engine;
  OdlImage *image;
  int moved, rebuilt; // parameters that left the plan's structure, and that changed it
} Bench;

// A filter whose parameter has the i-th of VALUES values, from its typical one on.
static OdlPlan *
plan_at (const Bench *bench,
         const OdlFilter *filter,
         const OdlParameter *parameter,
         int i)
{
  OdlRecipe recipe = odl_test_recipe (filter->name);
  const OdlGeometry geometry = odl_geometry_of (bench->image);
  const double span = parameter->maximum - parameter->minimum;
  double value = i == 0 ? parameter->default_value
                        : parameter->minimum + span * (i - 0.5) / (VALUES - 1);
  if (parameter->kind == ODL_PARAMETER_INTEGER)
    value = floor (value);
  for (int n = 0; n < parameter->count; n++)
    odl_recipe_set (&recipe, 0, parameter->key, n, value);
  return odl_test_plan_of (&recipe, &geometry);
}

static void
run (Bench *bench, const OdlPlan *plan)
{
  odl_test_run (bench->engine, plan, bench->image);
}

static void
check (Bench *bench, const OdlFilter *filter, const OdlParameter *parameter)
{
  g_autoptr (OdlPlan) first = plan_at (bench, filter, parameter, 0);
  bool same = true;
  if (first->result == first->source
      || !odl_engine_can_run (bench->engine->klass, first, NULL))
    return;
  for (int i = 0; i < SETTLED; i++)
    run (bench, first);
  OdlEngineCounters before = bench->engine->counters;
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 1; i < VALUES; i++) {
      g_autoptr (OdlPlan) plan = plan_at (bench, filter, parameter, i);
      same = same && odl_plan_same_structure (plan, first);
      if (same || odl_engine_can_run (bench->engine->klass, plan, NULL))
        run (bench, plan);
    }
    // What is only another value is told at once, another plan when it comes again.
    if (turn == 0 && !same)
      before = bench->engine->counters;
  }
  const OdlEngineCounters after = bench->engine->counters;
  if (after.programs != before.programs
      || (same
          && (after.allocations != before.allocations
              || after.textures != before.textures)))
    g_error ("%s: %s.%s: %zu programs, %zu allocations, %zu textures",
             bench->engine->klass->name, filter->name, parameter->key,
             after.programs - before.programs, after.allocations - before.allocations,
             after.textures - before.textures);
  if (!same && !g_strv_contains (of_the_plan, parameter->key))
    g_error ("%s.%s changes the plan", filter->name, parameter->key);
  *(same ? &bench->moved : &bench->rebuilt) += 1;
}

static void
check_engine (const void *data)
{
  const OdlEngineClass *klass = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = NULL;
  if (klass->needs_gl && (headless = odl_gl_headless_new (&error)) == NULL) {
    g_test_skip (error->message);
    return;
  }
  g_autoptr (OdlImage) image = odl_bench_texture (WIDTH, HEIGHT, 1, &error);
  g_autoptr (OdlEngine) engine = odl_engine_open (klass, &error);
  g_assert_no_error (error);
  Bench bench = { engine, image, 0, 0 };
  for (size_t f = 0; f < odl_filter_count (); f++) {
    const OdlFilter *filter = odl_filter_at (f);
    for (size_t p = 0; p < filter->n_parameters; p++)
      switch (filter->parameters[p].kind) {
      case ODL_PARAMETER_NUMBER:
      case ODL_PARAMETER_INTEGER:
      case ODL_PARAMETER_MATRIX:
        check (&bench, filter, &filter->parameters[p]);
        break;
      default:
        break;
      }
  }
  g_test_message ("%s: %d controls are values, %d change the plan", klass->name,
                  bench.moved, bench.rebuilt);
  g_assert_cmpint (bench.moved, >, 20);
}

int
main (int argc, char **argv)
{
  static const char *const engines[] = { "cpu", "gl-fragment", "gl-compute" };
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    g_autofree char *path
        = g_strconcat ("/controls/move-without-work/", engines[i], NULL);
    g_test_add_data_func (path, odl_engine_find (engines[i]), check_engine);
  }
  return g_test_run ();
}
