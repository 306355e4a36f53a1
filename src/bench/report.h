// SPDX-License-Identifier: MIT
// Benchmark results as text, in the C locale.
#pragma once

#include "bench/bench.h"

// Table for people: one line per engine and geometry, one column per part with median
// milliseconds; frame time relative to a plain copy of a float picture of that size
// and to the bound of reading and writing it once at that speed; start-up times and
// loads. Transfer full.
char *odl_bench_to_table (const OdlBenchResult *result);

// CSV with a header, one line per row. Transfer full.
char *odl_bench_to_csv (const OdlBenchResult *result);

// {"machine": {"cpu", "cores", "threads", "cpu_mhz", "governor", "huge_pages", "load",
// "compiler", "flags", "version", "date", "gl_renderer", "gl_driver"}, "rows":
// [{"engine", "variant", "width", "height", "channels", "precision", "levels", "threads",
// "part", "median_ms", "min_ms", "mean_ms", "max_ms", "mpx_per_s", "gb_per_s"}, …]}.
// Transfer full.
char *odl_bench_to_json (const OdlBenchResult *result);

// Bytes, bound by a plain copy, and achieved fraction of that bound for each step and
// for the whole plan, for the largest picture of each engine, channel count and
// precision. Transfer full.
char *odl_bench_explain (const OdlBenchResult *result);
