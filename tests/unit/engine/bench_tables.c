// SPDX-License-Identifier: MIT
// Tables of the benchmark, from results that are made up.
#include "engine/bench_tables.h"

#include <string.h>

#include "engine/bench_report.h"
#include "engine/bench_task.h"

static OdlPlan *
plan_of (int side, int channels, int precision)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text
      = g_strdup_printf ("shrinkage:wavelet=cdf97,levels=3 precision=%d", precision);
  const OdlGeometry geometry = { side, side, channels, 8 };
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, text, &error);
  g_assert_no_error (error);
  OdlPlan *plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  return plan;
}

static OdlBenchRow
row_of (const char *engine, int side, int precision, int threads)
{
  OdlBenchRow row = { .width = side,
                      .height = side,
                      .channels = 1,
                      .precision = precision,
                      .levels = 3,
                      .threads = threads };

  g_strlcpy (row.engine, engine, sizeof row.engine);
  g_strlcpy (row.variant, "default", sizeof row.variant);
  return row;
}

static OdlBenchCase *
add_case (OdlBenchResult *result,
          const char *engine,
          int side,
          int precision,
          int threads,
          double total_ms)
{
  OdlBenchCase *one = g_new0 (OdlBenchCase, 1);

  one->row = row_of (engine, side, precision, threads);
  one->plan = plan_of (side, 1, precision);
  one->stats[ODL_BENCH_TOTAL]
      = (OdlBenchStats){ 3, total_ms, total_ms, total_ms, total_ms };
  g_ptr_array_add (result->cases, one);
  return one;
}

static void
set_ms (OdlBenchCase *one, OdlBenchPart measure, double ms)
{
  one->stats[measure] = (OdlBenchStats){ 3, ms, ms, ms, ms };
}

// The line of `text` that holds `words`; fails when there is none. Transfer full.
static char *
line_with (const char *text, const char *words)
{
  const char *at = strstr (text, words);

  if (at == NULL)
    g_error ("“%s” is not in:\n%s", words, text);
  while (at > text && at[-1] != '\n')
    at--;
  return g_strndup (at, strcspn (at, "\n"));
}

static void
assert_line (const char *text, const char *words, const char *ending)
{
  g_autofree char *line = line_with (text, words);

  if (!g_str_has_suffix (line, ending))
    g_error ("“%s” does not end in “%s”", line, ending);
}

static void
test_demands (void)
{
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();

  add_case (result, "cpu", 2048, 32, 1, 4);
  add_case (result, "cpu", 2048, 32, 2, 2);
  // A copy of 4096² floats moves 134 MB: 10 ms at 13.4 GB/s.
  add_case (result, "cpu", 4096, 32, 1, 30)->copy_gb_per_s = 13.4217728;
  OdlBenchCase *compute = add_case (result, "gl-compute", 2048, 32, 2, 1);
  set_ms (compute, ODL_BENCH_RESIDENT, 0.04);
  set_ms (compute, ODL_BENCH_SLIDER, 0.03);
  set_ms (compute, ODL_BENCH_UPLOAD, 0.08);
  set_ms (compute, ODL_BENCH_OVERLAPPED, 0.084);
  OdlBenchCase *fragment = add_case (result, "gl-fragment", 2048, 32, 2, 1);
  OdlBenchCase *lookup = add_case (result, "gl-lookup", 2048, 32, 2, 1);
  for (int part = ODL_BENCH_FORWARD; part <= ODL_BENCH_BACKWARD; part++) {
    set_ms (fragment, part, 1);
    set_ms (lookup, part, 2);
  }
  set_ms (fragment, ODL_BENCH_OVERLAPPED, 3);
  set_ms (lookup, ODL_BENCH_OVERLAPPED, 6);

  g_autofree char *text = odl_bench_bars_table (result);
  assert_line (text, "one thread / two", "2.000  ≥ 1.7     reached");
  assert_line (text, "cpu, 4096²", "3.000  ≤ 2.7     not reached");
  assert_line (text, "gl-compute, 2048², 32 bit", "40.00  ≤ 50      reached");
  assert_line (text, "2048²: PDWT", "4.000  ≥ 1       reached");
  assert_line (text, "moved slider", "75.00  ≤ 60      not reached");
  assert_line (text, "larger of both", "1.050  ≤ 1.1     reached");
  assert_line (text, "gl-lookup / gl-fragment", "2.000  ≥ 3       not reached");
  // Nothing was measured at this size.
  g_assert_null (strstr (text, "8192²"));

  // On the CPU's rasteriser the GPU's demands mean nothing.
  result->machine.gl_software = true;
  g_autofree char *soft = odl_bench_bars_table (result);
  g_assert_null (strstr (soft, "gl-compute"));
  g_assert_nonnull (strstr (soft, "cpu, 4096²"));
}

static void
add_start (OdlBenchResult *result, const char *engine, int side, double cold, double warm)
{
  const bool gl = g_str_has_prefix (engine, "gl");
  const OdlBenchStart start = { .row = row_of (engine, side, 32, 1),
                                .context_ms = gl ? cold / 2 : 0,
                                .first_ms = gl ? cold / 2 : cold };

  g_array_append_val (result->starts, start);
  add_case (result, engine, side, 32, 1, warm);
}

static void
test_crossover (void)
{
  static const int sides[] = { 128, 256, 512, 1024 };
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();

  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++) {
    const double pixels = sides[i] * sides[i];
    // 100 ns of a pixel against 1 ms and 20 ns: even at 12500 pixels. Cold, 50 ms are
    // even at 625000.
    add_start (result, "cpu", sides[i], pixels * 1e-4, pixels * 1e-4);
    add_start (result, "gl-compute", sides[i], 50 + pixels * 2e-5, 1 + pixels * 2e-5);
    add_start (result, "gl-lookup", sides[i], 500, 500);
  }
  g_autofree char *text = odl_bench_start_tables (result);
  assert_line (text, "gl-compute:default-32, cold", "faster than cpu from 1024×1024 on");
  assert_line (text, "gl-compute:default-32, warm", "faster than cpu from 128×128 on");
  assert_line (text, "gl-lookup:default-32, warm",
               "nowhere faster than cpu among the sizes measured");
}

// Elements count four for a coloured pixel, and frames that follow each other count.
static void
test_rates (void)
{
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();
  OdlBenchCase *one = add_case (result, "gl-compute", 512, 32, 2, 5);

  one->row.channels = 3;
  set_ms (one, ODL_BENCH_OVERLAPPED, 2);
  g_autofree char *text = odl_bench_filter_tables (result);
  const char *frames = strstr (text, "Frames per second");
  assert_line (text, "gl-compute colour-32", "524.3"); // 512 · 512 · 4 / 2000
  assert_line (frames, "gl-compute colour-32", "500.0");
}

static void
test_acceptance (void)
{
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();
  OdlBenchCase *one = add_case (result, "gl-compute", 512, 32, 2, 5);

  one->row.width = 1920;
  one->row.height = 1080;
  one->row.channels = 3;
  one->stats[ODL_BENCH_DECOMPOSE] = (OdlBenchStats){ 100, .median_ms = 20, .min_ms = 10,
                                                     .mean_ms = 25, .max_ms = 50 };
  one->stats[ODL_BENCH_RECONSTRUCT] = (OdlBenchStats){ 100, .median_ms = 20, .min_ms = 10,
                                                       .mean_ms = 20, .max_ms = 30 };
  g_autofree char *text = odl_bench_video_tables (result);
  assert_line (text, "decomposition of 100",
               "25.00    10.00    50.00    40.00  within 40 ms on average");
  assert_line (text, "reconstruction of 100",
               "20.00    10.00    30.00    50.00  every frame within 40 ms");
}

// The CPU's two ways stand side by side, with what comes before and after.
static void
test_methods (void)
{
  static const char *const variants[][2]
      = { { "streamed-avx2", "per-level-avx2" }, { "filtering-avx2", "filtering-avx2" } };
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();

  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++) {
    OdlBenchCase *one = add_case (result, "cpu", 512, 32, 2, 5);
    one->row.width = 1920;
    one->row.height = 1080;
    one->row.channels = 3;
    g_strlcpy (one->row.variant, variants[i][0], sizeof one->row.variant);
    g_strlcpy (one->parts_variant, variants[i][1], sizeof one->parts_variant);
    set_ms (one, ODL_BENCH_FORWARD, 10 * (i + 1));
    set_ms (one, ODL_BENCH_DECOMPOSE, 20 * (i + 1));
    set_ms (one, ODL_BENCH_BACKWARD, 30 * (i + 1));
    set_ms (one, ODL_BENCH_RECONSTRUCT, 40 * (i + 1));
  }
  g_autofree char *text = odl_bench_video_tables (result);
  const char *last = "5.000";
  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++) {
    g_autofree char *words = g_strdup_printf ("cpu %s-32, 2 thr., %s", variants[i][1],
                                              i == 0 ? "lifting" : "filtering");
    g_autofree char *line = line_with (text, words);
    g_autofree char *numbers
        = g_strdup_printf ("%.2f       %.2f       %.2f       %.2f", 10.0 * (i + 1),
                           20.0 * (i + 1), 30.0 * (i + 1), 40.0 * (i + 1));
    g_assert_nonnull (strstr (line, numbers));
    g_assert_true (g_str_has_suffix (line, last));
  }
}

// "parity, not mirror" is one field.
static void
test_csv (void)
{
  g_autoptr (OdlBenchResult) result = odl_bench_result_new ();
  OdlBenchRow row = row_of ("gl-fragment", 64, 32, 2);

  g_strlcpy (row.variant, "parity, not \"mirror\"", sizeof row.variant);
  row.median_ms = 0.5;
  g_array_append_val (result->rows, row);
  g_autofree char *csv = odl_bench_to_csv (result);
  g_assert_nonnull (strstr (
      csv, "\ngl-fragment,\"parity, not \"\"mirror\"\"\",64,64,1,32,3,2,total,0.5,"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/demands-are-compared", test_demands);
  g_test_add_func ("/bench/crossover-is-found", test_crossover);
  g_test_add_func ("/bench/rates-count-elements", test_rates);
  g_test_add_func ("/bench/acceptance-looks-at-every-frame", test_acceptance);
  g_test_add_func ("/bench/methods-of-the-cpu-stand-side-by-side", test_methods);
  g_test_add_func ("/bench/csv-quotes-what-holds-commas", test_csv);
  return g_test_run ();
}
