// SPDX-License-Identifier: MIT
// Plain copies of a picture of single floats in main memory and on the GPU, measured in
// the run that they are compared with. Rows of the engine "copy".
#pragma once

#include "bench/bench.h"

G_BEGIN_DECLS

#define ODL_BENCH_COPY "copy"

// Adds rows for copies of width × height × channels floats: "memory" for each number of
// `threads`, and with `gl` (a context is current) "gl-fragment", "gl-image" and
// "gl-buffer". What cannot be measured becomes a note.
void odl_bench_copy (OdlBenchResult *result,
                     OdlBenchSize size,
                     int channels,
                     const int *threads,
                     int n_threads,
                     bool gl);

// GB/s of the copy that `engine` is to be compared with, of the size that `row` has: main
// memory on as many threads, fragment or the better compute copy. 0: not measured.
double odl_bench_copy_speed (const OdlBenchResult *result, const OdlBenchRow *row);

G_END_DECLS
