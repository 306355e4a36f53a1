// SPDX-License-Identifier: MIT
// Results of the benchmark as text. All numbers in the C locale.
#pragma once

#include "bench/bench.h"

G_BEGIN_DECLS

// For people: one line per engine and geometry, parts in columns, medians in
// milliseconds; a frame in plain copies of a float picture of its size, and how close it
// comes to the speed at which a copy would read and write it once; first pictures and
// loads. Transfer full.
char *odl_bench_to_table (const OdlBenchResult *result);

// One line per row, with a heading line. Transfer full.
char *odl_bench_to_csv (const OdlBenchResult *result);

// {"machine": {"cpu", "cores", "threads", "cpu_mhz", "governor", "huge_pages", "load",
// "compiler", "flags", "version", "date", "gl_renderer", "gl_driver"}, "rows":
// [{"engine", "variant", "width", "height", "channels", "precision", "levels", "threads",
// "part", "median_ms", "min_ms", "mean_ms", "max_ms", "mpx_per_s", "gb_per_s"}, …]}.
// Transfer full.
char *odl_bench_to_json (const OdlBenchResult *result);

// The bytes of each step, the bound that a plain copy sets, and the share of it that was
// reached; bounds of the whole chain. Of the largest picture of each engine, number of
// channels and precision. Transfer full.
char *odl_bench_explain (const OdlBenchResult *result);

G_END_DECLS
