// SPDX-License-Identifier: MIT
#include "bench/task.h"

#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "bench/case.h"
#include "engine/gl/platform/meter.h"
#include "image/display/display.h"

#define WARM_UP_RUNS 3
#define WARM_UP_NS 300000000 // afterwards fewer runs suffice
#define LEAST_RUNS 2 // per round
#define MOST_OVERLAPPED 32 // frames in flight
#define LEAST_DISPLAYS 2
#define DISPLAYS_NS 150000000
#define OVERLAPPED_NS 60000000
#define LEAST_OVERLAPPED 2
#define TIMER_DELAY 4 // frames until timer results are available
#define RESIDENT_NS 40000000

// Timers that report less than this fraction of a frame missed its work: llvmpipe's
// timers do not count compute shaders.
#define LEAST_SEEN 0.01

static const OdlBenchPart part_of_plan[] = {
  [ODL_PHASE_LOAD] = ODL_BENCH_UPLOAD,
  [ODL_PHASE_FORWARD] = ODL_BENCH_FORWARD,
  [ODL_PHASE_FILTER] = ODL_BENCH_FILTER,
  [ODL_PHASE_BACKWARD] = ODL_BENCH_BACKWARD,
};

struct _OdlBenchTask {
  OdlBenchTaskParams params;
  OdlEngine *engine;
  OdlPlan *plan;
  OdlImage *images[2]; // identical; alternated, since engines may skip a repeated image
                       // for the same image
  int turn;
  OdlBenchRow row;
  char parts_variant[sizeof ((OdlBenchRow *) 0)->variant];
  size_t changes;
  int64_t cost_ns; // of the last complete frame
  int64_t serial; // frame number, for temporal filters
  int reads; // read backs, alternating between DECOMPOSE and RECONSTRUCT
  OdlBenchSeries series[ODL_BENCH_N_PARTS];
  OdlBenchSeries *steps; // one per step of the plan
};

void
odl_bench_series_add (OdlBenchSeries *series, int64_t ns)
{
  if (series->n < ODL_BENCH_MOST_RUNS)
    series->ns[series->n++] = ns;
}

static int
compare_ns (const void *a, const void *b)
{
  int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;

  return left < right ? -1 : left > right;
}

OdlBenchStats
odl_bench_series_stats (const OdlBenchSeries *series)
{
  const int n = series->n;
  OdlBenchStats stats = { .n = n };

  if (n == 0)
    return stats;

  g_autofree int64_t *ns = g_memdup2 (series->ns, n * sizeof ns[0]);
  qsort (ns, n, sizeof ns[0], compare_ns);
  stats.median_ms = 0.5e-6 * (ns[(n - 1) / 2] + ns[n / 2]);
  stats.min_ms = 1e-6 * ns[0];
  stats.max_ms = 1e-6 * ns[n - 1];
  for (int i = 0; i < n; i++)
    stats.mean_ms += 1e-6 * ns[i] / n;
  return stats;
}

static double
per_second (double amount, double ms)
{
  return ms > 0 ? amount / (ms * 1e-3) : 0;
}

void
odl_bench_add_row (OdlBenchResult *result,
                   OdlBenchRow row,
                   const OdlBenchStats *stats,
                   double bytes)
{
  if (stats->n == 0)
    return;
  row.median_ms = stats->median_ms;
  row.min_ms = stats->min_ms;
  row.mean_ms = stats->mean_ms;
  row.max_ms = stats->max_ms;
  row.mpx_per_s = per_second (1e-6 * row.width * row.height, row.median_ms);
  row.gb_per_s = per_second (1e-9 * bytes, row.median_ms);
  g_array_append_val (result->rows, row);
}

// Each call is the next frame.
static OdlImage *
next_image (OdlBenchTask *task)
{
  task->turn = 1 - task->turn;
  if (task->params.params->filter != NULL)
    task->engine->moment = (OdlMoment){ .take = 1, .serial = ++task->serial };
  return task->images[task->turn];
}

// Runs `plan` and waits for completion; GL is asynchronous.
static bool
run_and_wait (OdlBenchTask *task, OdlPlan *plan, GError **error)
{
  if (!odl_engine_prepare (task->engine, plan, error)
      || !odl_engine_run (task->engine, plan, next_image (task), error))
    return false;
  if (task->params.headless != NULL)
    odl_gl_headless_finish (task->params.headless);
  return true;
}

static void
note_variant (const OdlBenchTask *task, char *variant)
{
  if (task->engine->variant[0] != '\0')
    g_strlcpy (variant, task->engine->variant, sizeof task->row.variant);
}

// Times a whole frame.
static bool
time_total (OdlBenchTask *task, GError **error)
{
  const int64_t start_ns = odl_clock_now_ns ();

  if (!run_and_wait (task, task->plan, error))
    return false;
  odl_bench_series_add (&task->series[ODL_BENCH_TOTAL], odl_clock_now_ns () - start_ns);
  note_variant (task, task->row.variant);
  return true;
}

static bool
time_display (OdlBenchTask *task, GError **error)
{
  static const OdlWindow full = { .mode = ODL_WINDOW_FULL };
  const OdlDisplay display
      = odl_display_make (odl_image_info (task->images[0]), &full, task->plan->details);
  const int64_t start_ns = odl_clock_now_ns ();
  g_autoptr (OdlImage) picture
      = odl_engine_read_back (task->engine, task->plan, task->plan->result, error);

  if (picture == NULL)
    return false;
  const int64_t read_ns = odl_clock_now_ns () - start_ns;
  g_autoptr (OdlImage) shown = odl_display_render (picture, &display, 8, error);
  if (shown == NULL)
    return false;
  odl_bench_series_add (&task->series[ODL_BENCH_DISPLAY], odl_clock_now_ns () - start_ns);
  odl_bench_series_add (&task->series[ODL_BENCH_READ_BACK], read_ns);
  const OdlBenchSeries *total = &task->series[ODL_BENCH_TOTAL];
  odl_bench_series_add (&task->series[ODL_BENCH_WHOLE],
                        total->ns[total->n - 1] + read_ns);
  return true;
}

static void
add_steps (OdlBenchTask *task, int64_t wall_ns)
{
  const OdlEngine *engine = task->engine;
  int64_t sums[ODL_BENCH_N_PARTS] = { 0 };

  if (engine->n_step_ns != task->plan->n_steps
      || engine->frame_ns <= LEAST_SEEN * wall_ns)
    return;
  for (int i = 0; i < task->plan->n_steps; i++) {
    sums[part_of_plan[odl_step_row (task->plan->steps[i].kind)->phase]]
        += engine->step_ns[i];
    odl_bench_series_add (&task->steps[i], engine->step_ns[i]);
  }
  for (int part = ODL_BENCH_UPLOAD; part <= ODL_BENCH_BACKWARD; part++)
    if (sums[part] > 0)
      odl_bench_series_add (&task->series[part], sums[part]);
  const OdlBenchSeries *reads = &task->series[ODL_BENCH_READ_BACK];
  if (sums[ODL_BENCH_UPLOAD] == 0 || sums[ODL_BENCH_FORWARD] == 0 || reads->n == 0)
    return;
  const int64_t moved_ns = sums[ODL_BENCH_UPLOAD] + reads->ns[task->reads++ % reads->n];
  odl_bench_series_add (&task->series[ODL_BENCH_DECOMPOSE],
                        moved_ns + sums[ODL_BENCH_FORWARD]);
  odl_bench_series_add (&task->series[ODL_BENCH_RECONSTRUCT],
                        moved_ns + sums[ODL_BENCH_BACKWARD]);
}

// Times a frame step by step; fused engines do not distinguish steps.
static bool
time_parts (OdlBenchTask *task, GError **error)
{
  task->engine->timing = true;
  const int64_t start_ns = odl_clock_now_ns ();
  const bool done = run_and_wait (task, task->plan, error);
  const int64_t wall_ns = odl_clock_now_ns () - start_ns;
  task->engine->timing = false;

  if (done) {
    note_variant (task, task->parts_variant);
    add_steps (task, wall_ns);
  }
  return done;
}

// Read back may take many times as long as a frame; it is then measured less often.
static bool
wants_display (const OdlBenchTask *task)
{
  const OdlBenchSeries *display = &task->series[ODL_BENCH_DISPLAY];
  int64_t sum_ns = 0;

  if (task->params.params->runs > 0)
    return true;
  for (int i = 0; i < display->n; i++)
    sum_ns += display->ns[i];
  return display->n < LEAST_DISPLAYS || sum_ns < DISPLAYS_NS;
}

// GL parts are timed in pipelined frames (time_parts_overlapped).
static bool
time_frame (OdlBenchTask *task, GError **error)
{
  const int64_t start_ns = odl_clock_now_ns ();
  const bool done = time_total (task, error)
                    && (!wants_display (task) || time_display (task, error))
                    && (task->params.headless != NULL || time_parts (task, error));

  task->cost_ns = odl_clock_now_ns () - start_ns;
  return done;
}

static int
overlapped_frames (const OdlBenchTask *task)
{
  const OdlBenchSeries *total = &task->series[ODL_BENCH_TOTAL];
  const int64_t frame_ns = total->n > 0 ? MAX (total->ns[total->n - 1], 1) : 1;

  return (int) CLAMP (OVERLAPPED_NS / frame_ns, LEAST_OVERLAPPED, MOST_OVERLAPPED);
}

static bool
run_frames (OdlBenchTask *task, int frames, GError **error)
{
  for (int i = 0; i < frames; i++) {
    OdlImage *image = next_image (task);
    if (!odl_engine_run (task->engine, task->plan, image, error))
      return false;
  }
  odl_gl_headless_finish (task->params.headless);
  return true;
}

// Pipelined frames: uploads may overlap with GPU work.
static bool
time_overlapped (OdlBenchTask *task, GError **error)
{
  const int frames = overlapped_frames (task);

  // The first frames may create what later ones use.
  if (!run_frames (task, LEAST_OVERLAPPED, error))
    return false;
  const int64_t start_ns = odl_clock_now_ns ();
  if (!run_frames (task, frames, error))
    return false;
  odl_bench_series_add (&task->series[ODL_BENCH_OVERLAPPED],
                        (odl_clock_now_ns () - start_ns) / frames);
  return true;
}

// Timer results arrive some frames late, while later frames keep the GPU's clock up.
static bool
time_parts_overlapped (OdlBenchTask *task, GError **error)
{
  OdlEngine *engine = task->engine;
  const int most = overlapped_frames (task);
  // Slow frames are waited for individually.
  const int delay = most > LEAST_OVERLAPPED ? TIMER_DELAY : 1;
  int64_t seen_ns = 0, wall_ns = INT64_MAX, begin_ns = odl_clock_now_ns ();
  bool ok = true;

  engine->timing = true;
  for (int i = 0; i < most + delay && ok; i++) {
    ok = odl_engine_run (engine, task->plan, next_image (task), error);
    if (i % delay == delay - 1) {
      odl_gl_headless_finish (task->params.headless);
      const int64_t now_ns = odl_clock_now_ns ();
      wall_ns = MIN (wall_ns, (now_ns - begin_ns) / delay);
      begin_ns = now_ns;
    }
    // Ignore results from before this batch.
    if (ok && i >= delay && engine->frame_ns != seen_ns)
      add_steps (task, wall_ns);
    seen_ns = engine->frame_ns;
  }
  engine->timing = false;
  note_variant (task, task->parts_variant);
  return ok;
}

typedef struct {
  OdlEngine *engine;
  bool synthesis_only;
} Repeat;

static void
repeat_once (void *data)
{
  const Repeat *repeat = data;

  repeat->engine->klass->repeat (repeat->engine, repeat->synthesis_only);
}

static void
time_resident (OdlBenchTask *task)
{
  static const OdlBenchPart parts[] = { ODL_BENCH_RESIDENT, ODL_BENCH_SLIDER };
  g_autofree OdlGlTimes *times = g_new0 (OdlGlTimes, 1);

  for (int m = 0; task->engine->klass->repeat != NULL && m < 2; m++) {
    Repeat repeat = { task->engine, m == 1 };
    odl_gl_meter (repeat_once, &repeat, RESIDENT_NS, times);
    for (int i = 0; i < times->n; i++)
      odl_bench_series_add (&task->series[parts[m]], times->ns[i]);
  }
}

static bool
time_on_gpu (OdlBenchTask *task, GError **error)
{
  if (task->params.headless == NULL)
    return true;
  if (!time_overlapped (task, error) || !time_parts_overlapped (task, error))
    return false;
  odl_gl_headless_finish (task->params.headless);
  time_resident (task);
  return true;
}

// The load step alone in wall-clock time, for engines whose timer does not cover it.
static bool
time_upload (OdlBenchTask *task, int runs, GError **error)
{
  const OdlGeometry geometry = odl_geometry_of (task->images[0]);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  recipe.precision = task->row.precision;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL)
    return false;
  for (int run = -1; run < runs; run++) {
    const int64_t start_ns = odl_clock_now_ns ();

    if (!run_and_wait (task, plan, error))
      return false;
    if (run >= 0)
      odl_bench_series_add (&task->series[ODL_BENCH_UPLOAD],
                            odl_clock_now_ns () - start_ns);
  }
  return true;
}

static void
forget_series (OdlBenchTask *task)
{
  for (int i = 0; i < ODL_BENCH_N_PARTS; i++)
    task->series[i].n = 0;
  for (int i = 0; i < task->plan->n_steps; i++)
    task->steps[i].n = 0;
}

static bool
warm_up (OdlBenchTask *task, GError **error)
{
  const int64_t start_ns = odl_clock_now_ns ();

  for (int i = 0; i < WARM_UP_RUNS && odl_clock_now_ns () - start_ns < WARM_UP_NS; i++)
    if (!time_frame (task, error))
      return false;
  return true;
}

static void
use_threads (const OdlBenchTask *task)
{
  if (task->params.headless == NULL)
    odl_parallel_set_threads (task->params.threads);
}

OdlBenchTask *
odl_bench_task_new (const OdlBenchTaskParams *params, GError **error)
{
  OdlBenchTask *task = g_new0 (OdlBenchTask, 1);

  task->params = *params;
  use_threads (task);
  task->plan = odl_bench_plan (params, error);
  if (task->plan != NULL) {
    task->row = odl_bench_row (params, task->plan);
    g_strlcpy (task->parts_variant, task->row.variant, sizeof task->parts_variant);
    task->steps = g_new0 (OdlBenchSeries, task->plan->n_steps);
    task->images[0] = odl_bench_texture (params->size.width, params->size.height,
                                         params->channels, error);
  }
  if (task->images[0] != NULL) {
    const OdlImageInfo info = *odl_image_info (task->images[0]);
    task->images[1] = odl_image_with_info (task->images[0], &info);
    task->engine = odl_engine_open_choice (params->choice, error);
  }
  if (task->engine != NULL && warm_up (task, error)) {
    forget_series (task);
    return task;
  }
  odl_bench_task_free (task);
  return NULL;
}

void
odl_bench_task_free (OdlBenchTask *task)
{
  if (task == NULL)
    return;
  odl_engine_close (task->engine);
  g_clear_pointer (&task->plan, odl_plan_unref);
  g_clear_pointer (&task->images[0], odl_image_unref);
  g_clear_pointer (&task->images[1], odl_image_unref);
  g_free (task->steps);
  g_free (task);
}

int64_t
odl_bench_task_cost_ns (const OdlBenchTask *task)
{
  return task->cost_ns;
}

bool
odl_bench_task_round (OdlBenchTask *task, int64_t budget_ns, int runs, GError **error)
{
  use_threads (task);
  // Restores the structure, which another plan of the last round may have replaced.
  if (!run_and_wait (task, task->plan, error))
    return false;

  const int64_t start_ns = odl_clock_now_ns ();
  const OdlEngineCounters before = task->engine->counters;
  int done = 0;

  for (; done < ODL_BENCH_MOST_RUNS; done++) {
    const int64_t spent_ns = odl_clock_now_ns () - start_ns;

    if (runs > 0 ? done >= runs
                 : (done >= LEAST_RUNS && spent_ns >= budget_ns)
                       || (done > 0 && spent_ns >= 4 * budget_ns))
      break;
    if (!time_frame (task, error))
      return false;
  }
  if (memcmp (&before, &task->engine->counters, sizeof before) != 0)
    task->changes++;
  if (!time_on_gpu (task, error))
    return false;
  return task->series[ODL_BENCH_UPLOAD].n > 0
         || time_upload (task, MIN (done, LEAST_RUNS), error);
}

// Bytes of each part; for resident frames by the engine's own division.
static void
count_bytes (const OdlBenchCase *one, double bytes[ODL_BENCH_N_PARTS])
{
  const double samples = (double) one->row.width * one->row.height * one->row.channels;
  const double result = samples * one->row.precision / 8;

  for (int i = 0; i < one->plan->n_steps; i++) {
    const OdlBenchBytes moved = odl_bench_step_bytes (one->plan, i, 1);
    bytes[part_of_plan[odl_step_row (one->plan->steps[i].kind)->phase]]
        += moved.reads + moved.writes;
  }
  for (int part = ODL_BENCH_UPLOAD; part <= ODL_BENCH_BACKWARD; part++)
    bytes[ODL_BENCH_TOTAL] += bytes[part];
  bytes[ODL_BENCH_OVERLAPPED] = bytes[ODL_BENCH_TOTAL];
  bytes[ODL_BENCH_RESIDENT] = odl_bench_moved_bytes (one, false);
  bytes[ODL_BENCH_SLIDER] = bytes[ODL_BENCH_BACKWARD];
  bytes[ODL_BENCH_DISPLAY] = result + samples;
  bytes[ODL_BENCH_READ_BACK] = result;
}

// Adds the rows of parts measured in the same way as the total, or the others.
static void
add_rows (const OdlBenchCase *one, OdlBenchResult *result, bool as_total)
{
  double bytes[ODL_BENCH_N_PARTS] = { 0 };

  count_bytes (one, bytes);
  for (int part = 0; part < ODL_BENCH_N_PARTS; part++) {
    const bool by_steps = (part >= ODL_BENCH_UPLOAD && part <= ODL_BENCH_BACKWARD)
                          || part == ODL_BENCH_DECOMPOSE || part == ODL_BENCH_RECONSTRUCT;
    const char *variant = by_steps ? one->parts_variant : one->row.variant;
    OdlBenchRow row = one->row;

    row.part = part;
    g_strlcpy (row.variant, variant, sizeof row.variant);
    if (g_str_equal (variant, one->row.variant) == as_total)
      odl_bench_add_row (result, row, &one->stats[part], bytes[part]);
  }
}

void
odl_bench_task_report (const OdlBenchTask *task, OdlBenchResult *result)
{
  OdlBenchCase *one = g_new0 (OdlBenchCase, 1);

  one->row = task->row;
  one->plan = odl_plan_ref (task->plan);
  g_strlcpy (one->parts_variant, task->parts_variant, sizeof one->parts_variant);
  for (int i = 0; i < ODL_BENCH_N_PARTS; i++)
    one->stats[i] = odl_bench_series_stats (&task->series[i]);
  if (task->steps[0].n > 0) {
    one->step_ms = g_new (double, task->plan->n_steps);
    for (int i = 0; i < task->plan->n_steps; i++)
      one->step_ms[i] = odl_bench_series_stats (&task->steps[i]).median_ms;
  }
  g_ptr_array_add (result->cases, one);
  add_rows (one, result, true);
  add_rows (one, result, false);
  result->changes += task->changes;
}
