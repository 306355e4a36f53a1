// SPDX-License-Identifier: MIT
// Bytes and operations of a plan by formula, whatever the engine does.
#pragma once

#include "plan/plan.h"

// What runs between two points of time: steps first … last of a plan.
typedef struct {
  int first, last;
} OdlBenchSpan;

// Bytes that a step reads and writes: every sample of what it needs once, at the plan's
// precision; the stored samples of `sample_bytes` each where it loads them. FORWARD x of
// a coarse level reads the LL band; THRESHOLD reads and writes the three detail bands.
typedef struct {
  double reads, writes;
} OdlBenchBytes;
OdlBenchBytes odl_bench_step_bytes (const OdlPlan *plan, int step, double sample_bytes);

// The same for steps that run as one pass: what they hand to each other alone is neither
// written nor read.
OdlBenchBytes
odl_bench_span_bytes (const OdlPlan *plan, OdlBenchSpan span, double sample_bytes);

// Multiplications and additions of the plan's wavelet steps, done as filter banks, and of
// its thresholds.
double odl_bench_operations (const OdlPlan *plan);

// Bytes of all slots: an upper estimate of an engine's working set.
double odl_bench_slot_bytes (const OdlPlan *plan);
