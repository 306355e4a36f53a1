// SPDX-License-Identifier: MIT
// One engine on one geometry while it is being measured.
#pragma once

#include "bench/bench.h"
#include "engine/gl/platform/headless.h"

G_BEGIN_DECLS

typedef struct _OdlBenchTask OdlBenchTask;

typedef struct {
  const OdlBenchParams *params; // complete; outlives the task
  OdlEngineChoice choice;
  OdlGlHeadless *headless; // current; NULL for engines without GL; outlives the task
  OdlBenchSize size;
  int channels;
  int precision;
  int threads;
} OdlBenchTaskParams;

// Opens the engine, makes plan and picture, and runs some frames that do not count.
OdlBenchTask *odl_bench_task_new (const OdlBenchTaskParams *params, GError **error);
void odl_bench_task_free (OdlBenchTask *task);

// Measures for about `budget_ns`, or `runs` frames where it is above 0. What was measured
// adds up over the rounds.
bool
odl_bench_task_round (OdlBenchTask *task, int64_t budget_ns, int runs, GError **error);

// What the last frame cost with its parts and read back.
int64_t odl_bench_task_cost_ns (const OdlBenchTask *task);

// Adds the case and its rows to `result`.
void odl_bench_task_report (const OdlBenchTask *task, OdlBenchResult *result);

// The plan of a work load; for estimates too. ODL_ERROR_USAGE for unknown wavelets.
OdlPlan *odl_bench_plan (const OdlBenchTaskParams *params, GError **error);

// What all rows of a plan share; variant: what was asked for, or "default".
OdlBenchRow odl_bench_row (const OdlBenchTaskParams *params, const OdlPlan *plan);

// From nothing to the first frame, with an OpenGL context of its own: none may be
// current. `params->headless` is not looked at.
bool odl_bench_measure_start (const OdlBenchTaskParams *params,
                              OdlBenchStart *start,
                              GError **error);

// The load of the processor at 20 frames per second. As odl_bench_task_new otherwise.
bool odl_bench_measure_load (const OdlBenchTaskParams *params,
                             OdlBenchLoadRow *row,
                             GError **error);

// Nothing measured yet, on this machine.
OdlBenchResult *odl_bench_result_new (void);

// Times of one measure, in the order of the runs.
#define ODL_BENCH_MOST_RUNS 400
typedef struct {
  int64_t ns[ODL_BENCH_MOST_RUNS];
  int n;
} OdlBenchSeries;

void odl_bench_series_add (OdlBenchSeries *series, int64_t ns); // beyond the most: lost
OdlBenchStats odl_bench_series_stats (const OdlBenchSeries *series);

// Completes `row` with times and what follows from them, and adds it; not when nothing
// was measured.
void odl_bench_add_row (OdlBenchResult *result,
                        OdlBenchRow row,
                        const OdlBenchStats *stats,
                        double bytes);

G_END_DECLS
