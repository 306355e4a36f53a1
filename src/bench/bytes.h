// SPDX-License-Identifier: MIT
// Bytes that a plan moves, by formula and independent of the engine.
#pragma once

#include "plan/plan.h"

// Bytes that a step reads and writes: every sample it needs once, at the plan's
// precision; LOAD reads stored samples of `sample_bytes` each. FORWARD x of a coarse
// level reads the LL band; THRESHOLD reads and writes the three detail bands.
typedef struct {
  double reads, writes;
} OdlBenchBytes;
OdlBenchBytes odl_bench_step_bytes (const OdlPlan *plan, int step, double sample_bytes);

// Likewise for steps fused into one pass: those whose entry in `groups` (one per step
// of the plan) is `group`. Intermediate results used only within the group cost
// nothing.
OdlBenchBytes odl_bench_group_bytes (const OdlPlan *plan,
                                     const int *groups,
                                     int group,
                                     double sample_bytes);

// Derives fused groups from step times: a step of at most `idle_ms` (the timer's noise
// floor) is fused with the next step above it; a threshold with the synthesis that
// reads its result. Returns `n_groups` numbers from 0 in plan order; transfer full.
// NULL if no step has a time.
#define ODL_BENCH_GL_IDLE_MS 0.001
int *odl_bench_groups (const OdlPlan *plan,
                       const double *step_ms,
                       double idle_ms,
                       int *n_groups);

// Bytes of all slots: an upper estimate of the working set.
double odl_bench_slot_bytes (const OdlPlan *plan);
