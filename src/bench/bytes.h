// SPDX-License-Identifier: MIT
// Bytes of a plan by formula, whatever the engine does.
#pragma once

#include "plan/plan.h"

// Bytes that a step reads and writes: every sample of what it needs once, at the plan's
// precision; the stored samples of `sample_bytes` each where it loads them. FORWARD x of
// a coarse level reads the LL band; THRESHOLD reads and writes the three detail bands.
typedef struct {
  double reads, writes;
} OdlBenchBytes;
OdlBenchBytes odl_bench_step_bytes (const OdlPlan *plan, int step, double sample_bytes);

// The same for steps that run as one pass, those whose `groups` (one number for each step
// of the plan) is `group`: what they hand to each other alone is neither written nor
// read.
OdlBenchBytes odl_bench_group_bytes (const OdlPlan *plan,
                                     const int *groups,
                                     int group,
                                     double sample_bytes);

// Which steps ran together, told by their times: a step with no more than `idle_ms` (what
// a timer shows for nothing) ran with the next that has more, a threshold with the
// synthesis that reads what it wrote. Transfer full; `n_groups` numbers from 0, in the
// order of the plan. NULL when no step has a time.
#define ODL_BENCH_GL_IDLE_MS 0.001
int *odl_bench_groups (const OdlPlan *plan,
                       const double *step_ms,
                       double idle_ms,
                       int *n_groups);

// Bytes of all slots: an upper estimate of an engine's working set.
double odl_bench_slot_bytes (const OdlPlan *plan);
