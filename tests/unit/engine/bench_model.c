// SPDX-License-Identifier: MIT
// Formulas of the benchmark: the model, and bytes of steps.
#include "engine/bench_model.h"

#include "engine/bench_bytes.h"

#define SIDES 6
#define POINTS (2 * SIDES)

// Times that a machine of known rates would take, in single and half floats: half the
// bytes, the same operations.
static void
make_points (const OdlBenchModel *truth, bool with_upload, OdlBenchPoint *points)
{
  for (int i = 0; i < POINTS; i++) {
    const double side = 128 << (i / 2), samples = side * side;
    OdlBenchPoint *point = &points[i];

    *point = (OdlBenchPoint){ .uploaded = with_upload ? samples : 0,
                              .moved = samples * (i % 2 == 0 ? 42 : 21),
                              .operations = samples * 80 };
    point->upload_ms = with_upload ? samples * 1e-6 / truth->bus_gb_per_s : 0;
    point->rest_ms = odl_bench_model_ms (truth, point) - point->upload_ms;
  }
}

static void
assert_close (double value, double wanted)
{
  g_assert_cmpfloat_with_epsilon (value / wanted, 1, 1e-6);
}

static void
test_recovers_rates (void)
{
  // Single floats wait for memory, half floats for arithmetic.
  const OdlBenchModel truth = { .overhead_ms = 0.05,
                                .bus_gb_per_s = 12,
                                .memory_gb_per_s = 80,
                                .arithmetic_gop_per_s = 250 };
  OdlBenchPoint points[POINTS];
  OdlBenchModel model;

  make_points (&truth, true, points);
  g_assert_true (odl_bench_model_fit (points, POINTS, 0, &model));
  assert_close (model.overhead_ms, truth.overhead_ms);
  assert_close (model.bus_gb_per_s, truth.bus_gb_per_s);
  assert_close (model.memory_gb_per_s, truth.memory_gb_per_s);
  assert_close (model.arithmetic_gop_per_s, truth.arithmetic_gop_per_s);
  for (int i = 0; i < POINTS; i++)
    assert_close (odl_bench_model_ms (&model, &points[i]),
                  points[i].upload_ms + points[i].rest_ms);
}

static void
test_names_what_limits (void)
{
  const OdlBenchModel slow_memory = { .overhead_ms = 1,
                                      .bus_gb_per_s = 1,
                                      .memory_gb_per_s = 10,
                                      .arithmetic_gop_per_s = 1e6 };
  OdlBenchPoint points[POINTS];
  OdlBenchModel model;

  make_points (&slow_memory, false, points);
  g_assert_true (odl_bench_model_fit (points, POINTS, 0, &model));
  assert_close (model.memory_gb_per_s, 10);
  assert_close (model.overhead_ms, 1);
  g_assert_cmpfloat (model.bus_gb_per_s, ==, 0);
  g_assert_cmpfloat (model.arithmetic_gop_per_s, ==, 0);
}

static void
test_does_not_blame_fast_memory (void)
{
  const OdlBenchModel slow_memory
      = { .memory_gb_per_s = 10, .arithmetic_gop_per_s = 1e6 };
  OdlBenchPoint points[POINTS];
  OdlBenchModel model;

  make_points (&slow_memory, false, points);
  // Single floats alone, which are all alike; a copy moves ten times as much.
  for (int i = 0; i < SIDES; i++)
    points[i] = points[2 * i];
  g_assert_true (odl_bench_model_fit (points, SIDES, 20, &model));
  assert_close (model.memory_gb_per_s, 10);
  g_assert_true (odl_bench_model_fit (points, SIDES, 100, &model));
  g_assert_cmpfloat (model.memory_gb_per_s, ==, 0);
  assert_close (model.arithmetic_gop_per_s, 10.0 * 80 / 42);
}

static void
test_bears_noise (void)
{
  const OdlBenchModel truth = { .overhead_ms = 0.05,
                                .bus_gb_per_s = 12,
                                .memory_gb_per_s = 80,
                                .arithmetic_gop_per_s = 250 };
  OdlBenchPoint points[POINTS];
  OdlBenchModel model;
  guint32 noise = 1;

  make_points (&truth, true, points);
  for (int i = 0; i < POINTS; i++) {
    noise = noise * 1664525u + 1013904223u;
    points[i].rest_ms *= 0.95 + 0.1 * (noise >> 8) / 16777216.0;
  }
  g_assert_true (odl_bench_model_fit (points, POINTS, 0, &model));
  g_assert_cmpfloat_with_epsilon (model.memory_gb_per_s / 80, 1, 0.1);
  g_assert_cmpfloat_with_epsilon (model.arithmetic_gop_per_s / 250, 1, 0.1);
}

static void
test_needs_two_points (void)
{
  const OdlBenchPoint point = { .moved = 1, .rest_ms = 1 };
  OdlBenchModel model;

  g_assert_false (odl_bench_model_fit (&point, 1, 0, &model));
}

static OdlPlan *
plan_of (const char *text, OdlGeometry geometry)
{
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, text, &error);
  g_assert_no_error (error);
  OdlPlan *plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  return plan;
}

// Reference figures of the literature: 8 s S bytes of a pixel by rows and columns, plus
// 2 s (1 − 4^-L) for thresholds of their own; 4 s S with a pass for each level and
// direction; s_i + s_o all in one.
static void
test_bytes_follow_the_formulas (void)
{
  const OdlGeometry geometry = { 64, 64, 3, 8 };
  g_autoptr (OdlPlan) plan
      = plan_of ("soft-threshold:wavelet=cdf97,levels=3,threshold=0.1", geometry);
  const double samples = 64 * 64 * 3, sum = 4.0 / 3 * (1 - 1.0 / 64);
  double transforms = 0, thresholds = 0, fused = 0;

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const OdlBenchBytes bytes = odl_bench_step_bytes (plan, i, 1);
    if (step->kind == ODL_STEP_THRESHOLD)
      thresholds += bytes.reads + bytes.writes;
    else if (step->kind != ODL_STEP_LOAD)
      transforms += bytes.reads + bytes.writes;
    if (step->kind == ODL_STEP_FORWARD && step->axis == ODL_AXIS_X) {
      g_autofree int *groups = g_new0 (int, plan->n_steps);
      groups[i] = groups[i + 1] = 1;
      const OdlBenchBytes level = odl_bench_group_bytes (plan, groups, 1, 1);
      fused += level.reads + level.writes;
    }
  }
  g_assert_cmpfloat_with_epsilon (transforms, 8 * 4 * sum * samples, 1e-6);
  g_assert_cmpfloat_with_epsilon (thresholds, 2 * 4 * (1 - 1.0 / 64) * samples, 1e-6);
  g_assert_cmpfloat_with_epsilon (fused, 2 * 4 * sum * samples, 1e-6);

  g_autofree int *one_pass = g_new0 (int, plan->n_steps);
  const OdlBenchBytes all = odl_bench_group_bytes (plan, one_pass, 0, 1);
  g_assert_cmpfloat (all.reads, ==, samples);
  g_assert_cmpfloat (all.writes, ==, 4 * samples);
  // 9 + 7 taps, half of the samples each, multiplied and added, on two axes each way.
  g_assert_cmpfloat_with_epsilon (odl_bench_operations (plan),
                                  samples * (4 * 16 * sum + 3 * (1 - 1.0 / 64)), 1e-6);
}

// An engine that times the last step of a dispatch alone: thresholds belong to the
// synthesis that reads them, and 4 s S bytes of a pixel move besides the load.
static void
test_times_tell_groups (void)
{
  const OdlGeometry geometry = { 64, 64, 1, 8 };
  g_autoptr (OdlPlan) plan
      = plan_of ("soft-threshold:wavelet=cdf97,levels=3,threshold=0.1", geometry);
  g_autofree double *ms = g_new0 (double, plan->n_steps);
  const double samples = 64 * 64, sum = 4.0 / 3 * (1 - 1.0 / 64);
  double moved = 0;
  int n;

  g_assert_null (odl_bench_groups (plan, ms, 0.5, &n));
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind == ODL_STEP_LOAD
        || (step->kind == ODL_STEP_FORWARD && step->axis == ODL_AXIS_Y)
        || (step->kind == ODL_STEP_INVERSE && step->axis == ODL_AXIS_X))
      ms[i] = 1;
  }
  // What the timer shows for a step that did nothing.
  for (int i = 0; i < plan->n_steps; i++)
    ms[i] = MAX (ms[i], 0.25);
  g_autofree int *groups = odl_bench_groups (plan, ms, 0.5, &n);
  g_assert_cmpint (n, ==, 7);
  for (int i = 0; i < n; i++) {
    const OdlBenchBytes bytes = odl_bench_group_bytes (plan, groups, i, 1);
    moved += bytes.reads + bytes.writes;
  }
  g_assert_cmpfloat_with_epsilon (moved, (1 + 4 + 4 * 4 * sum) * samples, 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/model-recovers-known-rates", test_recovers_rates);
  g_test_add_func ("/bench/model-names-what-limits", test_names_what_limits);
  g_test_add_func ("/bench/model-does-not-blame-fast-memory",
                   test_does_not_blame_fast_memory);
  g_test_add_func ("/bench/model-bears-noise", test_bears_noise);
  g_test_add_func ("/bench/model-needs-two-points", test_needs_two_points);
  g_test_add_func ("/bench/bytes-follow-the-formulas", test_bytes_follow_the_formulas);
  g_test_add_func ("/bench/times-tell-what-ran-together", test_times_tell_groups);
  return g_test_run ();
}
