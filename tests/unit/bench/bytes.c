// SPDX-License-Identifier: MIT
// Bytes of plans by formula, and rows as text.
#include "bench/bytes.h"

#include <string.h>

#include "bench/report.h"
#include "bench/task.h"

#include "../../helpers/plans.h"

static OdlPlan *
plan_of (const char *text, OdlGeometry geometry)
{
  const OdlRecipe recipe = odl_test_recipe (text);

  return odl_test_plan_of (&recipe, &geometry);
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

// "quads, not mirror" is one field.
static void
test_csv (void)
{
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();
  const OdlBenchRow row = { .engine = "gl-fragment",
                            .variant = "quads, not \"mirror\"",
                            .width = 64,
                            .height = 64,
                            .channels = 1,
                            .precision = 32,
                            .levels = 3,
                            .threads = 2,
                            .median_ms = 0.5 };

  g_array_append_val (result->rows, row);
  g_autofree char *csv = odl_bench_to_csv (result);
  g_assert_nonnull (strstr (
      csv, "\ngl-fragment,\"quads, not \"\"mirror\"\"\",64,64,1,32,3,2,total,0.5,"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/bytes-follow-the-formulas", test_bytes_follow_the_formulas);
  g_test_add_func ("/bench/times-tell-what-ran-together", test_times_tell_groups);
  g_test_add_func ("/bench/csv-quotes-what-holds-commas", test_csv);
  return g_test_run ();
}
