// SPDX-License-Identifier: MIT
#include "engine/bench.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "engine/gl/headless.h"
#include "image/display.h"

#define WARM_UP_RUNS 3
#define MOST_RUNS 200
#define LEAST_RUNS 5
#define BUDGET_NS 500000000 // per geometry and engine
#define PATIENCE_NS 2000000000 // after that, fewer than LEAST_RUNS will do

static const OdlBenchSize default_sizes[]
    = { { 128, 128 }, { 256, 256 }, { 512, 512 }, { 1024, 1024 }, { 2048, 2048 } };
static const int default_channels[] = { 1, 3 };
static const int default_precisions[] = { 32, 16 };

static const char *const part_names[] = {
  [ODL_BENCH_TOTAL] = "total",     [ODL_BENCH_DECODE] = "decode",
  [ODL_BENCH_UPLOAD] = "upload",   [ODL_BENCH_FORWARD] = "forward",
  [ODL_BENCH_FILTER] = "filter",   [ODL_BENCH_BACKWARD] = "backward",
  [ODL_BENCH_DISPLAY] = "display",
};

static const OdlBenchPart part_of_plan[] = {
  [ODL_PART_LOAD] = ODL_BENCH_UPLOAD,
  [ODL_PART_FORWARD] = ODL_BENCH_FORWARD,
  [ODL_PART_FILTER] = ODL_BENCH_FILTER,
  [ODL_PART_BACKWARD] = ODL_BENCH_BACKWARD,
};

// Times of one part, in the order of the runs.
typedef struct {
  int64_t ns[MOST_RUNS];
  int n;
} Series;

// One thing to measure.
typedef struct {
  OdlBenchResult *result;
  const OdlBenchParams *params; // with defaults filled in
  OdlBenchRow row; // what all its rows share
  OdlEngine *engine;
  OdlGlHeadless *headless; // NULL for engines without GL
  OdlPlan *plan;
  OdlImage *image;
  Series series[ODL_BENCH_N_PARTS];
  char variant[ODL_BENCH_N_PARTS][sizeof ((OdlBenchRow *) 0)->variant];
} Case;

const char *
odl_bench_part_name (OdlBenchPart part)
{
  g_return_val_if_fail (part < ODL_BENCH_N_PARTS, NULL);
  return part_names[part];
}

OdlImage *
odl_bench_texture (int width, int height, int channels, GError **error)
{
  OdlImageInfo info
      = { .extent = { width, height }, .channels = channels, .type = ODL_SAMPLE_U8 };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, error);
  uint8_t *out = samples;
  uint32_t noise = 1;

  if (image == NULL)
    return NULL;
  // Smooth ramps, edges of several sizes and noise: coefficients of every magnitude.
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        noise = noise * 1664525u + 1013904223u;
        int ramp = (x * 3 + y * 2 + c * 40) / 8 % 96;
        int tiles = ((x >> 5) ^ (y >> 4)) % 3 * 40;
        *out++ = (uint8_t) (ramp + tiles + (noise >> 27));
      }
  return image;
}

static int
compare_ns (const void *a, const void *b)
{
  int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;

  return left < right ? -1 : left > right;
}

static double
per_second (double amount, double ms)
{
  return ms > 0 ? amount / (ms * 1e-3) : 0;
}

static void
add_row (OdlBenchResult *result, OdlBenchRow row, Series *series, double bytes)
{
  if (series->n == 0)
    return;
  qsort (series->ns, series->n, sizeof series->ns[0], compare_ns);

  int64_t low = series->ns[(series->n - 1) / 2], high = series->ns[series->n / 2];
  row.median_ms = 0.5e-6 * (low + high);
  row.min_ms = 1e-6 * series->ns[0];
  row.mpx_per_s = per_second (1e-6 * row.width * row.height, row.median_ms);
  row.gb_per_s = per_second (1e-9 * bytes, row.median_ms);
  g_array_append_val (result->rows, row);
}

static double
slot_bytes (const OdlPlan *plan, int slot, double sample_bytes)
{
  return sample_bytes * plan->slots[slot].width * plan->slots[slot].height
         * plan->slots[slot].channels;
}

// Bytes that each part must move: every step of this work load reads as much as it
// writes, apart from the load.
static void
count_bytes (const Case *c, double bytes[ODL_BENCH_N_PARTS])
{
  const OdlPlan *plan = c->plan;
  double sample_bytes = c->row.precision / 8.0;
  double input_bytes = (double) c->row.width * c->row.height * c->row.channels;

  for (int part = 0; part < ODL_BENCH_N_PARTS; part++)
    bytes[part] = 0;
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    double written = slot_bytes (plan, step->writes, sample_bytes);

    bytes[part_of_plan[step->part]]
        += written + (step->kind == ODL_STEP_LOAD ? input_bytes : written);
  }
  bytes[ODL_BENCH_DISPLAY] = slot_bytes (plan, plan->result, sample_bytes) + input_bytes;
  for (int part = ODL_BENCH_UPLOAD; part < ODL_BENCH_N_PARTS; part++)
    bytes[ODL_BENCH_TOTAL] += bytes[part];
}

static void
add_sample (Case *c, OdlBenchPart part, int64_t ns)
{
  Series *series = &c->series[part];

  if (c->engine->variant[0] != '\0')
    g_strlcpy (c->variant[part], c->engine->variant, sizeof c->variant[part]);
  if (series->n < MOST_RUNS)
    series->ns[series->n++] = ns;
}

// Timers that saw less than this part of a frame did not see its work: llvmpipe's do not
// count compute shaders.
#define LEAST_SEEN 0.01

static void
add_steps (Case *c, int64_t wall_ns)
{
  int64_t sums[ODL_BENCH_N_PARTS] = { 0 };

  if (c->engine->n_step_ns != c->plan->n_steps
      || c->engine->frame_ns <= LEAST_SEEN * wall_ns)
    return;
  for (int i = 0; i < c->plan->n_steps; i++)
    sums[part_of_plan[c->plan->steps[i].part]] += c->engine->step_ns[i];
  for (int part = ODL_BENCH_UPLOAD; part <= ODL_BENCH_BACKWARD; part++)
    if (sums[part] > 0)
      add_sample (c, part, sums[part]);
}

// Runs `plan` and waits for its end; GL queues its work.
static bool
run_and_wait (Case *c, OdlPlan *plan, GError **error)
{
  if (!odl_engine_prepare (c->engine, plan, error)
      || !odl_engine_run (c->engine, plan, c->image, error))
    return false;
  if (c->headless != NULL)
    odl_gl_headless_finish (c->headless);
  return true;
}

static bool
display (Case *c, GError **error)
{
  static const OdlWindow full = { .mode = ODL_WINDOW_FULL };
  OdlDisplay display = odl_display_make (odl_image_info (c->image), &full,
                                         c->plan->approx_width, c->plan->approx_height);
  g_autoptr (OdlImage) picture
      = c->engine->klass->read_back (c->engine, c->plan, c->plan->result, error);

  if (picture == NULL)
    return false;
  g_autoptr (OdlImage) shown = odl_display_render (picture, &display, 8, error);
  return shown != NULL;
}

// One frame. Returns its time, negative on failure.
static int64_t
run_once (Case *c, bool measured, GError **error)
{
  int64_t start_ns = odl_clock_now_ns ();

  if (!run_and_wait (c, c->plan, error))
    return -1;

  int64_t run_ns = odl_clock_now_ns ();
  if (!display (c, error))
    return -1;

  int64_t end_ns = odl_clock_now_ns ();
  if (measured) {
    add_steps (c, run_ns - start_ns);
    add_sample (c, ODL_BENCH_DISPLAY, end_ns - run_ns);
    add_sample (c, ODL_BENCH_TOTAL, end_ns - start_ns);
  }
  return end_ns - start_ns;
}

static bool
has_timed_steps (const Case *c)
{
  for (int i = 0; i < c->engine->n_step_ns; i++)
    if (c->engine->step_ns[i] > 0)
      return true;
  return false;
}

// An engine that runs the plan as one pass runs it once more for the parts.
static bool
run_for_parts (Case *c, bool measured, GError **error)
{
  if (c->engine->timing || has_timed_steps (c))
    return true;
  c->engine->timing = true;
  int64_t start_ns = odl_clock_now_ns ();
  bool done = run_and_wait (c, c->plan, error);
  int64_t wall_ns = odl_clock_now_ns () - start_ns;
  c->engine->timing = false;
  if (done && measured)
    add_steps (c, wall_ns);
  return done;
}

static bool
measure_engine (Case *c, GError **error)
{
  int64_t spent_ns = 0, started_ns = odl_clock_now_ns ();
  int wanted = c->params->runs;

  for (int i = 0; i < WARM_UP_RUNS && odl_clock_now_ns () - started_ns < BUDGET_NS; i++)
    if (run_once (c, false, error) < 0 || !run_for_parts (c, false, error))
      return false;

  OdlEngineCounters before = c->engine->counters;
  for (int run = 0; run < MOST_RUNS; run++) {
    bool enough = wanted > 0 ? run >= wanted
                             : (run >= LEAST_RUNS && spent_ns >= BUDGET_NS)
                                   || (run > 0 && spent_ns >= PATIENCE_NS);
    if (enough)
      break;

    int64_t ns = run_once (c, true, error);
    if (ns < 0 || !run_for_parts (c, true, error))
      return false;
    spent_ns += ns;
  }
  if (memcmp (&before, &c->engine->counters, sizeof before) != 0)
    c->result->changes++;
  return true;
}

// The load step alone, on the clock: for engines whose timer has nothing to say about it.
static bool
measure_upload (Case *c, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (c->image);
  OdlRecipe recipe;

  if (c->series[ODL_BENCH_UPLOAD].n > 0)
    return true;
  odl_recipe_init (&recipe);
  recipe.precision = c->row.precision;

  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL)
    return false;
  for (int run = 0; run < WARM_UP_RUNS + c->series[ODL_BENCH_TOTAL].n; run++) {
    int64_t start_ns = odl_clock_now_ns ();

    if (!run_and_wait (c, plan, error))
      return false;
    if (run >= WARM_UP_RUNS)
      add_sample (c, ODL_BENCH_UPLOAD, odl_clock_now_ns () - start_ns);
  }
  return true;
}

static void
report_progress (const Case *c)
{
  if (c->params->progress == NULL)
    return;

  g_autofree char *line
      = g_strdup_printf ("%s %d×%d×%d, %d bit", c->row.engine, c->row.width,
                         c->row.height, c->row.channels, c->row.precision);
  c->params->progress (line, c->params->user_data);
}

// The rows of the parts that were measured the way that the total was, or of the others.
static void
add_rows (Case *c, bool as_total)
{
  double bytes[ODL_BENCH_N_PARTS];

  count_bytes (c, bytes);
  for (int part = 0; part < ODL_BENCH_N_PARTS; part++) {
    OdlBenchRow row = c->row;

    row.part = part;
    if (c->variant[part][0] != '\0')
      g_strlcpy (row.variant, c->variant[part], sizeof row.variant);
    if (g_str_equal (c->variant[part], c->variant[ODL_BENCH_TOTAL]) == as_total)
      add_row (c->result, row, &c->series[part], bytes[part]);
  }
}

// Measures one engine on one geometry. What an engine cannot do becomes a note.
static void
measure_case (Case *c)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text
      = g_strdup_printf ("shrinkage:wavelet=%s,levels=%d precision=%d",
                         c->params->wavelet, c->params->levels, c->row.precision);
  OdlRecipe recipe;

  report_progress (c);
  odl_recipe_init (&recipe);
  c->image = odl_bench_texture (c->row.width, c->row.height, c->row.channels, &error);
  if (c->image != NULL && odl_recipe_parse (&recipe, text, &error)) {
    OdlGeometry geometry = odl_geometry_of (c->image);
    c->plan = odl_plan_new (&recipe, &geometry, &error);
  }
  if (c->plan != NULL && measure_engine (c, &error) && measure_upload (c, &error)) {
    for (int i = 0; i < c->plan->n_steps; i++)
      c->row.levels = MAX (c->row.levels, c->plan->steps[i].level);
    add_rows (c, true);
    add_rows (c, false);
  }
  if (error != NULL)
    g_ptr_array_add (c->result->notes,
                     g_strdup_printf ("%s, %d×%d: %s", c->row.engine, c->row.width,
                                      c->row.height, error->message));
  g_clear_pointer (&c->plan, odl_plan_unref);
  g_clear_pointer (&c->image, odl_image_unref);
}

static void
measure_decode (OdlBenchResult *result, const OdlBenchParams *params, OdlBenchRow row)
{
  Series series = { .n = 0 };
  int runs = params->runs > 0 ? MIN (params->runs, MOST_RUNS) : LEAST_RUNS;

  g_strlcpy (row.engine, params->decode_name, sizeof row.engine);
  row.part = ODL_BENCH_DECODE;
  for (int i = -1; i < runs; i++) {
    g_autoptr (GError) error = NULL;
    int64_t start_ns = odl_clock_now_ns ();
    g_autoptr (OdlImage) image
        = params->decode (row.width, row.height, row.channels, params->user_data, &error);

    if (image == NULL) {
      g_ptr_array_add (result->notes,
                       g_strdup_printf ("%s: %s", row.engine, error->message));
      return;
    }
    if (i >= 0)
      series.ns[series.n++] = odl_clock_now_ns () - start_ns;
  }
  add_row (result, row, &series, (double) row.width * row.height * row.channels);
}

static OdlBenchRow
row_of (const OdlBenchParams *params, int size, int channels)
{
  OdlBenchRow row = { .width = params->sizes[size].width,
                      .height = params->sizes[size].height,
                      .channels = params->channels[channels],
                      .precision = 32,
                      .threads = odl_parallel_threads () };

  g_strlcpy (row.variant, "default", sizeof row.variant);
  return row;
}

static void
measure_geometries (OdlBenchResult *result,
                    const OdlBenchParams *params,
                    OdlEngine *engine,
                    OdlGlHeadless *headless)
{
  bool gl = engine->klass->needs_gl;

  engine->timing = gl;
  for (int c = 0; c < params->n_channels; c++)
    for (int s = 0; s < params->n_sizes; s++)
      for (int p = 0; p < (gl ? params->n_precisions : 1); p++) {
        g_autofree Case *one = g_new0 (Case, 1);

        one->result = result;
        one->params = params;
        one->engine = engine;
        one->headless = headless;
        one->row = row_of (params, s, c);
        one->row.precision = gl ? params->precisions[p] : 32;
        g_strlcpy (one->row.engine, engine->klass->name, sizeof one->row.engine);
        measure_case (one);
      }
}

static void
measure_class (OdlBenchResult *result,
               const OdlBenchParams *params,
               const OdlEngineClass *klass)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = NULL;

  if (klass->needs_gl) {
    headless = odl_gl_headless_new (&error);
    if (headless != NULL) {
      g_free (result->renderer);
      result->renderer = g_strdup (odl_gl_headless_renderer (headless));
    }
  }

  OdlEngine *engine = error == NULL ? odl_engine_open (klass, &error) : NULL;
  if (engine == NULL) {
    g_ptr_array_add (result->notes,
                     g_strdup_printf ("%s: %s", klass->name, error->message));
    return;
  }

  for (int t = 0; t < (klass->needs_gl ? 1 : MAX (params->n_threads, 1)); t++) {
    if (!klass->needs_gl && params->n_threads > 0)
      odl_parallel_set_threads (params->threads[t]);
    measure_geometries (result, params, engine, headless);
  }
  odl_parallel_set_threads (result->threads);
  odl_engine_close (engine);
}

static char *
cpu_model (void)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)) {
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++)
      if (g_str_has_prefix (*line, "model name") && strchr (*line, ':') != NULL)
        return g_strstrip (g_strdup (strchr (*line, ':') + 1));
  }
  return g_strdup ("unknown");
}

static OdlBenchResult *
result_new (void)
{
  OdlBenchResult *result = g_new0 (OdlBenchResult, 1);

  result->rows = g_array_new (FALSE, FALSE, sizeof (OdlBenchRow));
  result->notes = g_ptr_array_new_with_free_func (g_free);
  result->cpu = cpu_model ();
  result->threads = odl_parallel_threads ();
#ifdef __clang__
  result->compiler = g_strdup ("clang " __clang_version__);
#else
  result->compiler = g_strdup ("gcc " __VERSION__);
#endif
  result->renderer = g_strdup ("");
  return result;
}

void
odl_bench_result_free (OdlBenchResult *result)
{
  if (result == NULL)
    return;
  g_array_unref (result->rows);
  g_ptr_array_unref (result->notes);
  g_free (result->cpu);
  g_free (result->compiler);
  g_free (result->renderer);
  g_free (result);
}

static OdlBenchParams
complete_params (const OdlBenchParams *params)
{
  OdlBenchParams full = *params;

  if (full.n_sizes == 0) {
    full.sizes = default_sizes;
    full.n_sizes = G_N_ELEMENTS (default_sizes);
  }
  if (full.n_channels == 0) {
    full.channels = default_channels;
    full.n_channels = G_N_ELEMENTS (default_channels);
  }
  if (full.n_precisions == 0) {
    full.precisions = default_precisions;
    full.n_precisions = G_N_ELEMENTS (default_precisions);
  }
  full.wavelet = full.wavelet != NULL ? full.wavelet : "cdf97";
  full.levels = full.levels > 0 ? full.levels : 3;
  full.decode_name = full.decode_name != NULL ? full.decode_name : "decode";
  return full;
}

static bool
check_names (const OdlBenchParams *params, GError **error)
{
  if (odl_wavelet_find (params->wavelet) == NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE, _ ("there is no wavelet “%s”"),
                 params->wavelet);
    return false;
  }
  for (const char *const *name = params->engines; name != NULL && *name != NULL; name++)
    if (odl_engine_find (*name) == NULL) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE, _ ("there is no engine “%s”"),
                   *name);
      return false;
    }
  return true;
}

OdlBenchResult *
odl_bench_run (const OdlBenchParams *params, GError **error)
{
  OdlBenchParams full = complete_params (params);

  if (!check_names (&full, error))
    return NULL;

  g_autoptr (OdlBenchResult) result = result_new ();
  for (int c = 0; full.decode != NULL && c < full.n_channels; c++)
    for (int s = 0; s < full.n_sizes; s++)
      measure_decode (result, &full, row_of (&full, s, c));
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    if (full.engines == NULL || g_strv_contains (full.engines, klass->name))
      measure_class (result, &full, klass);
  }
  if (result->rows->len == 0) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("nothing could be measured: %s"),
                 result->notes->len > 0 ? (char *) result->notes->pdata[0] : "");
    return NULL;
  }
  return g_steal_pointer (&result);
}
