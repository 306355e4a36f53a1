// SPDX-License-Identifier: MIT
// Measurement of one engine on one geometry.
#pragma once

#include "bench/bench.h"
#include "engine/gl/platform/headless.h"

typedef struct _OdlBenchTask OdlBenchTask;

typedef struct {
  const OdlBenchParams *params; // with defaults; outlives the task
  OdlEngineChoice choice;
  OdlGlHeadless *headless; // current; NULL for engines without GL; outlives the task
  OdlBenchSize size;
  int channels;
  int precision;
  int threads;
  bool decomposes; // the coefficients are the result; not with params->filter
} OdlBenchTaskParams;

// Opens the engine, builds plan and picture, and runs warm-up frames.
OdlBenchTask *odl_bench_task_new (const OdlBenchTaskParams *params, GError **error);
void odl_bench_task_free (OdlBenchTask *task);

// Measures for about `budget_ns`, or `runs` frames if above 0. Results accumulate over
// rounds.
bool
odl_bench_task_round (OdlBenchTask *task, int64_t budget_ns, int runs, GError **error);

// Cost of the last frame including parts and read back.
int64_t odl_bench_task_cost_ns (const OdlBenchTask *task);

// Appends the case and its rows to `result`.
void odl_bench_task_report (const OdlBenchTask *task, OdlBenchResult *result);

// The plan of a workload; also used for estimates. ODL_ERROR_USAGE for unknown
// wavelets.
OdlPlan *odl_bench_plan (const OdlBenchTaskParams *params, GError **error);

// Fields common to all rows of a plan; variant: the requested one or "default".
OdlBenchRow odl_bench_row (const OdlBenchTaskParams *params, const OdlPlan *plan);

// Measures start-up with an OpenGL context of its own: none may be current. Ignores
// `params->headless`.
bool odl_bench_measure_start (const OdlBenchTaskParams *params,
                              OdlBenchStart *start,
                              GError **error);

// Measures the processor load at 20 frames per second; otherwise as
// odl_bench_task_new.
bool odl_bench_measure_load (const OdlBenchTaskParams *params,
                             OdlBenchLoadRow *row,
                             GError **error);

// An empty result for this machine.
OdlBenchResult *odl_bench_result_new (void);

// Times of one part, in the order measured.
#define ODL_BENCH_MOST_RUNS 400
typedef struct {
  int64_t ns[ODL_BENCH_MOST_RUNS];
  int n;
} OdlBenchSeries;

void odl_bench_series_add (OdlBenchSeries *series, int64_t ns); // ignored when full
OdlBenchStats odl_bench_series_stats (const OdlBenchSeries *series);

// Completes `row` with statistics and appends it, unless the series is empty.
void odl_bench_add_row (OdlBenchResult *result,
                        OdlBenchRow row,
                        const OdlBenchStats *stats,
                        double bytes);
