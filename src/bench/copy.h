// SPDX-License-Identifier: MIT
// Baseline: plain copies of a float picture in main memory and on the GPU, measured in
// the same run. Rows of the engine "copy".
#pragma once

#include "bench/bench.h"

#define ODL_BENCH_COPY "copy"

// Measures copies of width × height × channels floats: "memory" for each entry of
// `threads` and, with `gl` (a context is current), "gl-fragment", "gl-image" and
// "gl-buffer". Failures become notes.
void odl_bench_copy (OdlBenchResult *result,
                     OdlBenchSize size,
                     int channels,
                     const int *threads,
                     int n_threads,
                     bool gl);

// GB/s of the copy to compare `engine` with, at the size of `row`: main memory with as
// many threads, fragment copy, or the faster compute copy. 0: not measured.
double odl_bench_copy_speed (const OdlBenchResult *result, const OdlBenchRow *row);
