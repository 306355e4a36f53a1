// SPDX-License-Identifier: MIT
// Results of the benchmark in the shape of the tables that others published, with their
// figures beside. For people; all numbers in the C locale.
#pragma once

#include "engine/bench.h"

G_BEGIN_DECLS

// Elements per microsecond, frames per second, milliseconds by part, copies, over square
// sizes. Transfer full.
char *odl_bench_filter_tables (const OdlBenchResult *result);

// Decomposition and reconstruction of colour pictures, filtering against lifting, with
// and without transfer; the acceptance test. Transfer full.
char *odl_bench_video_tables (const OdlBenchResult *result);

// From nothing to the first frame against a frame when all is in place; the size from
// which each GPU engine passes `cpu`. Transfer full.
char *odl_bench_start_tables (const OdlBenchResult *result);

// What the project demands, beside what was measured of it; "" for nothing. Transfer
// full.
char *odl_bench_bars_table (const OdlBenchResult *result);

// The load of the processor at 20 frames per second. Transfer full.
char *odl_bench_load_table (const OdlBenchResult *result);

// The bytes of each step, the bound that a plain copy sets, and the share of it that was
// reached; bounds of the whole chain. Of the largest picture of each engine, number of
// channels and precision. Transfer full.
char *odl_bench_explain (const OdlBenchResult *result);

// The model of engine/bench_model.h for each engine, beside what was measured; "" where
// there are too few sizes. Transfer full.
char *odl_bench_model_table (const OdlBenchResult *result);

// "gl-compute mono-32", "cpu:streamed-avx512 mono-32, 2 threads". Transfer full.
char *odl_bench_case_name (const OdlBenchCase *one);

// Square sizes of the cases, ascending, and cases of one name. For tables and plots.
#define ODL_BENCH_MOST_COLUMNS 12
typedef struct {
  int n;
  int sides[ODL_BENCH_MOST_COLUMNS];
} OdlBenchSides;
OdlBenchSides odl_bench_sides (const OdlBenchResult *result);

typedef struct {
  char *name;
  const OdlBenchCase *cases[ODL_BENCH_MOST_COLUMNS]; // by side; NULL: not measured
} OdlBenchLine;
// One line for each name, in the order of the cases. Array of OdlBenchLine.
GArray *odl_bench_lines (const OdlBenchResult *result, const OdlBenchSides *sides);

// Microseconds of a frame without its upload: of what repeats on the GPU, else the sum of
// the parts. 0: not measured, or no GL.
double odl_bench_resident_us (const OdlBenchCase *one);

// What a frame takes when frames follow each other, upload included: overlapped where it
// was measured, else the total. 0: neither.
double odl_bench_frame_ms (const OdlBenchCase *one);

G_END_DECLS
